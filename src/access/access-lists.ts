/** Stored lists of granted roles: reading and changing them, and who has which role by them. */
import type { AuditedGrantees } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import { recordDecision } from '../decisions/decisions.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  type AccessChange,
  type AccessContext,
  type AccessList,
  type AccessScope,
  type AccessService,
  accessLists,
  type GrantedRole,
  type Grantees,
  toAccessScope,
} from './access.ts';

const NOBODY: Grantees = { users: [], groups: [] };

export async function readAccessList(
  tx: ReadTransaction,
  team: TeamId,
  scope: AccessScope,
): Promise<AccessList> {
  return (await tx.get(accessLists, [team, scope])) ?? emptyList(team, scope);
}

function emptyList(team: TeamId, scope: AccessScope): AccessList {
  return { team, scope, bidder: NOBODY, admin: NOBODY, revision: 0 };
}

export async function storeAccessList(
  tx: Transaction,
  list: AccessList,
  change: Partial<Pick<AccessList, 'bidder' | 'admin'>>,
  by: UserId,
  at: Instant,
): Promise<AccessList> {
  const changed = { ...list, ...change, revision: list.revision + 1, by, at };
  await tx.put(accessLists, [list.team, list.scope], changed);
  return changed;
}

function without(list: Grantees, other: Grantees): AuditedGrantees {
  return {
    users: list.users.filter((each) => !other.users.includes(each)),
    groups: list.groups.filter((each) => !other.groups.includes(each)),
  };
}

function isNobody({ users, groups }: AuditedGrantees): boolean {
  return users.length === 0 && groups.length === 0;
}

export interface GranteesChange {
  readonly role: 'bidder' | 'admin';
  readonly added: AuditedGrantees;
  readonly removed: AuditedGrantees;
}

/** The differences by role; a role without a difference is left out. */
export function compareAccessLists(
  before: Pick<AccessList, 'bidder' | 'admin'>,
  after: Pick<AccessList, 'bidder' | 'admin'>,
): readonly GranteesChange[] {
  return (['bidder', 'admin'] as const)
    .map((role) => ({
      role,
      added: without(after[role], before[role]),
      removed: without(before[role], after[role]),
    }))
    .filter(({ added, removed }) => !isNobody(added) || !isNobody(removed));
}

function once({ users, groups }: Grantees): Grantees {
  return { users: [...new Set(users)], groups: [...new Set(groups)] };
}

export function changeAccessList(
  { store, team, clock }: AccessContext,
  { scope, by, seenRevision, ...wanted }: AccessChange,
): ReturnType<AccessService['changeAccessList']> {
  return store.transact(async (tx) => {
    const list = await readAccessList(tx, team, scope);
    if (list.revision !== seenRevision) return { kind: 'stale', list };
    const after = { bidder: once(wanted.bidder), admin: once(wanted.admin) };
    const changes = compareAccessLists(list, after);
    if (changes.length === 0) return { kind: 'same', list };
    const at = clock.now();
    for (const change of changes) {
      const act = { kind: 'access-changed', ...change } as const;
      await recordDecision(tx, {
        team,
        at,
        by,
        ...(scope === 'everywhere' ? {} : { channel: scope }),
        act,
      });
    }
    return { kind: 'changed', list: await storeAccessList(tx, list, after, by, at) };
  });
}

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

type Lists = readonly AccessList[];
type IsMember = Parameters<AccessService['findGrantedRole']>[2];

/** The channel's list, if there is one, and the list for everywhere. */
function readLists({ store, team }: AccessContext, channel: ChannelId | undefined): Promise<Lists> {
  const scopes: readonly AccessScope[] = channel ? [channel, 'everywhere'] : ['everywhere'];
  const keys = scopes.map((scope) => [team, scope] as const);
  return store.read(async (tx) => {
    const stored = await tx.getMany(accessLists, keys);
    return scopes.map((scope, place) => stored[place] ?? emptyList(team, scope));
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
