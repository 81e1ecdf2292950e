/** Follow-ups to a bid: checks for traces of an unanswered one, and reopens the form as it was. */

import { hasRoleAtLeast } from '../../access/access.ts';
import { findProjectAliases } from '../../aliases/project-aliases.ts';
import { readBidDraft } from '../../bidding/bid-drafts.ts';
import { readBidWithJob } from '../../bidding/project-bidding.ts';
import { BidId, type ChannelId, type DraftId } from '../../ids.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { CHECK_REQUEST_LABEL } from '../core/slow-reply.ts';
import { checkChannelVisibility } from '../core/user-channels.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { readBidFormFacts } from './bid-facts.ts';
import { findDraftChannel, saveBidFormInput, toBidModalContext } from './bid-form-actions.ts';
import { bidCheckingView, bidMessageView } from './bid-notices.ts';
import { toCallOrigin } from './bid-open.ts';
import { BID_FORM_GONE, BID_GONE, bidCheckResultMessage, bidNotSentMessage } from './bid-outcome.ts';
import { openBidForm, showFormWithTemplateWarning } from './bid-show.ts';
import { findPressedBidProject } from './bid-subject.ts';

/** The value may name another channel's draft: the role in the current channel doesn't apply to it. */
async function mayBidIn(call: ActionCall, channel: ChannelId): Promise<boolean> {
  if (channel === call.channel) return true;
  const { role } = await call.services.resolvePerson(call.person.user, channel);
  return hasRoleAtLeast(role, 'bidder') && (await checkChannelVisibility(call, channel)) === 'open';
}

async function reopen(call: ActionCall): Promise<void> {
  const { services, view } = call;
  const { owner } = toBidModalContext(call);
  const setups = await services.setups.readStoredSetups();
  const stored = await services.store.read(async (tx) => {
    const draft = await readBidDraft(tx, owner, call.value);
    return draft && readBidFormFacts(tx, draft, services.clock.now());
  });
  if (!stored || !(await mayBidIn(call, stored.draft.channel))) return call.answer(BID_FORM_GONE);
  if (view) await showFormWithTemplateWarning(toBidModalContext(call), view.id, stored.draft.id, { setups });
  else await openBidForm(toBidModalContext(call), call.triggerId, { stored, setups });
}

/** The person's draft behind a view; saves the form's values before the view changes. */
async function draftBehind(call: ActionCall): Promise<DraftId | undefined> {
  const { view, services } = call;
  if (!view) return undefined;
  if (view.callbackId === viewIds.bid) return (await saveBidFormInput(toBidModalContext(call), view))?.id;
  const { owner } = toBidModalContext(call);
  return (await services.store.read((tx) => readBidDraft(tx, owner, view.privateMetadata)))?.id;
}

/** Whether the person could see this bid: it belongs to the current channel, or to the pressed project. */
async function isInSight(call: ActionCall, id: BidId): Promise<boolean> {
  const { store, team } = call.services;
  return store.read(async (tx) => {
    const found = await readBidWithJob(tx, team, id);
    if (!found || found.bid.channel === call.channel) return found !== undefined;
    const subject = await findPressedBidProject(tx, toCallOrigin(call), call.message?.ts, call.value);
    const { owner } = toBidModalContext(call);
    const draft = call.view && (await readBidDraft(tx, owner, call.view.privateMetadata));
    const { keys } = await findProjectAliases(tx, team, { project: found.bid.project });
    return [subject?.project, draft?.project].some((project) => project && keys.includes(project));
  });
}

async function evidenceMessage(
  { services }: ActionCall,
  id: BidId,
  draft: DraftId | undefined,
): Promise<Message> {
  try {
    const evidence = await services.bidding.checkBidEvidence(id);
    return evidence ? bidCheckResultMessage(evidence, draft) : BID_GONE;
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not check a bid', thrown);
    return draft === undefined ? failure : bidNotSentMessage(failure, draft);
  }
}

async function check(call: ActionCall): Promise<void> {
  const { services, view } = call;
  const draft = await draftBehind(call);
  const id = BidId.safeParse(call.value).data;
  if (id === undefined || !(await isInSight(call, id))) return call.answer(BID_GONE);
  if (view) await updateViewIfOpen(services, view.id, bidCheckingView(draft));
  const message = await evidenceMessage(call, id, draft);
  if (view && (await updateViewIfOpen(services, view.id, bidMessageView(message, draft)))) return;
  await call.answer(message);
}

export const bidFollowUpActions: readonly ActionRoute[] = [
  { id: actionIds.bidReopen, needs: 'bidder', findChannel: findDraftChannel, run: reopen },
  {
    id: actionIds.bidCheck,
    needs: 'bidder',
    findChannel: findDraftChannel,
    pendingLabel: CHECK_REQUEST_LABEL,
    showsOwnWaitNotice: true,
    run: check,
  },
];
