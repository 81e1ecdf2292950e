/** The people and groups that a card mentions: only those chosen in the channel's settings. Pure. */
import type { Card } from '../../feed/records.ts';
import { formatMention } from '../kit/mrkdwn.ts';

const GROUP = /^S[A-Z0-9]+$/u;

/** `@Ana @design`; undefined if there is no mention. mrkdwn. */
export function cardMentionText(called: Card['mention']): string | undefined {
  if (!called) return undefined;
  const groups = called.groups.filter((id) => GROUP.test(id)).map((id) => `<!subteam^${id}>`);
  return [...called.users.map(formatMention), ...groups].join(' ') || undefined;
}
