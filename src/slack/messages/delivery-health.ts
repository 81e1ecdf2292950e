/** What keeps posts from Slack, without naming a conversation: not every reader is in it. mrkdwn. */

import { formatDate } from '../blocks/mrkdwn.ts';
import { formatCount } from '../blocks/numbers.ts';
import type { DeliveryHealth, RefusedConversation } from '../delivery/health.ts';
import { joinLines } from './block-builders.ts';
import { describeSlackErrorWithCode } from './slack-error-text.ts';

function whyRefused(refused: readonly RefusedConversation[]): string {
  const codes = [...new Set(refused.map(({ error }) => error))];
  const [first = ''] = codes;
  return codes.length === 1 ? `: ${describeSlackErrorWithCode(first)}` : '';
}

function refusedText(refused: readonly RefusedConversation[]): string {
  const since = Math.min(...refused.map((each) => each.since));
  return joinLines(
    `:warning: *Slack is rejecting posts in ${formatCount(refused.length, 'conversation')}${whyRefused(refused)}*, since ${formatDate(since)}.`,
    "Gigdesk keeps these posts and retries. Check the Slack app's permissions and who can post there.",
  );
}

/** Why no post arrives anywhere; undefined where that is not so. */
export function deliveryPausedText({ paused }: DeliveryHealth): string | undefined {
  if (!paused) return undefined;
  return joinLines(
    `:red_circle: *Posting is paused: ${describeSlackErrorWithCode(paused.error)}*, since ${formatDate(paused.since)}.`,
    'Gigdesk keeps all posts until Slack accepts the token again. If the app was removed, reinstall it and set the new tokens.',
  );
}

/** Where Slack refuses posts; undefined where it refuses none. Channels whose feeds have stopped say so in `/gig list`. */
export function refusedConversationsText({ refused }: DeliveryHealth): string | undefined {
  const waiting = refused.filter(({ isStopped }) => !isStopped);
  return waiting.length > 0 ? refusedText(waiting) : undefined;
}

/** The same of channels whose feeds have stopped. */
export function stoppedChannelsText({ refused }: DeliveryHealth): string | undefined {
  const stopped = refused.filter(({ isStopped }) => isStopped).length;
  if (stopped === 0) return undefined;
  return `Feeds stopped in ${formatCount(stopped, 'channel')} because Slack permanently rejects posts there. After you fix the cause, use \`/gig resume\` there.`;
}
