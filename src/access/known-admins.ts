/** Admins with a known user ID. */
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { toAccessScope } from './access.ts';
import { readAccessList } from './access-lists.ts';

/**
 * Admins with a known ID (granted, or `ADMIN_USER_IDS`), those of the channel first. Workspace admins are
 * missing: Slack shows them only one user at a time.
 */
export async function listKnownAdmins(
  tx: ReadTransaction,
  team: TeamId,
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
): Promise<UserId[]> {
  const here = toAccessScope(channel);
  const ofChannel = here === 'everywhere' ? [] : (await readAccessList(tx, team, here)).admin.users;
  const everywhere = (await readAccessList(tx, team, 'everywhere')).admin.users;
  return [...new Set([...ofChannel, ...everywhere, ...configured])];
}
