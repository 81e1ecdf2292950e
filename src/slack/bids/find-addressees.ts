/**
 * The people that a request for approval notifies: they may approve in the job's channel, and don't ask
 * themselves. Those in the channel are mentioned; if there are none, others who may see the job get a direct
 * message.
 */
import { type AccessList, hasRoleAtLeast, toAccessScope } from '../../access/access.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { listAskers } from '../../bidding/approval-request.ts';
import type { ApprovalAddressees, Job } from '../../bidding/bidding.ts';
import { asError } from '../../errors.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import type { Services } from '../core/routes.ts';
import { checkChannelMembership, checkChannelVisibility } from '../core/user-channels.ts';
import { findRecentProjectLookup } from './bid-form-facts.ts';

/** Each may cost a request to Slack. */
const MOST_CHECKED = 20;
const MOST_MENTIONED = 5;
const MOST_GROUPS = 2;
const MOST_DIRECT = 3;

function usersOf({ bidder, admin }: AccessList): readonly UserId[] {
  return [...bidder.users, ...admin.users];
}

function groupsOf({ bidder, admin }: AccessList): readonly string[] {
  return [...bidder.groups, ...admin.groups];
}

interface Candidates {
  readonly users: readonly UserId[];
  readonly groups: readonly string[];
}

/** Those who may approve, as far as known; the channel's first. Subscribers may be workspace admins. */
async function listCandidates(
  { access, store, team }: Services,
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<Candidates> {
  const everywhere = await access.readAccessList('everywhere');
  const scope = toAccessScope(channel);
  const here = scope === 'everywhere' ? undefined : await access.readAccessList(scope);
  const subscribers = await store.read((tx) => listSubscribers(tx, team, channel));
  const all = [...(here ? usersOf(here) : []), ...subscribers, ...usersOf(everywhere), ...configured];
  const users = [...new Set(all)].filter((user) => !except.includes(user)).slice(0, MOST_CHECKED);
  const ofChannel = here ? groupsOf(here) : [];
  const groups = ofChannel.length > 0 ? ofChannel : groupsOf(everywhere);
  return { users, groups: [...new Set(groups)].slice(0, MOST_GROUPS) };
}

/** Whether the person may approve and can see the job. */
async function reach(
  services: Services,
  user: UserId,
  channel: ChannelId,
): Promise<'in' | 'direct' | undefined> {
  const isDirect = isDirectMessage(channel);
  const person = await services.resolvePerson(user, isDirect ? undefined : channel);
  if (!hasRoleAtLeast(person.role, 'bidder')) return undefined;
  if (!isDirect && (await checkChannelMembership(services, user, channel)) === 'in') return 'in';
  const reader = { services, person, channel: ChannelId.parse(user) };
  return (await checkChannelVisibility(reader, channel)) === 'open' ? 'direct' : undefined;
}

async function findPrice({ store, team, clock }: Services, job: Job): Promise<number | undefined> {
  const reference = parseProjectReference(job.project ?? job.marketplaceJobId ?? '');
  const looked = await store.read((tx) => findRecentProjectLookup(tx, team, reference, clock.now()));
  return looked?.connectsPrice;
}

async function findPeople(
  services: Services,
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<ApprovalAddressees> {
  const candidates = await listCandidates(services, configured, channel, except);
  const groups = isDirectMessage(channel) ? [] : candidates.groups;
  const users: UserId[] = [];
  const others: UserId[] = [];
  for (const user of candidates.users) {
    if (users.length === MOST_MENTIONED) break;
    const place = await reach(services, user, channel);
    if (place === 'in') users.push(user);
    if (place === 'direct') others.push(user);
  }
  const direct = users.length > 0 || groups.length > 0 ? [] : others.slice(0, MOST_DIRECT);
  return { users, groups, direct };
}

async function findAddressees(
  services: Services,
  configured: ReadonlySet<UserId>,
  job: Job,
): Promise<ApprovalAddressees> {
  const people = await findPeople(services, configured, job.channel, listAskers(job));
  return { ...people, ...omitUndefined({ connects: await findPrice(services, job) }) };
}

/**
 * The people that a request for a second approval notifies. Never throws.
 * @param except who can't give one
 */
export async function findSecondApprovers(
  services: Services,
  configured: ReadonlySet<UserId>,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<ApprovalAddressees> {
  try {
    return await findPeople(services, configured, channel, except);
  } catch (thrown) {
    services.log.error('could not find who may give a second approval', { channel, error: asError(thrown) });
    return { users: [], groups: [], direct: [] };
  }
}

/**
 * Never throws: a request that notifies nobody still shows in its thread.
 * @param configured admins from the configuration
 */
export async function findApprovalAddressees(
  services: Services,
  configured: ReadonlySet<UserId>,
  job: Job,
): Promise<ApprovalAddressees> {
  try {
    return await findAddressees(services, configured, job);
  } catch (thrown) {
    services.log.error('could not find who may approve a job', { job: job.id, error: asError(thrown) });
    return { users: [], groups: [], direct: [] };
  }
}
