/** After a bid: looking for traces of one without an answer, and opening the form again as it was. */

import { mayAct } from '../../access/roles.ts';
import { sameProject } from '../../aliases/project-aliases.ts';
import { readDraft } from '../../bidding/drafts.ts';
import { readBidView } from '../../bidding/project-bidding.ts';
import { BidId, type ChannelId, type DraftId } from '../../ids.ts';
import { actionIds, viewIds } from '../blocks/ids.ts';
import { BID_GONE, bidEvidenceMessage, bidNotSentMessage, FORM_GONE } from '../messages/bid-outcome.ts';
import { ASKED_BY_CHECK } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';
import { sightOf } from '../sight.ts';
import { bidMessageView, checkingView } from '../views/bid-notices.ts';
import { readFormFacts } from './bid-facts.ts';
import { spotOf } from './bid-open.ts';
import { bidCall, keepTyped, placeOfDraft } from './bid-press.ts';
import { describeFailure, openForm, putView, showForm } from './bid-show.ts';
import { findSubject } from './bid-subject.ts';

/** The value may name a draft of another channel: the role of where it was pressed says nothing of that one. */
async function mayBidIn(call: ActionCall, channel: ChannelId): Promise<boolean> {
  if (channel === call.channel) return true;
  const { role } = await call.services.whoIs(call.person.user, channel);
  return mayAct(role, 'bidder') && (await sightOf(call, channel)) === 'open';
}

async function reopen(call: ActionCall): Promise<void> {
  const { services, view } = call;
  const { owner } = bidCall(call);
  const setups = await services.setups.known();
  const stored = await services.store.read(async (tx) => {
    const draft = await readDraft(tx, owner, call.value);
    return draft && readFormFacts(tx, draft, services.clock.now());
  });
  if (!stored || !(await mayBidIn(call, stored.draft.channel))) return call.answer(FORM_GONE);
  if (view) await showForm(bidCall(call), view.id, stored.draft.id, { setups });
  else await openForm(bidCall(call), call.triggerId, { stored, setups });
}

/** The presser's draft behind a view; the form's own content is kept before the view changes. */
async function draftBehind(call: ActionCall): Promise<DraftId | undefined> {
  const { view, services } = call;
  if (!view) return undefined;
  if (view.callbackId === viewIds.bid) return (await keepTyped(bidCall(call), view))?.id;
  const { owner } = bidCall(call);
  return (await services.store.read((tx) => readDraft(tx, owner, view.privateMetadata)))?.id;
}

/** Whether the person could see this bid where they pressed: it is of this channel, or of the pressed project. */
async function isInSight(call: ActionCall, id: BidId): Promise<boolean> {
  const { store, team } = call.services;
  return store.read(async (tx) => {
    const found = await readBidView(tx, team, id);
    if (!found || found.bid.channel === call.channel) return found !== undefined;
    const subject = await findSubject(tx, spotOf(call), call.message?.ts, call.value);
    const { owner } = bidCall(call);
    const draft = call.view && (await readDraft(tx, owner, call.view.privateMetadata));
    const { keys } = await sameProject(tx, team, { project: found.bid.project });
    return [subject?.project, draft?.project].some((project) => project && keys.includes(project));
  });
}

async function evidenceMessage(
  { services }: ActionCall,
  id: BidId,
  draft: DraftId | undefined,
): Promise<Message> {
  try {
    const evidence = await services.bidding.check(id);
    return evidence ? bidEvidenceMessage(evidence, draft) : BID_GONE;
  } catch (thrown) {
    const failure = describeFailure(services, 'could not check a bid', thrown);
    return draft === undefined ? failure : bidNotSentMessage(failure, draft);
  }
}

async function check(call: ActionCall): Promise<void> {
  const { services, view } = call;
  const draft = await draftBehind(call);
  const id = BidId.safeParse(call.value).data;
  if (id === undefined || !(await isInSight(call, id))) return call.answer(BID_GONE);
  if (view) await putView(services, view.id, checkingView(draft));
  const message = await evidenceMessage(call, id, draft);
  if (view && (await putView(services, view.id, bidMessageView(message, draft)))) return;
  await call.answer(message);
}

export const bidAgain: readonly ActionRoute[] = [
  { id: actionIds.bidReopen, needs: 'bidder', place: placeOfDraft, run: reopen },
  {
    id: actionIds.bidCheck,
    needs: 'bidder',
    place: placeOfDraft,
    asked: ASKED_BY_CHECK,
    waitsInView: true,
    run: check,
  },
];
