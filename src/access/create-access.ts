/** The access service: the stored lists of granted roles, and the requests for a role. */
import { type AuditedGrantees, recordAuditEntry } from '../audit/audit.ts';
import { type Instant } from '../clock.ts';
import { recordDecision } from '../decisions/decisions.ts';
import { type ChannelId, randomId, type UserId } from '../ids.ts';
import { enqueuePost, listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import { findRetentionCutoff } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import {
  ACCESS_REQUESTS_KEPT_MS,
  type AccessList,
  type AccessRequest,
  type AccessScope,
  accessLists,
  accessRequests,
  type GrantedRole,
  type Grantees,
  toAccessScope,
} from './access.ts';

type AccessContext = Pick<Workspace, 'store' | 'clock' | 'random' | 'admins'>;

const NOBODY: Grantees = { users: [], groups: [] };

async function readAccessList(tx: ReadTransaction, scope: AccessScope): Promise<AccessList> {
  return (await tx.get(accessLists, [scope])) ?? emptyList(scope);
}

function emptyList(scope: AccessScope): AccessList {
  return { scope, bidder: NOBODY, admin: NOBODY, revision: 0 };
}

async function storeAccessList(
  tx: Transaction,
  list: AccessList,
  change: Partial<Pick<AccessList, 'bidder' | 'admin'>>,
  by: UserId,
  at: Instant,
): Promise<AccessList> {
  const changed = { ...list, ...change, revision: list.revision + 1, by, at };
  await tx.put(accessLists, changed);
  return changed;
}

function without(list: Grantees, other: Grantees): AuditedGrantees {
  return {
    users: list.users.filter((each) => !other.users.includes(each)),
    groups: list.groups.filter((each) => !other.groups.includes(each)),
  };
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
    .filter(({ added, removed }) => [added, removed].some((it) => it.users.length + it.groups.length > 0));
}

function once({ users, groups }: Grantees): Grantees {
  return { users: [...new Set(users)], groups: [...new Set(groups)] };
}

/** `stale`: the list changed meanwhile; nothing was stored. */
function changeAccessList(
  { store, clock }: AccessContext,
  order: Pick<AccessList, 'scope' | 'bidder' | 'admin'> & { by: UserId; seenRevision: number },
): Promise<{ readonly kind: 'changed' | 'stale' | 'same'; readonly list: AccessList }> {
  const { scope, by, seenRevision, ...wanted } = order;
  return store.transact(async (tx) => {
    const list = await readAccessList(tx, scope);
    if (list.revision !== seenRevision) return { kind: 'stale', list };
    const after = { bidder: once(wanted.bidder), admin: once(wanted.admin) };
    const changes = compareAccessLists(list, after);
    if (changes.length === 0) return { kind: 'same', list };
    const at = clock.now();
    for (const change of changes) {
      const act = { kind: 'access-changed', ...change } as const;
      await recordDecision(tx, { at, by, channel: scope === 'everywhere' ? undefined : scope, act });
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
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
): Promise<UserId[]> {
  const here = toAccessScope(channel);
  const ofChannel = here === 'everywhere' ? [] : (await readAccessList(tx, here)).admin.users;
  const everywhere = (await readAccessList(tx, 'everywhere')).admin.users;
  return [...new Set([...ofChannel, ...everywhere, ...configured])];
}

type Lists = readonly AccessList[];
type IsMember = (group: string, role: GrantedRole) => Promise<boolean | undefined>;

function readLists({ store }: AccessContext, channel: ChannelId | undefined): Promise<Lists> {
  const scopes = [...new Set<AccessScope>([channel ? toAccessScope(channel) : 'everywhere', 'everywhere'])];
  const keys = scopes.map((scope) => [scope] as const);
  return store.read(async (tx) => {
    const stored = await tx.getMany(accessLists, keys);
    return scopes.map((scope, place) => stored[place] ?? emptyList(scope));
  });
}

/** Looks up groups in parallel, because a person waits for a modal. */
async function hasRole(lists: Lists, role: GrantedRole, user: UserId, isMember: IsMember) {
  if (isNamed(lists, role, user)) return true;
  const groups = new Set(lists.flatMap((list) => list[role].groups));
  const answers = await Promise.all([...groups].map((group) => isMember(group, role)));
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

function isNamed(lists: Lists, role: GrantedRole, user: UserId): boolean {
  return lists.some((list) => list[role].users.includes(user));
}

/**
 * The highest role granted to a person there, by name or through a group.
 * @param isMember called only where it can raise the role; undefined: the lookup failed.
 * @returns `isUncertain`: a group lookup failed that could raise the role.
 */
async function findGrantedRole(
  context: AccessContext,
  user: UserId,
  channel: ChannelId | undefined,
  isMember: IsMember,
): Promise<{ readonly role: GrantedRole | 'viewer'; readonly isUncertain: boolean }> {
  const lists = await readLists(context, channel);
  if (isNamed(lists, 'admin', user)) return { role: 'admin', isUncertain: false };
  const [isAdmin, isBidder] = await Promise.all([
    hasRole(lists, 'admin', user, isMember),
    hasRole(lists, 'bidder', user, isMember),
  ]);
  if (isAdmin) return { role: 'admin', isUncertain: false };
  return { role: isBidder ? 'bidder' : 'viewer', isUncertain: [isAdmin, isBidder].includes(undefined) };
}

type Asked = Pick<AccessRequest, 'user' | 'channel' | 'role'>;

/** Most direct messages for one request. */
const MOST_ADMINS = 10;

function postId(request: string, to: string): PostId {
  return PostId.parse(`access:${request}:${to}`);
}

function findPosts(tx: ReadTransaction, request: string): Promise<PostId[]> {
  return listPostIdsByPrefix(tx, postId(request, ''), MOST_ADMINS + 2);
}

async function findOpen(tx: Transaction, { user, channel, role }: Asked, at: Instant) {
  const prefix = [user, channel, role] as const;
  const [entry] = await tx.list(accessRequests, { index: 'open', prefix, limit: 1 });
  const cutoff = findRetentionCutoff(tx, { at, keptMs: ACCESS_REQUESTS_KEPT_MS });
  if (!entry || cutoff === undefined || entry.value.at >= cutoff) return entry?.value;
  await tx.delete(accessRequests, entry.key);
  return undefined;
}

function enqueueRequestPost(tx: Transaction, request: AccessRequest, to: ChannelId | UserId, at: Instant) {
  const content = { kind: 'access-request', request: request.id } as const;
  return enqueuePost(tx, { id: postId(request.id, to), channel: to, content, order: at, at });
}

/** The channel for the audit log; missing: everywhere. */
function auditedPlace({ channel }: { readonly channel: ChannelId }): { readonly channel?: ChannelId } {
  return { channel: toAccessScope(channel) === 'everywhere' ? undefined : channel };
}

/**
 * Requests a role: posts in the channel and to each known admin (`ADMIN_USER_IDS`, granted).
 * @returns the request; `isNew` false: the same request is already open. `notifiedCount`: number of posts
 * that show it; 0: there is neither a channel nor a known admin, and nothing was stored.
 */
function requestRole(context: AccessContext, order: Asked) {
  const { store, clock, random } = context;
  // Outside the transaction, because a store may run it twice.
  const id = randomId(random, 12);
  return store.transact(async (tx) => {
    const at = clock.now();
    const open = await findOpen(tx, order, at);
    if (open) return { request: open, isNew: false, notifiedCount: (await findPosts(tx, open.id)).length };
    const request: AccessRequest = { id, ...order, at };
    const known = await listKnownAdmins(tx, context.admins, order.channel);
    const places = [
      ...(toAccessScope(order.channel) === 'everywhere' ? [] : [order.channel]),
      ...known.filter((each) => each !== order.user).slice(0, MOST_ADMINS),
    ];
    // Kept, it would block the next one, which may find an admin.
    if (places.length === 0) return { request, isNew: true, notifiedCount: 0 };
    await tx.put(accessRequests, request);
    const { user: by, role } = order;
    await recordAuditEntry(tx, { at, by, ...auditedPlace(order), act: { kind: 'access-asked', role } });
    for (const place of places) await enqueueRequestPost(tx, request, place, at);
    return { request, isNew: true, notifiedCount: places.length };
  });
}

async function grant(tx: Transaction, request: AccessRequest, by: UserId, at: Instant): Promise<void> {
  const { channel, role, user } = request;
  const list = await readAccessList(tx, toAccessScope(channel));
  const { users, groups } = list[role];
  if (users.includes(user)) return;
  await storeAccessList(tx, list, { [role]: { users: [...users, user], groups } }, by, at);
}

/**
 * Grants or declines once, then updates the posts and notifies the requester. The caller has checked that
 * `by` is an admin of the request's channel.
 * @returns undefined for an unknown request; `kind` 'taken' when it was decided before.
 */
function decideAccessRequest(
  { store, clock }: AccessContext,
  decision: { readonly request: string; readonly by: UserId; readonly grant: boolean },
): Promise<{ readonly kind: 'decided' | 'taken'; readonly request: AccessRequest } | undefined> {
  const { request: id, by, grant: granted } = decision;
  return store.transact(async (tx) => {
    const request = await tx.get(accessRequests, [id]);
    if (!request) return undefined;
    if (request.decided) return { kind: 'taken', request };
    const at = clock.now();
    const decided: AccessRequest = { ...request, decided: { by, at, granted } };
    await tx.put(accessRequests, decided);
    if (granted) await grant(tx, request, by, at);
    const act = { kind: 'access-decided', role: request.role, user: request.user, granted } as const;
    await recordDecision(tx, { at, by, ...auditedPlace(request), act });
    for (const post of await findPosts(tx, id)) await markPostChanged(tx, post);
    await enqueueRequestPost(tx, decided, request.user, at);
    return { kind: 'decided', request: decided };
  });
}

/** undefined: unknown or deleted. */
export async function readAccessRequest(tx: ReadTransaction, id: string): Promise<AccessRequest | undefined> {
  return tx.get(accessRequests, [id]);
}

export type AccessService = ReturnType<typeof createAccessService>;

export function createAccessService(context: AccessContext) {
  const { store, admins } = context;
  return {
    readAccessList: (scope: AccessScope) => store.read((tx) => readAccessList(tx, scope)),
    /** Admins of a channel by their IDs: granted, or configured. Workspace admins aren't among them. */
    listKnownAdmins: (channel: ChannelId) => store.read((tx) => listKnownAdmins(tx, admins, channel)),
    changeAccessList: changeAccessList.bind(null, context),
    requestRole: requestRole.bind(null, context),
    readAccessRequest: (id: string) => store.read((tx) => readAccessRequest(tx, id)),
    decideAccessRequest: decideAccessRequest.bind(null, context),
    findGrantedRole: findGrantedRole.bind(null, context),
  };
}
