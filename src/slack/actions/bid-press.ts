/** Presses within the bid modal: each keeps what was typed by then, and shows the form anew. */
import {
  addNews,
  type DraftOwner,
  giveMoreRoom,
  layOutAnew,
  readDraft,
  saveForm,
  showsOthers,
} from '../../bidding/drafts.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import { known } from '../../marketplace/wire-values.ts';
import type { LookupOutcome } from '../../projects/purchases.ts';
import type { Transaction } from '../../storage/store.ts';
import { actionIds } from '../blocks/ids.ts';
import { FORM_GONE } from '../messages/bid-outcome.ts';
import { costText } from '../messages/cost-text.ts';
import { noSuchProject } from '../messages/no-such-project.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { tellWaiting } from '../patience.ts';
import type { ActionCall, ActionRoute, PressedView, ViewPlace } from '../routes.ts';
import { needsOtherInputs, readBidForm } from '../views/bid-fields.ts';
import { draftReference } from '../views/bid-form-top.ts';
import { bidLoadingView } from '../views/bid-notices.ts';
import { beginAfresh } from './bid-resume.ts';
import { type BidCall, describeFailure, loadForm, putView, showForm, showStored } from './bid-show.ts';

/** The channel that a draft of this very person belongs to. */
export async function placeOfDraft({ user, view, services }: ViewPlace): Promise<ChannelId | undefined> {
  const { store, team } = services;
  const draft = await store.read((tx) => readDraft(tx, { team, user }, view.privateMetadata));
  return draft?.channel;
}

export function bidCall({ services, person }: Pick<ActionCall, 'services' | 'person'>): BidCall {
  return { services, owner: { team: services.team, user: person.user } };
}

/** Stores what stands in a form. @returns the draft with it, and as the form was made from it; undefined when it is gone */
export async function storeTyped(
  tx: Transaction,
  owner: DraftOwner,
  view: PressedView,
  at: Instant,
): Promise<{ readonly before: BidDraft; readonly draft: BidDraft } | undefined> {
  const mark = view.privateMetadata;
  const before = await readDraft(tx, owner, mark);
  const fill = (draft: BidDraft) => {
    const typed = readBidForm(view.values, draft);
    return showsOthers(draft, mark) ? { ...typed, answers: draft.form.answers } : typed;
  };
  const draft = before && (await saveForm(tx, owner, mark, fill, at));
  if (!draft) return undefined;
  const laidOut = needsOtherInputs(before, draft) ? await layOutAnew(tx, owner, mark) : draft;
  return { before, draft: laidOut ?? draft };
}

/** Keeps what stands in the form by now; undefined when its draft is gone, or somebody else's. */
export async function keepTyped(
  { services, owner }: BidCall,
  view: PressedView,
): Promise<BidDraft | undefined> {
  const { store, clock } = services;
  return (await store.transact((tx) => storeTyped(tx, owner, view, clock.now())))?.draft;
}

/** A press in the form. @param then what it does besides, with what was typed already on record. @returns a note for the form */
function inForm(
  id: string,
  then: (call: BidCall, draft: BidDraft, viewId: string) => Promise<string | undefined> = async () =>
    undefined,
): ActionRoute {
  return {
    id,
    needs: 'bidder',
    place: placeOfDraft,
    inForm: true,
    async run(call) {
      const { view } = call;
      const draft = view && (await keepTyped(bidCall(call), view));
      if (!draft) return call.answer(FORM_GONE);
      const note = await then(bidCall(call), draft, view.id);
      await showForm(bidCall(call), view.id, draft.id, { note, since: draft });
    },
  };
}

async function moreRoom({ services, owner }: BidCall, { id }: BidDraft): Promise<undefined> {
  await services.store.transact((tx) => giveMoreRoom(tx, owner, id));
}

async function startAfresh({ services, owner }: BidCall, { id }: BidDraft): Promise<undefined> {
  await services.store.transact((tx) => beginAfresh(tx, owner, id));
}

export const LOOKING_UP = ':hourglass_flowing_sand: Looking up this project. This can take a moment.';

/** As `lookUp`; a form that waits for it says so. */
function lookUpPatiently(call: BidCall, draft: BidDraft, viewId: string): Promise<string | undefined> {
  const { services, owner } = call;
  const showWaiting = async () => {
    await showStored(call, viewId, draft.id, { note: LOOKING_UP, since: draft });
  };
  return tellWaiting(services, owner.user, showWaiting, () => lookUp(call, draft));
}

/** Buys what is not known of the project, for a credit of the draft's channel at the most. */
async function lookUp(call: BidCall, draft: BidDraft): Promise<string | undefined> {
  const { services, owner } = call;
  const reference = draftReference(draft);
  if (!reference)
    return "The marketplace can't identify this project yet. Enter its job ID, then look it up.";
  const buyer = { channel: draft.channel, user: owner.user };
  const outcome = await services.projects.lookUp(buyer, reference);
  if (outcome.kind === 'found') {
    const { title, url, questions, connectsPrice, usOnly, ukOnly } = outcome.project;
    const news = known({ title, url, questions, connectsPrice, usOnly, ukOnly });
    await services.store.transact((tx) => addNews(tx, owner, draft.id, news));
  }
  return lookUpNote(call, outcome);
}

function lookUpNote({ services }: BidCall, outcome: LookupOutcome): string {
  switch (outcome.kind) {
    case 'found':
      return costText(outcome);
    case 'no-budget':
    case 'account-spent':
      return notBoughtText(outcome);
    case 'failed':
      return outcome.error.code === 'not-found'
        ? noSuchProject(outcome.askedAt).text
        : describeFailure(services, 'could not look up a project for a bid', outcome.error).text;
  }
}

/** In a view that could not show the form: asks for the setups again. */
const reload: ActionRoute = {
  id: actionIds.bidReload,
  needs: 'bidder',
  place: placeOfDraft,
  async run(call) {
    const { view, services } = call;
    const { owner } = bidCall(call);
    const draft = view && (await services.store.read((tx) => readDraft(tx, owner, view.privateMetadata)));
    if (!draft) return call.answer(FORM_GONE);
    await putView(services, view.id, bidLoadingView(draft.id));
    await loadForm(bidCall(call), view.id, draft.id, { maxAgeMs: 0 });
  },
};

export const bidPresses: readonly ActionRoute[] = [
  inForm(actionIds.bidSetup),
  inForm(actionIds.bidWhen),
  inForm(actionIds.bidMoreRoom, moreRoom),
  inForm(actionIds.bidLookUp, lookUpPatiently),
  inForm(actionIds.bidAfresh, startAfresh),
  reload,
];
