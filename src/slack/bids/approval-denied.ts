/** Review for people who may not approve: all that would be sent, who the admins are, and Request Access. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { Job } from '../../bidding/bidding.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { type ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { accessRequestedMessage } from '../access/access.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Services } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  noticeView,
  sectionBlock,
} from '../kit/block-builders.ts';
import { parseJobId } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { REVIEW_TITLE } from './approval-view.ts';
import { findJob, JOB_PRESS_OUTDATED, jobApprovalDenialMessage } from './jobs.ts';

/** Each may cost a request to Slack. */
const MOST_CHECKED = 10;
const MOST_ADMINS = 5;

/** Admins of the channel, as far as known. Those who subscribed it may be workspace admins. */
async function findAdmins(services: Services, channel: ChannelId): Promise<readonly UserId[]> {
  const { store, team, access } = services;
  const known = await access.listKnownAdmins(channel);
  const subscribers = await store.read((tx) => listSubscribers(tx, team, channel));
  const users = [...new Set([...known, ...subscribers])].slice(0, MOST_CHECKED);
  const place = isDirectMessage(channel) ? undefined : channel;
  const people = await Promise.all(users.map((user) => services.resolvePerson(user, place)));
  return people.flatMap(({ user, role }) => (role === 'admin' ? [user] : [])).slice(0, MOST_ADMINS);
}

/** Why the person can't approve a job that they may see, and what to do; undefined: they can. */
export async function findApprovalDenial(
  { services, person }: Pick<ActionCall, 'services' | 'person'>,
  job: Job,
): Promise<readonly KnownBlock[] | undefined> {
  const { channel } = job;
  const denial = await jobApprovalDenialMessage({ services, person, channel }, job);
  if (!denial) return undefined;
  const admins = await findAdmins(services, channel);
  const request = buttonElement({
    id: actionIds.jobAskAccess,
    label: 'Request Access',
    value: String(job.id),
  });
  return [
    sectionBlock(denial.text),
    ...(admins.length > 0 ? [contextBlock(`Admins here: ${admins.map(formatMention).join(', ')}`)] : []),
    // Only a denial that a role would end has a button.
    ...(denial.blocks ? [actionsBlock([request])] : []),
  ];
}

/** The window without anything that decides. */
export function withoutDecision(view: ModalView, denial: readonly KnownBlock[]): ModalView {
  const { submit: _, ...rest } = view;
  return { ...rest, blocks: [...denial, ...view.blocks.filter(({ type }) => type !== 'actions')] };
}

/** Requests the bidder role in the job's channel. */
async function askAccess(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const id = parseJobId(call.value);
  const job = id === undefined ? undefined : await findJob(services, id);
  if (!job || !view) return call.answer(JOB_PRESS_OUTDATED);
  const asked = await services.access.requestRole({
    user: person.user,
    channel: job.channel,
    role: 'bidder',
  });
  const { text } = accessRequestedMessage(asked);
  if (!(await updateViewIfOpen(services, view.id, noticeView(REVIEW_TITLE, text))))
    await call.answer({ text });
}

/** @param findChannel the job's channel */
export function createAskAccessAction(findChannel: NonNullable<ActionRoute['findChannel']>): ActionRoute {
  return { id: actionIds.jobAskAccess, needs: 'viewer', findChannel, hasSideEffects: true, run: askAccess };
}
