/** Shows the bid modal, and updates it when setups and templates have loaded. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { isDeepEqual } from '../../base/is-deep-equal.ts';
import type { ApprovalSubject } from '../../bidding/approval-request.ts';
import {
  applyShownBids,
  changeDraft,
  type DraftOwner,
  readBidDraft,
  saveBidForm,
  withSuggestion,
} from '../../bidding/bid-drafts.ts';
import type { Bid, BidDraft } from '../../bidding/bidding.ts';
import { findSetupByIdOrName } from '../../bidding/setup-warnings.ts';
import { suggestSetup } from '../../bidding/suggest-setup.ts';
import { BID_FORM_LIMITS, parseMarketplaceJobId } from '../../bidding/validate-bid-form.ts';
import { isRecent, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { BidId, DraftId } from '../../ids.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { BiddingSetup } from '../../marketplace/schema.ts';
import type { LetterSubject } from '../../proposals/similar-letters.ts';
import type { SetupList } from '../../setups/setups.ts';
import { estimateAnswerCost } from '../../statistics/statistics.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { Services } from '../core/routes.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { bidFormView, bidLoadingView, noSetupsView } from './bid-form.ts';
import {
  type BidFormFacts,
  chosenSetup,
  findDuplicateBid,
  readBidFormFacts,
  type SetupTemplate,
  type StoredBidFormFacts,
} from './bid-form-facts.ts';
import type { TemplatePreview } from './bid-form-preview.ts';

const MAX_SETUPS_AGE_MS = 5 * MINUTE;

export interface BidModalContext {
  readonly services: Services;
  readonly owner: DraftOwner;
}

/**
 * Records which bids the form shows: sending it may then repeat the chosen bid, or bid in addition to the
 * others. Runs before the form appears, since the form carries the record's mark.
 */
async function noteSeen({ services, owner }: BidModalContext, facts: BidFormFacts): Promise<BidFormFacts> {
  const { bid } = findDuplicateBid(facts) ?? {};
  const ended = bid?.state === 'sending' || bid?.state === 'held' ? undefined : bid;
  const bids = { ended, all: facts.bids.map((view) => view.bid) };
  const note = (draft: BidDraft) => applyShownBids(draft, bids);
  if (note(facts.draft) === facts.draft) return facts;
  const draft = await services.store.transact((tx) => changeDraft(tx, owner, facts.draft.id, note));
  return draft ? { ...facts, draft } : facts;
}

/** A setup's template from the marketplace. Never throws for a failed request. */
async function readSetupTemplate(
  { setups, log }: Services,
  named: NonNullable<BiddingSetup['template']>,
): Promise<SetupTemplate> {
  try {
    return { kind: 'read', template: await setups.fetchTemplate(named.id) };
  } catch (thrown) {
    if (thrown instanceof MarketplaceError && thrown.code === 'not-found') return { kind: 'not-found' };
    log.info('could not read a template', { template: named.id });
    return { kind: 'unreadable' };
  }
}

/** The template that an approval leaves something to, as last read; undefined: to none that is known. */
export function findApprovalTemplate(
  { setups }: Services,
  { bid, template: named }: ApprovalSubject,
): TemplatePreview | undefined {
  if (bid?.request.coverLetter !== undefined && bid.request.bidAmount !== undefined) return undefined;
  if (!named || named === 'none') return undefined;
  const known = setups.findKnownTemplate(named.id);
  return { named, state: known && { kind: 'read', template: known } };
}

/** Whether a template as just read says otherwise. An older answer says more than none. */
function isNewer(read: SetupTemplate, known: SetupTemplate | undefined): boolean {
  return !isDeepEqual(read, known) && !(known && read.kind === 'unreadable');
}

/** Reads the template, at most every five minutes, and draws the open Review again if it says otherwise. */
export async function addApprovalTemplate(
  services: Services,
  viewId: string,
  known: TemplatePreview | undefined,
  draw: (template: TemplatePreview) => ModalView,
): Promise<void> {
  if (!known) return;
  const state = await readSetupTemplate(services, known.named);
  if (isNewer(state, known.state)) await updateViewIfOpen(services, viewId, draw({ ...known, state }));
}

const MOST_LETTERS = 3;
/** The form is on its way: it opens with what is indexed by then. */
const INDEXED_WITHIN_MS = SECOND / 2;

