/** Whom a card calls, so that Slack tells them. Only of people and groups that somebody chose in the channel's settings. */
import type { Card } from '../../feed/records.ts';
import { formatMention } from '../blocks/mrkdwn.ts';

const GROUP = /^S[A-Z0-9]+$/u;

/** `@Ana @design`; undefined for nobody. mrkdwn. */
export function cardMentionText(called: Card['mention']): string | undefined {
  if (!called) return undefined;
  const groups = called.groups.filter((id) => GROUP.test(id)).map((id) => `<!subteam^${id}>`);
  return [...called.users.map(formatMention), ...groups].join(' ') || undefined;
}
