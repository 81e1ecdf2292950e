/**
 * Who may approve a bid: the people that a request notifies, and Review for those who may not, which has all
 * that would be sent, who the admins are, and Request Access.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { type AccessList, type Grantees, hasRoleAtLeast, toAccessScope } from '../../access/access.ts';
import { listAskers } from '../../bidding/approval-request.ts';
import type { ApprovalAddressees, Job } from '../../bidding/bidding.ts';
import { readOrderRules } from '../../bidding/plan-order.ts';
import { readApprovalSubject } from '../../bidding/read-approval-subject.ts';
import { asError } from '../../errors.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { accessRequestedMessage } from '../access/access.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message, Services } from '../core/routes.ts';
import { checkChannelMembership, checkChannelVisibility } from '../core/user-channels.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  noticeView,
  sectionBlock,
} from '../kit/block-builders.ts';
import { ConversationValue } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { askerText } from '../kit/words/job-text.ts';
import { REVIEW_TITLE } from './approval-view.ts';
import { JOB_PRESS_OUTDATED, jobApprovalDenialMessage } from './jobs.ts';

/** Each may cost a request to Slack. */
const MOST_CHECKED = 10;
const MOST_ADMINS = 5;

/** Admins of the channel, as far as known. Those who subscribed it may be workspace admins. */
async function findAdmins(services: Services, channel: ChannelId): Promise<readonly UserId[]> {
  const { store, access } = services;
  const known = await access.listKnownAdmins(channel);
  const subscribers = await store.read((tx) => listSubscribers(tx, channel));
  const users = [...new Set([...known, ...subscribers])].slice(0, MOST_CHECKED);
  const people = await Promise.all(users.map((user) => services.resolvePerson(user, channel)));
  return people.flatMap(({ user, role }) => (role === 'admin' ? [user] : [])).slice(0, MOST_ADMINS);
}

/** A denial in a window, with the admins' names; Request Access only if a role would end it. */
export async function denialBlocks(
  services: Services,
  channel: ChannelId,
  denial: Message,
): Promise<readonly KnownBlock[]> {
  const admins = await findAdmins(services, channel);
  const request = buttonElement({ id: actionIds.askToApprove, label: 'Request Access', value: channel });
  return [
    sectionBlock(denial.text),
    ...(admins.length > 0 ? [contextBlock(`Admins here: ${admins.map(formatMention).join(', ')}`)] : []),
    ...(denial.blocks ? [actionsBlock([request])] : []),
  ];
}

/** Why the person's approval wouldn't count because they asked for it themselves. */
export async function findAskerDenial(
  { store, setups }: Services,
  job: Job,
  user: UserId,
): Promise<readonly KnownBlock[] | undefined> {
  const askers = listAskers(job);
  if (!askers.includes(user)) return undefined;
  const { need } = await store.read(async (tx) => {
    const subject = await readApprovalSubject(tx, job);
    return readOrderRules(tx, setups, { channel: job.channel, subject, askers });
  });
  return need?.not.includes(user) ? [sectionBlock(`:lock: ${askerText(job.id)}`)] : undefined;
}

/** Why the person can't approve a job that they may see, and what to do; undefined: they can. */
export async function findApprovalDenial(
  { services, person }: Pick<ActionCall, 'services' | 'person'>,
  job: Job,
): Promise<readonly KnownBlock[] | undefined> {
  const { channel } = job;
  const denial = await jobApprovalDenialMessage({ services, person, channel }, job);
  return denial ? denialBlocks(services, channel, denial) : findAskerDenial(services, job, person.user);
}

/** The window without anything that decides. */
export function withoutDecision(view: ModalView, denial: readonly KnownBlock[]): ModalView {
  const { submit: _, ...rest } = view;
  return { ...rest, blocks: [...denial, ...view.blocks.filter(({ type }) => type !== 'actions')] };
}

async function askAccess(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const channel = ConversationValue.safeParse(call.value).data;
  if (!channel || !view) return call.answer(JOB_PRESS_OUTDATED);
  const asked = await services.access.requestRole({ user: person.user, channel, role: 'bidder' });
  const { text } = accessRequestedMessage(asked);
  if (!(await updateViewIfOpen(services, view.id, noticeView(REVIEW_TITLE, text))))
    await call.answer({ text });
}

export const askToApproveAction: ActionRoute = {
  id: actionIds.askToApprove,
  needs: 'viewer',
  findChannel: async ({ value }) => ConversationValue.safeParse(value).data,
  hasSideEffects: true,
  run: askAccess,
};

/** Each may cost a request to Slack. */
const MOST_ASKED = 20;
const MOST_MENTIONED = 5;
const MOST_GROUPS = 2;
const MOST_DIRECT = 3;

function bidderGrantees(list: AccessList | undefined): Grantees {
  const roles = list ? [list.bidder, list.admin] : [];
  return { users: roles.flatMap(({ users }) => users), groups: roles.flatMap(({ groups }) => groups) };
}

/** Those who may approve, as far as known; the channel's first. Subscribers may be workspace admins. */
async function listCandidates({ access, store }: Services, channel: ChannelId, except: readonly UserId[]) {
  const everywhere = bidderGrantees(await access.readAccessList('everywhere'));
  const scope = toAccessScope(channel);
  const here = bidderGrantees(scope === 'everywhere' ? undefined : await access.readAccessList(scope));
  const subscribers = await store.read((tx) => listSubscribers(tx, channel));
  const known = await access.listKnownAdmins(channel);
  const all = new Set([...here.users, ...subscribers, ...everywhere.users, ...known]);
  const users = [...all].filter((user) => !except.includes(user)).slice(0, MOST_ASKED);
  const groups = here.groups.length > 0 ? here.groups : everywhere.groups;
  return { users, groups: [...new Set(groups)].slice(0, MOST_GROUPS) };
}

/** undefined: may not approve, or not see the job. */
async function reach(services: Services, user: UserId, channel: ChannelId) {
  const person = await services.resolvePerson(user, channel);
  if (!hasRoleAtLeast(person.role, 'bidder')) return undefined;
  if (!isDirectMessage(channel) && (await checkChannelMembership(services, user, channel)) === 'in')
    return 'in';
  const reader = { services, person, channel: ChannelId.parse(user) };
  return (await checkChannelVisibility(reader, channel)) === 'open' ? 'direct' : undefined;
}

async function findPeople(services: Services, channel: ChannelId, except: readonly UserId[]) {
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
 * Those that a request for approval notifies: they may approve in the bid's channel, and don't ask
 * themselves. Those in the channel are mentioned; if there are none, others who may see the bid get a direct
 * message. Never throws: a request that notifies nobody still shows in its thread.
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
