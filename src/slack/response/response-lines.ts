/** Response times on cards, in the digest and on Home, each as one line of mrkdwn. Pure. */
import type { ResponseSummary, SpanSummary } from '../../response/measure.ts';
import type { CardDeadlines } from '../../response/response.ts';
import { joinFacts } from '../kit/block-builders.ts';
import { formatDate, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatDuration } from '../kit/numbers.ts';

/** Slack says how much time is left, and updates it: no edit is needed. */
function dueText(what: string, at: number | undefined): string | undefined {
  return at === undefined ? undefined : `${what} ${formatDate(at)} (${formatTimeAgo(at)})`;
}

/** `Claim by today at 9:10 (in 5 minutes)`; undefined if there is no deadline. */
export function deadlineLine(deadlines: CardDeadlines | undefined): string | undefined {
  if (!deadlines) return undefined;
  const { claimBy, bidBy, claimExpiresAt } = deadlines;
  const facts = joinFacts(
    dueText('claim by', claimBy),
    dueText('bid by', bidBy),
    dueText('claim expires', claimExpiresAt),
  );
  return facts ? `:alarm_clock: ${facts.charAt(0).toUpperCase()}${facts.slice(1)}` : undefined;
}

export function spanText(span: SpanSummary): string {
  return formatDuration(span.medianMs);
}

/** `Card 40 seconds · claim 6 minutes · bid 22 minutes`; undefined without claims and bids. */
export function responseSummaryText({ card, claim, bid }: ResponseSummary): string | undefined {
  if (!claim && !bid) return undefined;
  return joinFacts(
    card && `card ${spanText(card)}`,
    claim && `claim ${spanText(claim)}`,
    bid && `bid ${spanText(bid)}`,
  );
}
