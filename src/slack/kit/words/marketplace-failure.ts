/** What a marketplace error means and what to do, by code, for notices and status. Pure. */
import type { MarketplaceErrorCode } from '../../../marketplace/errors.ts';
import { type AccountTrialStatus, moreCreditsAdvice } from './credits-advice.ts';

export interface FailureDescription {
  /** A clause to follow a colon, as in “New projects are on hold: …”. */
  readonly what: string;
  /** A sentence. */
  readonly next: string;
}

const BY_ITSELF = 'It will resume automatically.';

const TROUBLES: Readonly<Record<Exclude<MarketplaceErrorCode, 'credits-depleted'>, FailureDescription>> = {
  unauthorised: {
    what: 'the marketplace rejected the API token',
    next: 'Ask the person who runs Gigdesk to set a valid `MARKETPLACE_API_TOKEN`.',
  },
  'subscription-inactive': {
    what: "the marketplace team's subscription is inactive",
    next: 'The account owner can renew it in the dashboard. The feed then resumes automatically.',
  },
  forbidden: {
    what: 'the API token is missing a permission',
    next: 'A team admin can check the token and the plan in the dashboard.',
  },
  'not-found': {
    what: "the marketplace can't find this filter",
    next: 'If it was deleted, unsubscribe with `/gig unsubscribe`.',
  },
  'rate-limited': { what: "the marketplace's rate limit was reached", next: BY_ITSELF },
  server: { what: 'the marketplace is returning errors', next: BY_ITSELF },
  network: { what: "the marketplace can't be reached", next: BY_ITSELF },
  timeout: { what: 'no response from the marketplace', next: BY_ITSELF },
  unreadable: {
    what: "the marketplace's response can't be read",
    next: `${BY_ITSELF} If this continues, ask the person who runs Gigdesk to check the log.`,
  },
  'bad-request': {
    what: 'the marketplace rejected the request',
    next: 'Ask the person who runs Gigdesk to check the log.',
  },
  'gate-timeout': { what: 'too many requests are waiting', next: BY_ITSELF },
};

function noCredits(account?: AccountTrialStatus): FailureDescription {
  return {
    what: 'the account has no project credits left',
    next: `${moreCreditsAdvice(account)} The feed then resumes automatically.`,
  };
}

/**
 * Unknown codes, from another version's records, get a text that is always true.
 * @param account whose credits it may concern, if known
 */
export function describeMarketplaceFailure(code: string, account?: AccountTrialStatus): FailureDescription {
  if (code === 'credits-depleted' || code === 'account-spent') return noCredits(account);
  return Object.hasOwn(TROUBLES, code)
    ? TROUBLES[code as keyof typeof TROUBLES]
    : { what: "the marketplace isn't responding as expected", next: BY_ITSELF };
}
