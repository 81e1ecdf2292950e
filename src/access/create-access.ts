/** Access on the store: the service, and the requests for a role. */

import { recordAuditEntry } from '../audit/audit.ts';
import { DAY, type Instant } from '../clock.ts';
import { recordDecision } from '../decisions/decisions.ts';
import { type ChannelId, randomId, type TeamId, type UserId } from '../ids.ts';
import { enqueuePost, listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import { deleteOldRecords, findRetentionCutoff } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  type AccessContext,
  type AccessRequest,
  type AccessService,
  accessRequests,
  toAccessScope,
} from './access.ts';
import {
  changeAccessList,
  findGrantedRole,
  listKnownAdmins,
  readAccessList,
  storeAccessList,
} from './access-lists.ts';

export function createAccessService(context: AccessContext): AccessService {
  const { store, team } = context;
  return {
    readAccessList: (scope) => store.read((tx) => readAccessList(tx, team, scope)),
    listKnownAdmins: (channel) => store.read((tx) => listKnownAdmins(tx, team, context.admins, channel)),
    changeAccessList: (change) => changeAccessList(context, change),
    requestRole: (order) => requestRole(context, order),
    readAccessRequest: (id) => store.read((tx) => tx.get(accessRequests, [team, id])),
    decideAccessRequest: (order) => decideAccessRequest(context, order),
    findGrantedRole: (user, channel, isMember) => findGrantedRole(context, user, channel, isMember),
  };
}

type Asked = Parameters<AccessService['requestRole']>[0];
type Decision = Parameters<AccessService['decideAccessRequest']>[0];

/** As long as posts: without a post nobody can decide a request. */
const KEPT_MS = 90 * DAY;
const CLEARED_AT_ONCE = 5;
/** Most direct messages for one request. */
const MOST_ADMINS = 10;

/** One post for each channel or admin that gets the request. */
function postId(request: string, to: string): PostId {
  return PostId.parse(`access:${request}:${to}`);
}

/** The posts that show a request: the channel's, and those of at most ten admins. */
function findPosts(tx: ReadTransaction, team: TeamId, request: string): Promise<PostId[]> {
  return listPostIdsByPrefix(tx, team, postId(request, ''), MOST_ADMINS + 2);
}

async function findOpen(
  tx: Transaction,
  team: TeamId,
  { user, channel, role }: Asked,
  at: Instant,
): Promise<AccessRequest | undefined> {
  const prefix = [team, user, channel, role] as const;
  const [entry] = await tx.list(accessRequests, { index: 'open', prefix, limit: 1 });
  const cutoff = findRetentionCutoff(tx, { at, keptMs: KEPT_MS });
  if (!entry || cutoff === undefined || entry.value.at >= cutoff) return entry?.value;
  await tx.delete(accessRequests, entry.key);
  return undefined;
}

/** Known admins except the requester. */
async function adminsToAsk(
  tx: ReadTransaction,
  { team, admins }: AccessContext,
  { user, channel }: Asked,
): Promise<UserId[]> {
  const known = await listKnownAdmins(tx, team, admins, channel);
  return known.filter((each) => each !== user).slice(0, MOST_ADMINS);
}

async function enqueueRequestPost(
  tx: Transaction,
  request: AccessRequest,
  to: ChannelId | UserId,
  at: Instant,
) {
  await enqueuePost(tx, {
    team: request.team,
    id: postId(request.id, to),
    channel: to,
    content: { kind: 'access-request', request: request.id },
    order: at,
    at,
  });
}

/** The channel for the audit log; missing: everywhere. */
function auditedPlace({ channel }: { readonly channel: ChannelId }): { readonly channel?: ChannelId } {
  return toAccessScope(channel) === 'everywhere' ? {} : { channel };
}

export function requestRole(context: AccessContext, order: Asked): ReturnType<AccessService['requestRole']> {
  const { store, team, clock, random } = context;
  // Outside the transaction, because a store may run it twice.
  const id = randomId(random, 12);
  return store.transact(async (tx) => {
    const at = clock.now();
    const old = { index: 'byAge', prefix: [team], at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE } as const;
    await deleteOldRecords(tx, accessRequests, old);
    const open = await findOpen(tx, team, order, at);
    if (open)
      return { request: open, isNew: false, notifiedCount: (await findPosts(tx, team, open.id)).length };
    const request: AccessRequest = { team, id, ...order, at };
    await tx.put(accessRequests, [team, id], request);
    const { user: by, role } = order;
    await recordAuditEntry(tx, { team, at, by, ...auditedPlace(order), act: { kind: 'access-asked', role } });
    const places = [
      ...(toAccessScope(order.channel) === 'everywhere' ? [] : [order.channel]),
      ...(await adminsToAsk(tx, context, order)),
    ];
    for (const place of places) await enqueueRequestPost(tx, request, place, at);
    return { request, isNew: true, notifiedCount: places.length };
  });
}

async function grant(tx: Transaction, request: AccessRequest, by: UserId, at: Instant): Promise<void> {
  const { team, channel, role, user } = request;
  const list = await readAccessList(tx, team, toAccessScope(channel));
  const { users, groups } = list[role];
  if (users.includes(user)) return;
  await storeAccessList(tx, list, { [role]: { users: [...users, user], groups } }, by, at);
}

export function decideAccessRequest(
  { store, team, clock }: AccessContext,
  { request: id, by, grant: granted }: Decision,
): ReturnType<AccessService['decideAccessRequest']> {
  return store.transact(async (tx) => {
    const request = await tx.get(accessRequests, [team, id]);
    if (!request) return undefined;
    if (request.decided) return { kind: 'taken', request };
    const at = clock.now();
    const decided: AccessRequest = { ...request, decided: { by, at, granted } };
    await tx.put(accessRequests, [team, id], decided);
    if (granted) await grant(tx, request, by, at);
    const act = { kind: 'access-decided', role: request.role, user: request.user, granted } as const;
    await recordDecision(tx, { team, at, by, ...auditedPlace(request), act });
    for (const post of await findPosts(tx, team, id)) await markPostChanged(tx, team, post);
    await enqueueRequestPost(tx, decided, request.user, at);
    return { kind: 'decided', request: decided };
  });
}

export async function readAccessRequest(
  tx: ReadTransaction,
  team: TeamId,
  id: string,
): Promise<AccessRequest | undefined> {
  return tx.get(accessRequests, [team, id]);
}
