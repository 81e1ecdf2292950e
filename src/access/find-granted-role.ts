/** Finds the highest role granted to a person in a channel. */
import type { ChannelId, UserId } from '../ids.ts';
import type { AccessList, AccessService, GrantedRole } from './access.ts';
import { readAccessList } from './access-lists.ts';
import type { AccessContext } from './context.ts';

type Lists = readonly AccessList[];
type IsMember = Parameters<AccessService['findGrantedRole']>[2];

/** The channel's list, if there is one, and the list for everywhere. */
function readLists({ store, team }: AccessContext, channel: ChannelId | undefined): Promise<Lists> {
  return store.read(async (tx) => {
    const everywhere = await readAccessList(tx, team, 'everywhere');
    return channel ? [await readAccessList(tx, team, channel), everywhere] : [everywhere];
  });
}

/** Looks up groups in parallel, because a person waits for a modal. */
async function hasRole(
  lists: Lists,
  role: GrantedRole,
  user: UserId,
  isMember: IsMember,
): Promise<boolean | undefined> {
  if (isNamed(lists, role, user)) return true;
  const groups = new Set(lists.flatMap((list) => list[role].groups));
  const answers = await Promise.all([...groups].map((group) => isMember(group, role)));
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

function isNamed(lists: Lists, role: GrantedRole, user: UserId): boolean {
  return lists.some((list) => list[role].users.includes(user));
}

export async function findGrantedRole(
  context: AccessContext,
  user: UserId,
  channel: ChannelId | undefined,
  isMember: IsMember,
): ReturnType<AccessService['findGrantedRole']> {
  const lists = await readLists(context, channel);
  if (isNamed(lists, 'admin', user)) return { role: 'admin', isUncertain: false };
  const [isAdmin, isBidder] = await Promise.all([
    hasRole(lists, 'admin', user, isMember),
    hasRole(lists, 'bidder', user, isMember),
  ]);
  if (isAdmin) return { role: 'admin', isUncertain: false };
  return {
    role: isBidder ? 'bidder' : 'viewer',
    isUncertain: isAdmin === undefined || isBidder === undefined,
  };
}
