/** What a failed, refused or unclear request to the marketplace means, and what to do next. Pure. */
import { APPROVAL_NOT_DONE_CODE } from '../../../bidding/decide-job.ts';
import type { MarketplaceErrorCode } from '../../../marketplace/errors.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatDuration } from '../numbers.ts';
import { type AccountTrialStatus, moreCreditsAdvice } from './credits-text.ts';

export interface FailureDescription {
  /** A clause to follow a colon, as in “New projects are on hold: …”. */
  readonly what: string;
  /** A sentence. */
  readonly next: string;
}

const CONNECT_ON_HOME = "An admin connects it in Gigdesk's Home tab.";
/** The whole answer to anything that needs the marketplace. */
export const NOT_CONNECTED = `No marketplace account is connected yet. ${CONNECT_ON_HOME}`;

/** After the marketplace rejected the token. */
export const NEW_TOKEN_ADVICE =
  "An admin can replace it in Gigdesk's Home tab. If there's no button for it, ask the person who runs " +
  'Gigdesk to set a valid `MARKETPLACE_API_TOKEN`.';

const BY_ITSELF = 'It will resume automatically.';
const OPERATOR = 'If this continues, ask the person who runs Gigdesk';
const OR_DOCTOR = `${BY_ITSELF} ${OPERATOR} to run \`npm run doctor\`.`;

const TROUBLES: Readonly<Record<Exclude<MarketplaceErrorCode, 'credits-depleted'>, FailureDescription>> = {
  unauthorised: { what: 'the marketplace rejected the API token', next: NEW_TOKEN_ADVICE },
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
    next: 'If it was deleted, unsubscribe in `/gig list`.',
  },
  'rate-limited': { what: "the marketplace's rate limit was reached", next: BY_ITSELF },
  server: { what: 'the marketplace is returning errors', next: BY_ITSELF },
  network: { what: "the marketplace can't be reached", next: OR_DOCTOR },
  timeout: { what: 'no response from the marketplace', next: OR_DOCTOR },
  unreadable: {
    what: "the marketplace's response can't be read",
    next: `${BY_ITSELF} ${OPERATOR} to check the log.`,
  },
  'bad-request': {
    what: 'the marketplace rejected the request',
    next: 'Ask the person who runs Gigdesk to check the log.',
  },
  'gate-timeout': { what: 'too many requests are waiting', next: BY_ITSELF },
  'not-connected': { what: 'no marketplace account is connected', next: CONNECT_ON_HOME },
};

/**
 * Unknown codes, from another version's records, get a text that is always true.
 * @param account whose credits it may concern, if known
 */
export function describeMarketplaceFailure(code: string, account?: AccountTrialStatus): FailureDescription {
  if (code === 'credits-depleted' || code === 'account-spent')
    return {
      what: 'the account has no project credits left',
      next: `${moreCreditsAdvice(account)} The feed then resumes automatically.`,
    };
  return Object.hasOwn(TROUBLES, code)
    ? TROUBLES[code as keyof typeof TROUBLES]
    : { what: "the marketplace isn't responding as expected", next: BY_ITSELF };
}

interface RefusalFacts {
  /** A MarketplaceErrorCode, or `NOT_DONE`. */
  readonly code: string;
  readonly serverMessage?: string | undefined;
  /** Dot path -> message. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly retryAfterMs?: number | undefined;
}

const NEXT: Readonly<Record<string, string>> = {
  'bad-request': 'Correct that, then try again.',
  unauthorised: `${NEW_TOKEN_ADVICE} Then try again.`,
  'subscription-inactive': 'The account owner can renew it in the dashboard. Then try again.',
  'credits-depleted': `${moreCreditsAdvice()} Then try again.`,
  forbidden: 'A team admin can check the token and the plan in the dashboard. Then try again.',
  [APPROVAL_NOT_DONE_CODE]: 'Nothing was changed. Approve it again if you still want to.',
  'not-found': 'Check that the setup and the project still exist, then try again.',
  'not-connected': `${CONNECT_ON_HOME} Then try again.`,
  'hold-closed': 'Nothing is left to approve.',
};

/** Why what waited was never sent, by the end of its hold. */
const HELD_REASONS: Readonly<Record<string, string>> = {
  'hold-canceled': 'it was canceled',
  'hold-rejected': 'it was rejected at the second approval',
  'hold-expired': 'not enough people approved it in time',
  'hold-late': "Gigdesk wasn't running when it was due, or couldn't check it in time",
  'hold-changed': 'the bid or its project changed while it waited',
  'hold-not-allowed': "the person who asked for it can't bid here anymore",
  'hold-over-cap': 'it would exceed the weekly cap on connects',
  'hold-other-bid': 'another bid on this project was sent while it waited',
  'hold-closed': "the bid was deleted, or doesn't need approval anymore",
  'hold-time-passed': 'the time set for it passed while it waited',
};

/** What happened to a request that wasn't made: it was held back here, or the marketplace refused it. */
export function refusalVerb(code: string): 'not sent' | 'rejected' {
  return Object.hasOwn(HELD_REASONS, code) ? 'not sent' : 'rejected';
}

/** Why what waited was never sent; undefined for other codes. */
export function heldReasonText(code: string): string | undefined {
  return Object.hasOwn(HELD_REASONS, code) ? HELD_REASONS[code] : undefined;
}

/**
 * The API's own words in quotes, or our text for the code: `“The daily limit is reached”`. Completes
 * “refused: …”. mrkdwn.
 * @param max characters of each of the server's sentences.
 */
export function refusalReasonText(refusal: RefusalFacts, max = 300): string {
  const own = safeLine(refusal.serverMessage ?? '', max);
  const fields = Object.entries(refusal.fields ?? {})
    .slice(0, 3)
    .map(([field, words]) => `${safeLine(field, 60)}: ${safeLine(words, Math.min(max, 120))}`);
  const all = [...(own ? [`“${own}”`] : []), ...fields].join('; ');
  if (all) return all;
  const held = heldReasonText(refusal.code);
  if (held !== undefined) return held;
  if (refusal.code === APPROVAL_NOT_DONE_CODE) return 'the request never reached the marketplace';
  return refusal.code === 'not-found'
    ? "the marketplace couldn't find it"
    : describeMarketplaceFailure(refusal.code).what;
}

/** What to do now: a sentence. */
export function refusalAdviceText({ code, retryAfterMs }: RefusalFacts): string {
  if (Object.hasOwn(NEXT, code)) return NEXT[code] ?? '';
  if (Object.hasOwn(HELD_REASONS, code)) return 'Try again if you still want it.';
  return `Try again in ${retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs)}.`;
}

/**
 * `the marketplace answered with an error (HTTP 500)`, after a response that doesn't say whether the request
 * succeeded; undefined if there was no response.
 */
export function unclearResponseText(it: { readonly httpStatus?: number | undefined }): string | undefined {
  const { httpStatus } = it;
  if (httpStatus === undefined) return undefined;
  return httpStatus >= 400
    ? `the marketplace returned an error (HTTP ${httpStatus})`
    : `the marketplace's response couldn't be read (HTTP ${httpStatus})`;
}
