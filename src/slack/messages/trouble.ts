/** What trouble with the marketplace means, and what to do: by code, for notices and status. */
import type { MarketplaceErrorCode } from '../../marketplace/errors.ts';
import { type AccountKind, moreCreditsAdvice } from './credits-advice.ts';

export interface Trouble {
  /** Completes “New projects don't come: …”. */
  readonly what: string;
  /** A sentence. */
  readonly next: string;
}

const BY_ITSELF = 'It goes on by itself as soon as that is over.';

const TROUBLES: Readonly<Record<Exclude<MarketplaceErrorCode, 'credits-depleted'>, Trouble>> = {
  unauthorised: {
    what: 'the marketplace refuses our API token',
    next: 'Whoever runs Gigdesk has to set a valid `MARKETPLACE_API_TOKEN`.',
  },
  'subscription-inactive': {
    what: "the marketplace team's subscription is inactive",
    next: 'The account owner can renew it in the dashboard. The feed then goes on by itself.',
  },
  forbidden: {
    what: 'our API token lacks the permission',
    next: 'A team admin can check the token and the plan in the dashboard.',
  },
  'not-found': {
    what: 'the marketplace does not know this filter any more',
    next: 'If it was deleted, end its subscription with `/gig unsubscribe`.',
  },
  'rate-limited': { what: 'the marketplace says that we ask too often', next: BY_ITSELF },
  server: { what: "the marketplace's server has a fault", next: BY_ITSELF },
  network: { what: 'the marketplace cannot be reached', next: BY_ITSELF },
  timeout: { what: 'the marketplace does not answer in time', next: BY_ITSELF },
  unreadable: {
    what: "the marketplace's answer cannot be read",
    next: `${BY_ITSELF} If it stays, whoever runs Gigdesk finds more in the log.`,
  },
  'bad-request': {
    what: 'the marketplace does not accept our request',
    next: 'Whoever runs Gigdesk finds more in the log.',
  },
  'gate-timeout': { what: 'too many requests wait for their turn', next: BY_ITSELF },
};

function noCredits(account?: AccountKind): Trouble {
  return {
    what: 'the account has no project credits left',
    next: `${moreCreditsAdvice(account)} The feed then goes on by itself.`,
  };
}

/**
 * Unknown codes, from records of another version, get words that are true of all.
 * @param account whose credits it may be about, where that is known
 */
export function describeTrouble(code: string, account?: AccountKind): Trouble {
  if (code === 'credits-depleted' || code === 'account-spent') return noCredits(account);
  return Object.hasOwn(TROUBLES, code)
    ? TROUBLES[code as keyof typeof TROUBLES]
    : { what: 'the marketplace does not answer as it should', next: BY_ITSELF };
}