/** Adds what is in memory: the template as last read, similar letters, and what an interview costs. */
async function addFromMemory({ services }: BidModalContext, facts: BidFormFacts): Promise<BidFormFacts> {
  const { setups, proposals, clock } = services;
  const named = chosenSetup(facts)?.template;
  const known = named && setups.findKnownTemplate(named.id);
  const subject: Partial<LetterSubject> = facts.project ?? {};
  const { title = facts.draft.title, skills = [], description = '' } = subject;
  await proposals.search.waitUntilIndexed(INDEXED_WITHIN_MS);
  const letters = proposals.search.findAnsweredLetters(
    { title, skills, description },
    { most: MOST_LETTERS, longestLetter: BID_FORM_LIMITS.letter },
  );
  const cost = await estimateAnswerCost(proposals.mirror.listNewestFirst(), clock.now(), () => nextTurn());
  return {
    ...facts,
    letters,
    template: known ? { kind: 'read', template: known } : facts.template,
    answerCost: cost,
  };
}

function viewOf(facts: BidFormFacts): ModalView {
  return facts.setups.setups.length > 0 ? bidFormView(facts) : noSetupsView(facts.draft.id);
}

/** The letter that the draft's own nearly repeats. A comparison that fails stops nothing. */
export async function findRepeatedLetter(
  { proposals, log }: Services,
  { channel, project, title, form }: BidDraft,
): Promise<Bid['similarLetter']> {
  const { coverLetter: letter } = form;
  const marketplaceJobId = parseMarketplaceJobId(form.marketplaceJobId) ?? '';
  try {
    return await proposals.sentLetters.findNearlyEqual({ letter, channel, project, marketplaceJobId, title });
  } catch (thrown) {
    log.warn('could not compare a letter with earlier ones', { error: asError(thrown) });
    return undefined;
  }
}

async function readFacts(call: BidModalContext, id: string, setups: SetupList) {
  const { store, clock } = call.services;
  const stored = await store.read(async (tx) => {
    const draft = await readBidDraft(tx, call.owner, id);
    return draft && { ...(await readBidFormFacts(tx, draft, clock.now())), setups };
  });
  if (!stored) return undefined;
  const similarLetter = await findRepeatedLetter(call.services, stored.draft);
  return addFromMemory(call, { ...stored, similarLetter });
}

/** Its result is on screen then. */
function wasSent(before: BidDraft, now: BidDraft): boolean {
  return before.sentAt !== now.sentAt;
}

async function showTemplate(call: BidModalContext, viewId: string, shown: BidFormFacts): Promise<void> {
  const named = chosenSetup(shown)?.template;
  const template = named && (await readSetupTemplate(call.services, named));
  if (!template || !isNewer(template, shown.template)) return;
  const { note, bidsNotShownBefore } = shown;
  const facts = await readFacts(call, shown.draft.id, shown.setups);
  // Another setup was chosen meanwhile: that press loads its own template.
  if (!facts || wasSent(shown.draft, facts.draft) || facts.draft.form.setup !== shown.draft.form.setup)
    return;
  const now = await noteSeen(call, { ...facts, template, note, bidsNotShownBefore });
  await updateViewIfOpen(call.services, viewId, viewOf(now));
}

interface ShowMore {
  readonly note?: string | undefined;
  /** Bids that prevented sending the form. */
  readonly news?: ReadonlySet<BidId>;
  readonly setups?: SetupList;
  /** The draft at the time of the press: a form sent since is left alone. */
  readonly since?: BidDraft;
}

/**
 * Shows the current draft in an open view, without any request to the marketplace.
 * @returns what it shows; undefined when the draft is gone or was sent, or the view is closed
 */
export async function showStoredBidForm(
  call: BidModalContext,
  viewId: string,
  id: string,
  more: ShowMore,
): Promise<BidFormFacts | undefined> {
  const setups = more.setups ?? (await call.services.setups.readStoredSetups());
  const stored = await readFacts(call, id, setups);
  if (!stored || (more.since && wasSent(more.since, stored.draft))) return undefined;
  const facts = await noteSeen(call, { ...stored, note: more.note, bidsNotShownBefore: more.news });
  return (await updateViewIfOpen(call.services, viewId, viewOf(facts))) ? facts : undefined;
}

