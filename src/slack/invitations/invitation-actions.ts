/**
 * An invitation's buttons, on its card and in its window, and their answers. They find the invitation by the
 * pressed message or our record of the window: nothing in the press itself is trusted.
 */

import { hasRoleAtLeast } from '../../access/access.ts';
import { findSeenProject } from '../../feed/find-project.ts';
import { type ChannelId, InvitationUid } from '../../ids.ts';
import {
  claimInvitation,
  findInvitedProject,
  type InvitationCardData,
  invitationPostId,
  readInvitationCardData,
  releaseInvitationClaim,
} from '../../invitations/invitations.ts';
import { readPost } from '../../outbox/outbox.ts';
import { openBidModalForMessage } from '../bids/bids.ts';
import { findWindowRefusal, lookUpForCost, readProjectHistory, WINDOW_OUTDATED } from '../cards/cards.ts';
import { answerClaim, type ClaimWords, findPressedPost, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { readClaimer } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';
import { referencedProjectNotFoundMessage } from '../kit/project/project-lines.ts';
import { type InvitationWindow, invitationDetailsView, invitationWindows } from './invitation-details.ts';

interface PressedInvitation {
  readonly data: InvitationCardData;
  /** Missing: its card was pressed, not a window. */
  readonly window?: InvitationWindow;
}

function readData({ services: { store } }: ActionCall, channel: ChannelId, uid: InvitationUid) {
  return store.read((tx) => readInvitationCardData(tx, channel, uid));
}

/** undefined: the message has no invitation (anymore). */
async function findOnCard(call: ActionCall): Promise<PressedInvitation | undefined> {
  const ts = call.message?.ts;
  const post = ts === undefined ? undefined : await findPressedPost(call, ts);
  if (post?.content.kind !== 'invitation') return undefined;
  const data = await readData(call, call.channel, post.content.invitation);
  return data && { data };
}

/** undefined: the window is too old, or its invitation is gone. */
async function findInWindow(call: ActionCall): Promise<PressedInvitation | undefined> {
  const { services, person, view } = call;
  const window = view && (await invitationWindows.find({ services, user: person.user, view }));
  const data = window && (await readData(call, window.channel, window.uid));
  return data && { data, window };
}

/** The record was deleted, or the invitation is only just being posted. */
const INVITATION_GONE: Message = {
  text: "Couldn't find this invitation. It may be too old. If it's brand new, try again in a moment.",
};

const INVITATION_WITHOUT_PROJECT: Message = {
  text:
    "The marketplace doesn't say which project this invitation is for. " +
    "Paste the project's link after `/gig bid` or `/gig lookup`.",
};

/** A button on the card or in the window: finds its invitation, and checks that the person may act on it. */
function invitationButton(
  route: Pick<ActionRoute, 'id' | 'needs' | 'pendingLabel'>,
  run: (call: ActionCall, pressed: PressedInvitation) => Promise<void>,
): ActionRoute {
  return {
    ...route,
    findChannel: invitationWindows.findChannel,
    async run(call) {
      const pressed = await (call.view ? findInWindow(call) : findOnCard(call));
      if (!pressed) return call.answer(call.view ? { text: WINDOW_OUTDATED } : INVITATION_GONE);
      const refusal = pressed.window && (await findWindowRefusal(call, pressed.window));
      if (refusal !== undefined) return call.answer({ text: refusal });
      await run(call, pressed);
    },
  };
}

/** Nothing here costs a credit. */
async function readFacts(
  call: ActionCall,
  window: InvitationWindow,
  data: InvitationCardData,
  cost?: string,
) {
  const { store } = call.services;
  const invited = findInvitedProject(data.invitation);
  const nothing = { bidding: { bids: [], otherJobs: [] }, looked: undefined, past: [] };
  if (!invited) return { window, data, ...nothing, cost };
  const { project, reference } = invited;
  const known = (await store.read((tx) => findSeenProject(tx, { project })))?.project;
  const history = await readProjectHistory(call, { channel: window.channel, project }, reference);
  return { ...history, window, data, known, cost };
}

/** Free of charge. */
async function openInvitationDetails(call: ActionCall, data: InvitationCardData): Promise<void> {
  const window = await invitationWindows.save(call, { uid: data.card.uid });
  const view = invitationDetailsView(await readFacts(call, window, data));
  await call.services.slack.openView(call.triggerId, view);
}

async function redraw(call: ActionCall, { window }: PressedInvitation, cost?: string): Promise<void> {
  const { services, view } = call;
  if (!window || !view) return;
  const data = await readData(call, window.channel, window.uid);
  if (!data) return;
  const facts = await readFacts(call, window, data, cost);
  await updateViewIfOpen(services, view.id, invitationDetailsView(facts));
}

/** Buys the project's details for at most 1 credit of the invitation's channel. */
async function lookUp(call: ActionCall, pressed: PressedInvitation): Promise<void> {
  const { card, invitation } = pressed.data;
  const invited = findInvitedProject(invitation);
  if (!invited) return call.answer(INVITATION_WITHOUT_PROJECT);
  // Only a window can show what was paid for.
  if (!pressed.window) return call.answer({ text: WINDOW_OUTDATED });
  const { reference } = invited;
  const notFound = referencedProjectNotFoundMessage.bind(null, reference);
  const cost = await lookUpForCost({ ...call, channel: card.channel }, reference, notFound);
  await redraw(call, pressed, cost);
}

const CLAIM_WORDS: ClaimWords = {
  held: (by, at) => ({
    text:
      `${formatMention(by)} claimed this invitation (${formatDate(at)}). ` +
      'Only they or an admin can release it.',
  }),
  free: { text: 'This invitation is unclaimed, so you can claim it.' },
  gone: INVITATION_GONE,
};

async function claim(call: ActionCall, pressed: PressedInvitation): Promise<void> {
  const { channel, uid } = pressed.data.card;
  const claimer = await readClaimer(call, channel);
  await answerClaim(call, await claimInvitation(call.services, channel, uid, claimer), CLAIM_WORDS);
  await redraw(call, pressed);
}

/** An admin may release anyone's. */
async function release(call: ActionCall, pressed: PressedInvitation): Promise<void> {
  const { services, person } = call;
  const { channel, uid } = pressed.data.card;
  const others = hasRoleAtLeast(person.role, 'admin');
  const outcome = await releaseInvitationClaim(services, channel, uid, person.user, others);
  await answerClaim(call, outcome, CLAIM_WORDS);
  await redraw(call, pressed);
}

async function bid(call: ActionCall, { data, window }: PressedInvitation): Promise<void> {
  if (!findInvitedProject(data.invitation)) return call.answer(INVITATION_WITHOUT_PROJECT);
  if (!window) return openBidModalForMessage(call);
  const { services } = call;
  const { store, slack } = services;
  const post = await store.read((tx) => readPost(tx, invitationPostId(window.channel, window.uid)));
  if (post?.ts === undefined) return call.answer(INVITATION_GONE);
  const onTop = { ...slack, openView: slack.pushView.bind(slack) };
  const message = { ts: post.ts };
  await openBidModalForMessage({ ...call, services: { ...services, slack: onTop }, message });
}

export const invitationActions: readonly ActionRoute[] = [
  invitationButton({ id: actionIds.invitationBid, needs: 'bidder' }, bid),
  invitationButton({ id: actionIds.invitationDetails, needs: 'viewer' }, (call, { data }) =>
    openInvitationDetails(call, data),
  ),
  {
    id: actionIds.invitationOpen,
    needs: 'viewer',
    async run(call) {
      const uid = InvitationUid.safeParse(call.value).data;
      const data = uid && (await readData(call, call.channel, uid));
      await (data ? openInvitationDetails(call, data) : call.answer(INVITATION_GONE));
    },
  },
  invitationButton({ id: actionIds.invitationClaim, needs: 'viewer' }, claim),
  invitationButton({ id: actionIds.invitationRelease, needs: 'viewer' }, release),
  invitationButton(
    { id: actionIds.invitationLookUp, needs: 'viewer', pendingLabel: DETAILS_REQUEST_LABEL },
    lookUp,
  ),
];
