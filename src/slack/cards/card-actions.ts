/** A card's menu, its claims, and the list behind one message for many projects. */

import { hasRoleAtLeast } from '../../access/access.ts';
import type { Card, CardData } from '../../feed/feed.ts';
import { ChannelId } from '../../ids.ts';
import { postMoreInvitationsFromSummary } from '../../invitations/invitation-posts.ts';
import { readPost } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import { openBidAction, openBidModalForMessage } from '../bids/bids.ts';
import {
  answerClaim,
  CARD_GONE,
  type ClaimWords,
  claimByPost,
  findPressedCard,
  findPressedPost,
} from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { findMembershipRefusal, readClaimer } from '../core/user-channels.ts';
import { type CardMenuChoice, parseCardMenuChoice } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { openAssignWindow } from './assign-window.ts';
import { projectAlreadyClaimedMessage } from './card-notices.ts';
import { CARDS_PER_SHOW_MORE } from './card-summary.ts';
import { openMuteWindow, openSkipWindow } from './skip-window.ts';

const MENU: Readonly<Record<CardMenuChoice, (call: ActionCall, card: CardData) => Promise<void>>> = {
  skip: openSkipWindow,
  mute: openMuteWindow,
  assign: openAssignWindow,
  /** Everyone sees the menu, but this needs the role of the Bid button. */
  async bid(call) {
    if (hasRoleAtLeast(call.person.role, openBidAction.needs)) return openBidModalForMessage(call);
    await call.answer(notAllowedMessage(call.person, openBidAction.needs));
  },
};

export const cardMenuAction: ActionRoute = {
  id: actionIds.more,
  needs: 'viewer',
  async run(call) {
    const choice = parseCardMenuChoice(call.value);
    const card = choice && (await findPressedCard(call, call.message?.ts));
    if (!choice || !card) return call.answer(CARD_GONE);
    await MENU[choice](call, card);
  },
};

export const CLAIM_WORDS: ClaimWords = {
  held: projectAlreadyClaimedMessage,
  free: { text: 'This project is unclaimed now. You can claim it.' },
  gone: CARD_GONE,
};

type Place = Pick<Card, 'channel' | 'project'>;

export async function claimCard(call: ActionCall, { channel, project }: Place): Promise<void> {
  const outcome = await call.services.feed.claimProject(channel, project, await readClaimer(call, channel));
  await answerClaim(call, outcome, CLAIM_WORDS);
}

/** Releases the person's own claim; an admin may release anyone's. */
export async function releaseCard(call: ActionCall, { channel, project }: Place): Promise<void> {
  const { services, person } = call;
  const others = hasRoleAtLeast(person.role, 'admin');
  const outcome = await services.feed.releaseProjectClaim(channel, project, person.user, others);
  await answerClaim(call, outcome, CLAIM_WORDS);
}

/** A button of a card's message, for everyone. */
export function onCard(id: string, run: (call: ActionCall, card: CardData) => Promise<void>): ActionRoute {
  return {
    id,
    needs: 'viewer',
    async run(call) {
      const card = await findPressedCard(call, call.message?.ts);
      await (card ? run(call, card) : call.answer(CARD_GONE));
    },
  };
}

export const claimAction = onCard(actionIds.claim, (call, { card }) => claimCard(call, card));
export const releaseClaimAction = onCard(actionIds.release, (call, { card }) => releaseCard(call, card));

/** Claims a card although someone claimed its project in another channel: the person was asked first. */
export const claimAnywayAction: ActionRoute = {
  id: actionIds.claimAnyway,
  needs: 'viewer',
  async run(call) {
    const { services, person } = call;
    const { store } = services;
    const id = PostId.safeParse(call.value).data;
    const post = id && (await store.read((tx) => readPost(tx, id)));
    const channel = ChannelId.safeParse(post?.channel).data;
    if (!channel) return call.answer(CARD_GONE);
    const refusal = await findMembershipRefusal(services, person.user, channel);
    if (refusal !== undefined) return call.answer({ text: refusal });
    const outcome = await claimByPost(call, channel, post, true);
    if (outcome.kind !== 'claimed') return answerClaim(call, outcome, CLAIM_WORDS);
    await call.answer({ text: `:raised_hand: It's yours in ${channelLink(channel)}, too.` });
  },
};

export const unskipAction = onCard(actionIds.unskip, async (call, { card: { channel, project } }) => {
  if (!(await call.services.feed.undoSkip(channel, project))) await call.answer(CARD_GONE);
});

function showCards(id: string, order: 'best' | 'newest'): ActionRoute {
  return {
    id,
    needs: 'viewer',
    async run(call) {
      const ts = call.message?.ts;
      const post = ts === undefined ? undefined : await findPressedPost(call, ts);
      if (post?.content.kind !== 'flood') return call.answer(CARD_GONE);
      if (post.content.of === 'invitation')
        await postMoreInvitationsFromSummary(call.services, post.id, CARDS_PER_SHOW_MORE);
      else await call.services.feed.postMoreCardsFromSummary(post.id, CARDS_PER_SHOW_MORE, order);
    },
  };
}

/** Projects with the best fit, or the next invitations. */
export const showMoreCardsAction = showCards(actionIds.showMore, 'best');
export const showNewestCardsAction = showCards(actionIds.showNewest, 'newest');
