/**
 * Approve, Reject and Cancel on bids and approvals that wait before they are sent. The order's own channel
 * decides who may, wherever it was pressed.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { HeldOrder, HeldOrderDecision, HeldOrderResult } from '../../bidding/bidding.ts';
import { hashOrder, readHeldOrder, refOf, toHeldOrderRef } from '../../bidding/held-order.ts';
import { SECOND } from '../../clock.ts';
import { ChannelId, type UserId } from '../../ids.ts';
import { canStillApprove, findMissingApprovals, isApproved } from '../../spending/hold.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type {
  ActionCall,
  ActionRoute,
  Message,
  Services,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
} from '../core/routes.ts';
import { checkChannelVisibility, findVisibilityRefusal, type RequestContext } from '../core/user-channels.ts';
import {
  joinLines,
  loadingView,
  noticeView,
  plainTextObject,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { heldOrderValueCodec } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { changedText, reviewContent } from './approval-blocks.ts';
import { REVIEW_TITLE } from './approval-view.ts';
import { denialBlocks, withoutDecision } from './approvers.ts';
import type { TemplatePreview } from './bid-form-preview.ts';
import { addApprovalTemplate, findApprovalTemplate } from './bid-show.ts';
import { approveHeldText, heldOrderName } from './held-message.ts';
import { approvalCountText, holdEndText, holdSentence } from './hold-text.ts';

const OUTDATED: Message = { text: 'This button is out of date, so nothing was done.' };

type HeldOrderPress = NonNullable<ReturnType<typeof heldOrderValueCodec.read>>;

export function findHeldOrder({ store }: Services, pressed: HeldOrderPress): Promise<HeldOrder | undefined> {
  const ref = toHeldOrderRef(pressed);
  return ref ? store.read((tx) => readHeldOrder(tx, ref)) : Promise.resolve(undefined);
}

/** Why the person may not decide about a bid of this channel; undefined: they may. */
async function findDecisionDenial(reader: RequestContext, channel: ChannelId): Promise<Message | undefined> {
  const { services, person } = reader;
  const refusal = await findVisibilityRefusal(reader, channel);
  if (refusal !== undefined) return { text: refusal };
  const there = await services.resolvePerson(person.user, channel);
  if (hasRoleAtLeast(there.role, 'bidder')) return undefined;
  return notAllowedMessage(there, 'bidder', { mayAsk: reader.channel === channel ? undefined : false });
}

/** Nobody presses anything while a bid waits, so what Slack said at the press may be out of date. */
const JUST_NOW_MS = 5 * SECOND;

/** For the waiting: whether Slack confirms just now that a person may bid there. undefined: unknown. */
export async function mayBid(
  services: Services,
  user: UserId,
  channel: ChannelId,
): Promise<boolean | undefined> {
  const person = await services.resolvePerson(user, channel, JUST_NOW_MS);
  if (!hasRoleAtLeast(person.role, 'bidder')) return person.unsure ? undefined : false;
  const reader = { services, person, channel: ChannelId.parse(user) };
  const sight = await checkChannelVisibility(reader, channel, true);
  return sight === 'unsure' ? undefined : sight === 'open';
}

/** If the order's channel changes during the permission check, check again. */
const TRIES = 2;

async function decideWithRight(
  reader: RequestContext,
  pressed: HeldOrderPress,
  decide: (decision: HeldOrderDecision) => Promise<HeldOrderResult>,
): Promise<Exclude<HeldOrderResult, { kind: 'moved' }> | Message> {
  const ref = toHeldOrderRef(pressed);
  for (let tried = 1; ref && tried <= TRIES; tried++) {
    const order = await findHeldOrder(reader.services, pressed);
    if (!order) return OUTDATED;
    const denial = await findDecisionDenial(reader, order.channel);
    if (denial) return denial;
    const { attempt } = pressed;
    const done = await decide({ ref, attempt, by: reader.person.user, authorizedChannel: order.channel });
    if (done.kind !== 'moved') return done;
  }
  return OUTDATED;
}

function approveHeldWithRight(reader: RequestContext, pressed: HeldOrderPress) {
  return decideWithRight(reader, pressed, (decision) =>
    reader.services.bidding.approveHeldOrder({ ...decision, shown: pressed.shown }),
  );
}

function takenText(order: HeldOrder): string {
  const state = order.isHeld ? holdSentence('It', order.hold) : (holdEndText(order.hold) ?? '');
  return joinLines('Nothing was done: this message is out of date.', state);
}

function approvedHeldText(result: Exclude<HeldOrderResult, { kind: 'moved' }>): string {
  const { order } = result;
  switch (result.kind) {
    case 'done':
      return joinLines(
        `:white_check_mark: *Your approval counts.* ${approvalCountText(order.hold)}.`,
        isApproved(order.hold) ? holdSentence(`The ${heldOrderName(order)}`, order.hold) : undefined,
      );
    case 'repeated':
      return `Your approval counts already: ${approvalCountText(order.hold)}.`;
    case 'own':
      return ':lock: Your approval was not counted: someone else has to give the second approval.';
    case 'changed':
      return changedText(result.changes);
    case 'taken':
      return takenText(order);
  }
}

