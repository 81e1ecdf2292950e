/** What a person can do with a looked-up project: bid, claim, share it, or go to the card that is there. */

import type { KnownBlock } from '@slack/types';
import { findProjectCard, findSeenProject } from '../../feed/find-project.ts';
import { isDirectMessage, ProjectKey } from '../../ids.ts';
import { ListedProject } from '../../marketplace/schema.ts';
import { findStoredLookup } from '../../projects/lookup-cache.ts';
import { openBidModal, readBidProjectInfo, toCallOrigin } from '../bids/bids.ts';
import { findPostLink } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, joinFacts } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn, formatMention } from '../kit/mrkdwn.ts';
import { claimCard } from './card-actions.ts';
import { findPostingRefusal, shareCard } from './share-window.ts';

type Caller = Pick<CommandCall, 'services' | 'channel' | 'person'>;

/** Below a lookup's answer. In a direct message, only Bid. */
export async function lookupButtonBlocks(call: Caller, project: ListedProject): Promise<KnownBlock[]> {
  const { services, channel } = call;
  const { store } = services;
  const card = await store.read((tx) => findProjectCard(tx, channel, { project: project.key }));
  const isPosted = card?.state === 'posted';
  const button = (id: string, label: string) =>
    buttonElement({ id, label, value: project.key, accessibilityLabel: `${label}: ${project.title}` });
  const isChannel = !isDirectMessage(channel);
  const elements = [
    { ...button(actionIds.lookupBid, 'Bid'), style: 'primary' as const },
    ...(isChannel && !card?.claim ? [button(actionIds.lookupClaim, 'Claim')] : []),
    ...(isChannel && !isPosted ? [button(actionIds.lookupShare, 'Share to Channel')] : []),
  ];
  const link = isPosted ? await findPostLink(services, channel, card.project) : undefined;
  const there = joinFacts(
    isPosted
      ? `Already posted in this channel${link ? `: <${escapeMrkdwn(link)}|see its card>` : ''}`
      : undefined,
    card?.claim && `claimed by ${formatMention(card.claim.by)}`,
  );
  const claims = isChannel && !isPosted ? 'Claim also posts its card in this channel.' : undefined;
  const foot = joinFacts(there, claims);
  return [...(foot ? [contextBlock(foot)] : []), actionsBlock(elements)];
}

const OUTDATED: Message = {
  text: 'This answer is out of date, so nothing changed. Look the project up again.',
};

/** The project of the button, as a list or a lookup showed it to the team within the last day. */
async function findPressedProject({ services, value }: ActionCall): Promise<ListedProject | undefined> {
  const { store, clock } = services;
  const key = ProjectKey.safeParse(value).data;
  if (key === undefined) return undefined;
  return store.read(async (tx) => {
    const seen = await findSeenProject(tx, { project: key });
    if (seen) return seen.project;
    const looked = await findStoredLookup(tx, key, clock.now());
    return looked && ListedProject.parse(looked.project);
  });
}

async function bid(call: ActionCall): Promise<void> {
  const project = await findPressedProject(call);
  if (!project) return call.answer(OUTDATED);
  const { key, title, url } = project;
  await openBidModal(call, (tx) => readBidProjectInfo(tx, toCallOrigin(call), { project: key, title, url }));
}

async function share(call: ActionCall): Promise<void> {
  const project = await findPressedProject(call);
  if (!project || isDirectMessage(call.channel)) return call.answer(OUTDATED);
  const refusal = await findPostingRefusal(call, call.channel);
  await call.answer(refusal ?? (await shareCard(call, call.channel, project)));
}

/** Posts the card if the channel has none, since a claim is there for everyone to see. */
async function claim(call: ActionCall): Promise<void> {
  const { services, channel, person } = call;
  const { store } = services;
  const project = await findPressedProject(call);
  if (!project || isDirectMessage(channel)) return call.answer(OUTDATED);
  const refusal = await findPostingRefusal(call, channel);
  if (refusal) return call.answer(refusal);
  await services.feed.shareProject(channel, project, person.user);
  const card = await store.read((tx) => findProjectCard(tx, channel, { project: project.key }));
  if (!card) return call.answer(OUTDATED);
  await claimCard(call, card);
}

export const lookupButtons: readonly ActionRoute[] = [
  { id: actionIds.lookupBid, needs: 'bidder', run: bid },
  { id: actionIds.lookupClaim, needs: 'viewer', run: claim },
  { id: actionIds.lookupShare, needs: 'viewer', run: share },
];
