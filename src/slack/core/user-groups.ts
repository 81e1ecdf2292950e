/** The workspace's user groups, as far as Slack lists them. */

import type { UserGroupNames } from '../kit/words/access-text.ts';
import { toSlackCallError } from './errors.ts';
import type { Services, SlackCalls } from './routes.ts';

export type UserGroup = Awaited<ReturnType<SlackCalls['listUserGroups']>>[number];

/** `loading`: not asked yet. `error`: Slack's code. */
export type UserGroups =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly groups: readonly UserGroup[] }
  | { readonly kind: 'unreadable'; readonly error: string };

/** Never throws. */
export async function readUserGroups({ slack, log }: Pick<Services, 'slack' | 'log'>): Promise<UserGroups> {
  try {
    return { kind: 'known', groups: await slack.listUserGroups() };
  } catch (thrown) {
    const { code } = toSlackCallError(thrown);
    log.warn('could not load user groups', { error: code });
    return { kind: 'unreadable', error: code };
  }
}

/**
 * Group handles for messages; asks Slack only if there are groups. Unknown groups are missing: show their ID.
 */
export async function readGroupNames(
  services: Pick<Services, 'slack' | 'log'>,
  ids: readonly string[],
): Promise<UserGroupNames> {
  if (ids.length === 0) return new Map();
  const read = await readUserGroups(services);
  return read.kind === 'known' ? new Map(read.groups.map((it) => [it.id, it.handle])) : new Map();
}
