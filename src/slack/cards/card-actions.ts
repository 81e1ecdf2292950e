/** A card's menu, its claims, and the list behind one message for many projects. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { postMoreInvitationsFromSummary } from '../../invitations/invitation-posts.ts';
import { openBidAction, openBidModalForMessage } from '../bids/bids.ts';
import {
  answerClaim,
  CARD_GONE,
  type ClaimWords,
  findPressedCard,
  findPressedPost,
  postResultToChannel,
} from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { type CardMenuChoice, parseCardMenuChoice } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import {
  copyLinkMessage,
  type MuteTarget,
  muteAnnouncementMessage,
  muteConfirmationMessage,
  muteOptionsMessage,
  projectAlreadyClaimedMessage,
  skipReasonMessage,
} from './card-questions.ts';
import { CARDS_PER_SHOW_MORE } from './card-summary.ts';

async function skip(call: ActionCall, choice: Extract<CardMenuChoice, { kind: 'skip' }>): Promise<void> {
  const { services, channel, person } = call;
  const view = await findPressedCard(call, choice.card ?? call.message?.ts);
  const done =
    view && (await services.feed.skipProject(channel, view.card.project, person.user, choice.reason));
  if (!done) return call.answer(CARD_GONE);
  if (choice.card) await call.replace({ text: `Skipped: ${SKIP_REASON_LABELS[choice.reason]}.` });
}

/** Opens a menu entry's question, or shows the links. */
async function ask(call: ActionCall, kind: 'ask-skip' | 'ask-mute' | 'copy-link'): Promise<void> {
  const ts = call.message?.ts;
  const view = await findPressedCard(call, ts);
  if (!view || ts === undefined) return call.answer(CARD_GONE);
  const { project } = view.seen;
  if (kind === 'ask-skip') return call.answer(skipReasonMessage(project, ts));
  if (kind === 'copy-link')
    return call.answer(copyLinkMessage(project, await call.services.slack.fetchPermalink(call.channel, ts)));
  await call.answer(
    muteOptionsMessage(project, ts) ?? { text: 'This project has no country or words to mute.' },
  );
}

async function mute(call: ActionCall, wanted: MuteTarget): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.feed.addMute(channel, wanted, person.user);
  if (outcome === 'full')
    return call.answer({
      text: 'This channel has reached its mute limit. Remove a mute in `/gig list`, then try again.',
    });
  await call.replace(muteConfirmationMessage(wanted));
  if (outcome === 'muted') await postResultToChannel(call, muteAnnouncementMessage(wanted, person.user));
}

async function muteCountry(
  call: ActionCall,
  card: Extract<CardMenuChoice, { kind: 'mute-country' }>['card'],
) {
  const country = (await findPressedCard(call, card))?.seen.project.client.country;
  return country ? mute(call, { kind: 'country', value: country }) : call.answer(CARD_GONE);
}

async function muteWord(
  call: ActionCall,
  choice: Extract<CardMenuChoice, { kind: 'mute-word' }>,
): Promise<void> {
  const view = await findPressedCard(call, choice.card);
  return view ? mute(call, { kind: 'word', value: choice.word }) : call.answer(CARD_GONE);
}

/** Another bid on the card's project. Everyone sees the menu, but this needs the role of the Bid button. */
async function bidAgain(call: ActionCall): Promise<void> {
  if (hasRoleAtLeast(call.person.role, openBidAction.needs)) return openBidModalForMessage(call);
  await call.answer(notAllowedMessage(call.person, openBidAction.needs));
}

/** The card's menu, and the answers to its questions. */
export const cardMenuAction: ActionRoute = {
  id: actionIds.more,
  needs: 'viewer',
  async run(call) {
    const choice = parseCardMenuChoice(call.value);
    if (!choice) return call.answer(CARD_GONE);
    switch (choice.kind) {
      case 'skip':
        return skip(call, choice);
      case 'mute-country':
        return muteCountry(call, choice.card);
      case 'mute-word':
        return muteWord(call, choice);
      case 'bid':
        return bidAgain(call);
      case 'ask-skip':
      case 'ask-mute':
      case 'copy-link':
        return ask(call, choice.kind);
    }
  },
};

const CLAIM_WORDS: ClaimWords = {
  held: projectAlreadyClaimedMessage,
  free: { text: 'This project is unclaimed now. You can claim it.' },
  gone: CARD_GONE,
};

export const claimAction: ActionRoute = {
  id: actionIds.claim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    const outcome = await services.feed.claimProject(channel, view.card.project, person.user);
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
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    const done =
      view && (await services.feed.skipProject(channel, view.card.project, person.user, undefined));
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
