/** Admins who can be written to. */
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { scopeOf } from './access.ts';
import { readList } from './lists.ts';

/**
 * The admins that we know by name (granted, or `ADMIN_USER_IDS`), those of the channel first. Admins of the workspace
 * are not among them: Slack names them only one by one.
 */
export async function knownAdmins(
  tx: ReadTransaction,
  team: TeamId,
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
): Promise<UserId[]> {
  const here = scopeOf(channel);
  const ofChannel = here === 'everywhere' ? [] : (await readList(tx, team, here)).admin.users;
  const everywhere = (await readList(tx, team, 'everywhere')).admin.users;
  return [...new Set([...ofChannel, ...everywhere, ...configured])];
}
