/**
 * An invitation's buttons and their answers. They find the invitation by the pressed message: nothing in
 * the press itself is trusted.
 */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import {
  claimInvitation,
  findInvitedProject,
  type InvitationCardData,
  readInvitationCardData,
  releaseInvitationClaim,
} from '../../invitations/invitations.ts';
import { openBidModalForMessage } from '../bids/bids.ts';
import { type DetailsReply, postDetailsOnce } from '../cards/cards.ts';
import { answerClaim, type ClaimWords, findPressedPost } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { referencedProjectNotFoundMessage } from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';

/** undefined: the message has no invitation (anymore). */
async function findPressedInvitation(call: ActionCall): Promise<InvitationCardData | undefined> {
  const ts = call.message?.ts;
  const post = ts === undefined ? undefined : await findPressedPost(call, ts);
  if (post?.content.kind !== 'invitation') return undefined;
  const { invitation } = post.content;
  const { store, team } = call.services;
  return store.read((tx) => readInvitationCardData(tx, team, call.channel, invitation));
}

/** The record was deleted, or the invitation is only just being posted. */
export const INVITATION_GONE: Message = {
  text: "Couldn't find this invitation. It may be too old. If it's brand new, try again in a moment.",
};

export const INVITATION_UNCLAIMED: Message = {
  text: 'This invitation is unclaimed, so you can claim it.',
};

/** The marketplace does not name the invitation's project. */
export const INVITATION_WITHOUT_PROJECT: Message = {
  text:
    "The marketplace doesn't say which project this invitation is for. " +
    "Paste the project's link after `/gig bid` or `/gig lookup`.",
};

export function invitationAlreadyClaimedMessage(by: UserId, at: Instant): Message {
  return {
    text:
      `${formatMention(by)} claimed this invitation (${formatDate(at)}). ` +
      'Only they or an admin can release it.',
  };
}

async function fetchDetails(call: ActionCall, { invitation }: InvitationCardData): Promise<DetailsReply> {
  const { services, channel, person } = call;
  const invited = findInvitedProject(invitation);
  if (!invited) return { kind: 'person', message: INVITATION_WITHOUT_PROJECT };
  const { reference } = invited;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  switch (outcome.kind) {
    case 'found':
      return { kind: 'thread', message: projectDetailsMessage(outcome.project, chargedCreditsText(outcome)) };
    case 'failed':
      if (outcome.error.code === 'not-found')
        return { kind: 'person', message: referencedProjectNotFoundMessage(reference, outcome.askedAt) };
      throw outcome.error;
    case 'no-budget':
    case 'account-spent':
      return { kind: 'person', message: { text: insufficientCreditsText(outcome) } };
  }
}

/** Posts the full project to the invitation's thread: once, for at most 1 credit. */
const invitationDetailsAction: ActionRoute = {
  id: actionIds.invitationDetails,
  needs: 'viewer',
  pendingLabel: DETAILS_REQUEST_LABEL,
  async run(call) {
    const ts = call.message?.ts;
    const view = await findPressedInvitation(call);
    if (!view || ts === undefined) return call.answer(INVITATION_GONE);
    await postDetailsOnce(call, ts, () => fetchDetails(call, view));
  },
};

const CLAIM_WORDS: ClaimWords = {
  held: invitationAlreadyClaimedMessage,
  free: INVITATION_UNCLAIMED,
  gone: INVITATION_GONE,
};

const claim: ActionRoute = {
  id: actionIds.invitationClaim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    const outcome = await claimInvitation(services, channel, view.card.uid, person.user);
    await answerClaim(call, outcome, CLAIM_WORDS);
  },
};

/** Releases the person's own claim; an admin may release anyone's. */
const release: ActionRoute = {
  id: actionIds.invitationRelease,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    const others = hasRoleAtLeast(person.role, 'admin');
    const outcome = await releaseInvitationClaim(services, channel, view.card.uid, person.user, others);
    await answerClaim(call, outcome, CLAIM_WORDS);
  },
};

/** Opens the bid modal for the invitation's project. */
const bid: ActionRoute = {
  id: actionIds.invitationBid,
  needs: 'bidder',
  async run(call) {
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    if (!findInvitedProject(view.invitation)) return call.answer(INVITATION_WITHOUT_PROJECT);
    await openBidModalForMessage(call);
  },
};

export const invitationActions: readonly ActionRoute[] = [bid, invitationDetailsAction, claim, release];
