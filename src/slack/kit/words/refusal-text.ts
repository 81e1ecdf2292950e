/** Why the marketplace refused a request, and what to do next; for stored refusals. Pure. */
import { APPROVAL_NOT_DONE_CODE } from '../../../bidding/decide-job.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatDuration } from '../numbers.ts';
import { moreCreditsAdvice } from './credits-advice.ts';
import { describeMarketplaceFailure } from './marketplace-failure.ts';

export interface RefusalFacts {
  /** A MarketplaceErrorCode, or `NOT_DONE`. */
  readonly code: string;
  readonly serverMessage?: string | undefined;
  /** Dot path -> message. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly retryAfterMs?: number | undefined;
}

const LONGEST_WORDS = 300;
const MOST_FIELDS = 3;

const NEXT: Readonly<Record<string, string>> = {
  'bad-request': 'Correct that, then try again.',
  unauthorised: 'Ask the person who runs Gigdesk to set a valid `MARKETPLACE_API_TOKEN`, then try again.',
  'subscription-inactive': 'The account owner can renew it in the dashboard. Then try again.',
  'credits-depleted': `${moreCreditsAdvice()} Then try again.`,
  forbidden: 'A team admin can check the token and the plan in the dashboard. Then try again.',
  [APPROVAL_NOT_DONE_CODE]: 'Nothing was changed. Approve it again if you still want to.',
  'not-found': 'Check that the setup and the project still exist, then try again.',
};

/**
 * The API's own words in quotes, or our text for the code: `“The daily limit is reached”`. Completes
 * “refused: …”. mrkdwn.
 * @param max characters of each of the server's sentences.
 */
export function refusalReasonText(refusal: RefusalFacts, max = LONGEST_WORDS): string {
  const own = safeLine(refusal.serverMessage ?? '', max);
  const fields = Object.entries(refusal.fields ?? {})
    .slice(0, MOST_FIELDS)
    .map(([field, words]) => `${safeLine(field, 60)}: ${safeLine(words, Math.min(max, 120))}`);
  const all = [...(own ? [`“${own}”`] : []), ...fields].join('; ');
  if (all) return all;
  if (refusal.code === APPROVAL_NOT_DONE_CODE) return 'the request never reached the marketplace';
  return refusal.code === 'not-found'
    ? "the marketplace couldn't find it"
    : describeMarketplaceFailure(refusal.code).what;
}

/** What to do now: a sentence. */
export function refusalAdviceText({ code, retryAfterMs }: RefusalFacts): string {
  if (Object.hasOwn(NEXT, code)) return NEXT[code] ?? '';
  return `Try again in ${retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs)}.`;
}
