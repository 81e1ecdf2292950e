/** What prevents delivery, without naming conversations: not every reader is in them. mrkdwn. Pure. */

import { describeSlackErrorWithCode } from '../core/failures.ts';
import type { DeliveryHealth, RefusedConversation } from '../delivery/health.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';

function whyRefused(refused: readonly RefusedConversation[]): string {
  const codes = [...new Set(refused.map(({ error }) => error))];
  const [first = ''] = codes;
  return codes.length === 1 ? `: ${describeSlackErrorWithCode(first)}` : '';
}

function refusedText(refused: readonly RefusedConversation[]): string {
  const since = Math.min(...refused.map((each) => each.since));
  return joinLines(
    ':warning: *Slack is rejecting posts in ' +
      `${formatCount(refused.length, 'conversation')}${whyRefused(refused)}*, since ${formatDate(since)}.`,
    "Gigdesk keeps these posts and retries. Check the Slack app's permissions and who can post there.",
  );
}

/** Why no post arrives anywhere; undefined while delivery works. */
export function deliveryPausedText({ paused }: DeliveryHealth): string | undefined {
  if (!paused) return undefined;
  return joinLines(
    `:red_circle: *Posting is paused: ${describeSlackErrorWithCode(paused.error)}*, ` +
      `since ${formatDate(paused.since)}.`,
    'Gigdesk keeps all posts until Slack accepts the token again. ' +
      'If the app was removed, reinstall it and set the new tokens.',
  );
}

/**
 * Conversations where Slack refuses posts; undefined if none. Stopped channels show in `/gig list` instead.
 */
export function refusedConversationsText({ refused }: DeliveryHealth): string | undefined {
  const waiting = refused.filter(({ isStopped }) => !isStopped);
  return waiting.length > 0 ? refusedText(waiting) : undefined;
}

/** Like `refusedConversationsText`, for channels whose feeds stopped. */
export function stoppedChannelsText({ refused }: DeliveryHealth): string | undefined {
  const stopped = refused.filter(({ isStopped }) => isStopped).length;
  if (stopped === 0) return undefined;
  return (
    `Feeds stopped in ${formatCount(stopped, 'channel')} because Slack permanently rejects posts there. ` +
    'After you fix the cause, use `/gig resume` there.'
  );
}
