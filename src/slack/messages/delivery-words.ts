/** What keeps posts from Slack, without naming a conversation: not every reader is in it. mrkdwn. */

import { date } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { DeliveryHealth, RefusedConversation } from '../delivery/health.ts';
import { lines } from './parts.ts';
import { describeWithCode } from './slack-trouble.ts';

function whyRefused(refused: readonly RefusedConversation[]): string {
  const codes = [...new Set(refused.map(({ error }) => error))];
  const [first = ''] = codes;
  return codes.length === 1 ? `: ${describeWithCode(first)}` : '';
}

function refusedText(refused: readonly RefusedConversation[]): string {
  const since = Math.min(...refused.map((each) => each.since));
  return lines(
    `:warning: *Slack is rejecting posts in ${count(refused.length, 'conversation')}${whyRefused(refused)}*, since ${date(since)}.`,
    "Gigdesk keeps these posts and retries. Check the Slack app's permissions and who can post there.",
  );
}

/** Why no post arrives anywhere; undefined where that is not so. */
export function pausedText({ paused }: DeliveryHealth): string | undefined {
  if (!paused) return undefined;
  return lines(
    `:red_circle: *Posting is paused: ${describeWithCode(paused.error)}*, since ${date(paused.since)}.`,
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
  return `Feeds stopped in ${count(stopped, 'channel')} because Slack permanently rejects posts there. After you fix the cause, use \`/gig resume\` there.`;
}
