/** A card's menu, its claims, and the list behind one message for many projects. */

import { hasRoleAtLeast } from '../../access/access.ts';
import type { CardData } from '../../feed/feed.ts';
import { postMoreInvitationsFromSummary } from '../../invitations/invitation-posts.ts';
import { openBidAction, openBidModalForMessage } from '../bids/bids.ts';
import {
  answerClaim,
  CARD_GONE,
  type ClaimWords,
  findPostLink,
  findPressedCard,
  findPressedPost,
} from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { readClaimer } from '../core/user-channels.ts';
import { type CardMenuChoice, parseCardMenuChoice } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { openAssignWindow } from './assign-window.ts';
import { copyLinkMessage, projectAlreadyClaimedMessage } from './card-questions.ts';
import { CARDS_PER_SHOW_MORE } from './card-summary.ts';
import { openMuteWindow, openSkipWindow } from './skip-window.ts';

/** Cards of earlier versions offer this reason at once. */
async function skipAsUnfit(call: ActionCall, { card }: CardData): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.feed.skipProject(channel, card.project, person.user, 'not-a-fit');
  if (outcome.kind === 'held') return call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
  if (outcome.kind === 'no-card') await call.answer(CARD_GONE);
}

async function copyLink(call: ActionCall, { card, seen }: CardData): Promise<void> {
  const link = await findPostLink(call.services, call.channel, card.project);
  await call.answer(copyLinkMessage(seen.project, link));
}

/** Another bid on the card's project. Everyone sees the menu, but this needs the role of the Bid button. */
async function bidAgain(call: ActionCall): Promise<void> {
  if (hasRoleAtLeast(call.person.role, openBidAction.needs)) return openBidModalForMessage(call);
  await call.answer(notAllowedMessage(call.person, openBidAction.needs));
}

const MENU: Readonly<Record<CardMenuChoice, (call: ActionCall, card: CardData) => Promise<void>>> = {
  skip: openSkipWindow,
  mute: openMuteWindow,
  assign: openAssignWindow,
  bid: bidAgain,
  'skip:not-a-fit': skipAsUnfit,
  link: copyLink,
};

/** The card's menu. */
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

export const claimAction: ActionRoute = {
  id: actionIds.claim,
  needs: 'viewer',
  async run(call) {
    const { services, channel } = call;
    const view = await findPressedCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    const outcome = await services.feed.claimProject(
      channel,
      view.card.project,
      await readClaimer(call, channel),
    );
    await answerClaim(call, outcome, CLAIM_WORDS);
  },
};

/** Releases the person's own claim; an admin may release anyone's. */
export const releaseClaimAction: ActionRoute = {
  id: actionIds.release,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    const others = hasRoleAtLeast(person.role, 'admin');
    const { project } = view.card;
    const outcome = await services.feed.releaseProjectClaim(channel, project, person.user, others);
    await answerClaim(call, outcome, CLAIM_WORDS);
  },
};

export const unskipAction: ActionRoute = {
  id: actionIds.unskip,
  needs: 'viewer',
  async run(call) {
    const { services, channel } = call;
    const view = await findPressedCard(call, call.message?.ts);
    const done = view && (await services.feed.undoSkip(channel, view.card.project));
    if (!done) await call.answer(CARD_GONE);
  },
};

/** Posts the cards and updates the summary; sends no reply. */
async function showCards(call: ActionCall, order: 'best' | 'newest'): Promise<void> {
  const ts = call.message?.ts;
  const post = ts === undefined ? undefined : await findPressedPost(call, ts);
  if (post?.content.kind !== 'flood') return call.answer(CARD_GONE);
  if (post.content.of === 'invitation')
    await postMoreInvitationsFromSummary(call.services, post.id, CARDS_PER_SHOW_MORE);
  else await call.services.feed.postMoreCardsFromSummary(post.id, CARDS_PER_SHOW_MORE, order);
}

/** Projects with the best fit, or the next invitations. */
export const showMoreCardsAction: ActionRoute = {
  id: actionIds.showMore,
  needs: 'viewer',
  run: (call) => showCards(call, 'best'),
};

export const showNewestCardsAction: ActionRoute = {
  id: actionIds.showNewest,
  needs: 'viewer',
  run: (call) => showCards(call, 'newest'),
};