async function approve(call: ActionCall): Promise<void> {
  const pressed = heldOrderValueCodec.read(call.value);
  if (!pressed) return call.answer(OUTDATED);
  const done = await approveHeldWithRight(call, pressed);
  await call.answer('text' in done ? done : { text: approvedHeldText(done) });
}

async function stop(call: ActionCall, end: 'canceled' | 'rejected'): Promise<void> {
  const pressed = heldOrderValueCodec.read(call.value);
  if (!pressed) return call.answer(OUTDATED);
  const done = await decideWithRight(call, pressed, (it) => call.services.bidding.stopHeldOrder(end, it));
  if ('text' in done) return call.answer(done);
  if (done.kind !== 'done') return call.answer({ text: takenText(done.order) });
  // The message says who canceled it.
  if (end === 'rejected') await call.answer({ text: ':no_entry_sign: You rejected it. Nothing was sent.' });
}

function ownDenialText({ sender, hold }: HeldOrder, user: UserId): string | undefined {
  const second = findMissingApprovals(hold);
  if (!second || canStillApprove(hold, sender, user)) return undefined;
  if (user === sender) return ':lock: You sent this, so someone else has to give the second approval.';
  if (second.not.includes(user))
    return ":lock: You asked for this. In this channel, the person who asked can't approve it.";
  return `Your approval counts already: ${approvalCountText(hold)}.`;
}

/** With Approve: people see the whole letter here. @param denial why the person's approval wouldn't count */
function heldReviewView(
  order: HeldOrder,
  template: TemplatePreview | undefined,
  denial: readonly KnownBlock[] | undefined,
): ModalView {
  const { subject, attempt, hold, isHeld } = order;
  const { blocks, isWhole } = reviewContent(subject, template);
  const view = noticeView(REVIEW_TITLE, blocks);
  if (!isHeld || !findMissingApprovals(hold)) return view;
  if (denial) return withoutDecision(view, denial);
  if (!isWhole) return view;
  return {
    ...view,
    callback_id: viewIds.heldReview,
    private_metadata: heldOrderValueCodec.write({ ...refOf(order), attempt, shown: hashOrder(order) }),
    submit: plainTextObject('Approve'),
    blocks: [...blocks, plainTextSection(approveHeldText(order))],
  };
}

/** Everything that it sends, in a window. Elsewhere than in its channel, Slack says first who may see it. */
export async function openHeldReview(call: ActionCall): Promise<void> {
  const { services, triggerId, person } = call;
  const pressed = heldOrderValueCodec.read(call.value);
  const order = pressed && (await findHeldOrder(services, pressed));
  if (!order) return call.answer(OUTDATED);
  const { channel } = order;
  const template = findApprovalTemplate(services, order.subject);
  const own = ownDenialText(order, person.user);
  let denial: readonly KnownBlock[] | undefined = own === undefined ? undefined : [sectionBlock(own)];
  const isAllowed = channel === call.channel && hasRoleAtLeast(person.role, 'bidder');
  const opening = isAllowed ? heldReviewView(order, template, denial) : loadingView(REVIEW_TITLE);
  const viewId = await services.slack.openView(triggerId, opening);
  if (!isAllowed) {
    const hidden = await findVisibilityRefusal(call, channel);
    if (hidden !== undefined)
      return void (await updateViewIfOpen(services, viewId, noticeView(REVIEW_TITLE, hidden)));
    const refused = await findDecisionDenial({ services, person, channel }, channel);
    if (refused) denial = await denialBlocks(services, channel, refused);
    if (!(await updateViewIfOpen(services, viewId, heldReviewView(order, template, denial)))) return;
  }
  await addApprovalTemplate(services, viewId, template, (read) => heldReviewView(order, read, denial));
}

async function submitReview({ services, view }: ViewInteraction): Promise<SubmissionResponse> {
  const pressed = heldOrderValueCodec.read(view.privateMetadata);
  const order = pressed && (await findHeldOrder(services, pressed));
  if (!order) return { kind: 'update', view: noticeView(REVIEW_TITLE, OUTDATED.text) };
  return {
    kind: 'update',
    channel: order.channel,
    view: noticeView(REVIEW_TITLE, ':hourglass_flowing_sand: Approving…'),
    after: async (call) => {
      // Slack names no channel for a window: the bid's own decides.
      const reader = { services, person: call.person, channel: ChannelId.parse(call.person.user) };
      const done = await approveHeldWithRight(reader, pressed);
      const text = 'text' in done ? done.text : approvedHeldText(done);
      if (!(await updateViewIfOpen(services, call.view.id, noticeView(REVIEW_TITLE, text))))
        await call.answer({ text });
    },
  };
}

export const heldReviewWindow: ViewRoute = { id: viewIds.heldReview, needs: 'viewer', submit: submitReview };

export const heldOrderActions: readonly ActionRoute[] = [
  { id: actionIds.heldApprove, needs: 'viewer', hasSideEffects: true, run: approve },
  { id: actionIds.heldReject, needs: 'viewer', hasSideEffects: true, run: (call) => stop(call, 'rejected') },
  { id: actionIds.heldCancel, needs: 'viewer', hasSideEffects: true, run: (call) => stop(call, 'canceled') },
  { id: actionIds.heldReview, needs: 'viewer', run: openHeldReview },
];