/** As `showStoredBidForm`, and then adds the template. @returns false where that returns undefined */
export async function showFormWithTemplate(
  call: BidModalContext,
  viewId: string,
  id: string,
  more: ShowMore = {},
): Promise<boolean> {
  const facts = await showStoredBidForm(call, viewId, id, more);
  if (facts) await showTemplate(call, viewId, facts);
  return facts !== undefined;
}

/** Loads the setups, then shows the form in the waiting view. @param wanted the setup in a person's words */
export async function loadBidForm(
  call: BidModalContext,
  viewId: string,
  id: DraftId,
  { maxAgeMs, wanted }: { readonly maxAgeMs: number; readonly wanted?: string | undefined },
): Promise<void> {
  const { services, owner } = call;
  let setups: SetupList;
  try {
    setups = await services.setups.refreshIfOlderThan(maxAgeMs, 'person');
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not load the setups for a bid', thrown);
    await updateViewIfOpen(services, viewId, noSetupsView(id, failure));
    return;
  }
  const { setup, note } = matchRequestedSetup(setups, wanted);
  if (setup !== undefined) {
    const fill = (draft: BidDraft) => ({ ...draft.form, setup });
    await services.store.transact((tx) => saveBidForm(tx, owner, id, fill, services.clock.now()));
  } else if (!wanted) {
    await services.store.transact(async (tx) => {
      const draft = await readBidDraft(tx, owner, id);
      if (!draft || draft.form.setup !== undefined) return;
      const suggested = await suggestSetup(tx, draft, draft, setups.setups);
      if (suggested) await changeDraft(tx, owner, id, (stored) => withSuggestion(stored, suggested));
    });
  }
  await showFormWithTemplate(call, viewId, id, { setups, note });
}

/** The setup that a person named, or a note why there is no single match. */
export function matchRequestedSetup({ setups }: SetupList, wanted: string | undefined) {
  if (!wanted || setups.length === 0) return {};
  const found = findSetupByIdOrName(setups, wanted);
  switch (found.kind) {
    case 'found':
      return { setup: found.setup.id };
    case 'none':
      return { note: `:warning: There's no setup called ${codeText(wanted, 80)}. Choose one below.` };
    case 'several':
      return { note: `:warning: More than one setup matches ${codeText(wanted, 80)}. Choose one below.` };
  }
}

/** Opens at once: with stored setups as a form, else as a waiting view. Old setups reload afterwards. */
export async function openBidForm(
  call: BidModalContext,
  triggerId: string,
  open: {
    readonly stored: StoredBidFormFacts;
    readonly setups: SetupList;
    readonly note?: string | undefined;
    readonly wanted?: string | undefined;
  },
): Promise<void> {
  const { services } = call;
  const { setups, stored, wanted } = open;
  const { id } = stored.draft;
  if (setups.setups.length === 0) {
    const viewId = await services.slack.openView(triggerId, bidLoadingView(id));
    return loadBidForm(call, viewId, id, { maxAgeMs: MAX_SETUPS_AGE_MS, wanted });
  }
  const facts = await noteSeen(call, await addFromMemory(call, { ...stored, setups, note: open.note }));
  const view = bidFormView(facts);
  const viewId = await services.slack.openView(triggerId, view);
  await refreshBehind(call, viewId, facts, view);
}

/** Reloads old setups and compares the letter; updates the modal only if its content changed. */
async function refreshBehind(call: BidModalContext, viewId: string, shown: BidFormFacts, view: ModalView) {
  const setups = await refreshed(call.services, shown.setups);
  const isComplete = setups === shown.setups && shown.draft.form.coverLetter === '';
  const now = isComplete ? undefined : await readFacts(call, shown.draft.id, setups);
  if (now && wasSent(shown.draft, now.draft)) return;
  const facts = now ? await noteSeen(call, { ...now, note: shown.note }) : shown;
  const isChanged = now && JSON.stringify(viewOf(facts)) !== JSON.stringify(view);
  if (isChanged && !(await updateViewIfOpen(call.services, viewId, viewOf(facts)))) return;
  await showTemplate(call, viewId, facts);
}

async function refreshed({ setups, clock, log }: Services, known: SetupList): Promise<SetupList> {
  if (isRecent(known.readAt, MAX_SETUPS_AGE_MS, clock.now())) return known;
  try {
    return await setups.refreshIfOlderThan(MAX_SETUPS_AGE_MS, 'person');
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    log.warn('could not reload the setups', { code: thrown.code });
    return known;
  }
}
