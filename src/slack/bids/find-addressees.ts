/**
 * The people that a request for approval notifies: they may approve in the bid's channel, and don't ask
 * themselves. Those in the channel are mentioned; if there are none, others who may see the bid get a direct
 * message.
 */
import { type AccessList, type Grantees, hasRoleAtLeast, toAccessScope } from '../../access/access.ts';
import type { ApprovalAddressees } from '../../bidding/bidding.ts';
import { asError } from '../../errors.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import type { Services } from '../core/routes.ts';
import { checkChannelMembership, checkChannelVisibility } from '../core/user-channels.ts';

/** Each may cost a request to Slack. */
const MOST_CHECKED = 20;
const MOST_MENTIONED = 5;
const MOST_GROUPS = 2;
const MOST_DIRECT = 3;

/** Bidders and admins. */
function granteesOf(list: AccessList | undefined): Grantees {
  const roles = list ? [list.bidder, list.admin] : [];
  return { users: roles.flatMap(({ users }) => users), groups: roles.flatMap(({ groups }) => groups) };
}

/** Those who may approve, as far as known; the channel's first. Subscribers may be workspace admins. */
async function listCandidates(
  { access, store }: Services,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<Grantees> {
  const everywhere = granteesOf(await access.readAccessList('everywhere'));
  const scope = toAccessScope(channel);
  const here = granteesOf(scope === 'everywhere' ? undefined : await access.readAccessList(scope));
  const subscribers = await store.read((tx) => listSubscribers(tx, channel));
  const known = await access.listKnownAdmins(channel);
  const all = new Set([...here.users, ...subscribers, ...everywhere.users, ...known]);
  const users = [...all].filter((user) => !except.includes(user)).slice(0, MOST_CHECKED);
  const groups = here.groups.length > 0 ? here.groups : everywhere.groups;
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

async function findPeople(
  services: Services,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<ApprovalAddressees> {
  const candidates = await listCandidates(services, channel, except);
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

/**
 * Never throws: a request that notifies nobody still shows in its thread.
 * @param except who asks, or can't approve otherwise
 */
export async function findApprovers(
  services: Services,
  channel: ChannelId,
  except: readonly UserId[],
): Promise<ApprovalAddressees> {
  try {
    return await findPeople(services, channel, except);
  } catch (thrown) {
    services.log.error('could not find who may approve a bid', { channel, error: asError(thrown) });
    return { users: [], groups: [], direct: [] };
  }
}
