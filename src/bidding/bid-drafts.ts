/**
 * Drafts of bids: typed text survives a closed modal, a refusal and a restart. A reopened form says so; the
 * person can start over.
 */
import { findProjectAliases, removeJobIdTilde } from '../aliases/project-aliases.ts';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { type Instant, type RandomSource } from '../clock.ts';
import { DraftId, randomId, type SetupId, type UserId } from '../ids.ts';
import { parseProjectReference, projectReferenceId } from '../marketplace/project-key.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { isBlank } from '../typed/texts.ts';
import {
  BID_DRAFT_RETENTION_MS,
  type BidDraft,
  type BidForm,
  bidDrafts,
  EMPTY_BID_FORM,
  type SetupSuggestion,
} from './draft-records.ts';
import type { Bid } from './records.ts';
import { parseMarketplaceJobId } from './validate-bid-form.ts';

/** The owner of a draft: a key with another person's draft id finds nothing. */
export interface DraftOwner {
  readonly user: UserId;
}

/** Known facts about a project when a person starts to bid. */
export interface BidProjectInfo
  extends Pick<BidDraft, 'channel' | 'project' | 'title' | 'url' | 'connectsPrice' | 'usOnly' | 'ukOnly'> {
  readonly questions?: readonly string[];
  readonly marketplaceJobId?: string;
  readonly setup?: SetupId;
  /** The setup for a draft without another choice. */
  readonly suggested?: SetupSuggestion;
  /** Starting values of a new draft, from an earlier bid that is tried again. */
  readonly form?: BidForm;
}

/** Slack's limit of characters per input; a longer text needs two inputs. */
const ONE_INPUT = 3_000;

/**
 * The person's unfinished draft for this project in this channel, with newly known facts; otherwise a new
 * one. Typed values stay, and the draft says so, but a setup that the person just named replaces the chosen
 * one.
 */
export async function openBidDraft(
  tx: Transaction,
  owner: DraftOwner,
  subject: BidProjectInfo,
  { at, random }: { readonly at: Instant; readonly random: RandomSource },
): Promise<BidDraft> {
  const found = await findBidDraft(tx, owner, subject);
  const before = found ?? begin(owner, subject, DraftId.parse(randomId(random)), at);
  const resumed = found && isBidDraftTyped(found) && { resumedFrom: found.at };
  const informed = withProjectInfo(before, withoutFactsOfOtherId(before, subject));
  const draft = { ...withSuggestion(informed, subject.suggested), at, ...resumed };
  await tx.put(bidDrafts, draft);
  return draft;
}

function withoutFactsOfOtherId(
  { form: { marketplaceJobId: id }, earlierAnswers }: BidDraft,
  subject: BidProjectInfo,
): BidProjectInfo {
  const own = subject.marketplaceJobId;
  const isOther = own === undefined ? earlierAnswers : removeJobIdTilde(own) !== removeJobIdTilde(id);
  if (isBlank(id) || !isOther) return subject;
  const { questions: _asked, connectsPrice: _price, usOnly: _us, ukOnly: _uk, ...kept } = subject;
  return kept;
}

/** Whether the draft differs from a new form. */
export function isBidDraftTyped({ form }: BidDraft): boolean {
  const { projectId, bidAmount, boostConnects, coverLetter, answers, when } = form;
  const texts = [projectId, bidAmount, boostConnects, coverLetter, ...answers];
  return when !== 'as-set-up' || texts.some((text) => !isBlank(text));
}

/** The person's newest unfinished draft for the project in the channel, under any of the project's names. */
async function findBidDraft(
  tx: ReadTransaction,
  { user }: DraftOwner,
  { channel, project }: Pick<BidProjectInfo, 'channel' | 'project'>,
): Promise<BidDraft | undefined> {
  const { keys } = await findProjectAliases(tx, { project });
  const found: BidDraft[] = [];
  for (const key of keys) {
    const range = { index: 'byPlace', prefix: [user, channel, key] as const, limit: 1, reverse: true };
    found.push(...(await tx.list(bidDrafts, range)).map(({ value }) => value));
  }
  return found.sort((a, b) => b.at - a.at)[0];
}

function begin(owner: DraftOwner, subject: BidProjectInfo, id: DraftId, at: Instant): BidDraft {
  const { channel, project, title, form = EMPTY_BID_FORM } = subject;
  const isLong = [form.coverLetter, ...form.answers].some((text) => text.length > ONE_INPUT);
  const nothingShown = { seen: {}, shownBids: {}, shown: 0, asks: 0 };
  return { ...owner, id, channel, project, title, form, parts: isLong ? 2 : 1, ...nothingShown, at };
}

/** The draft with the suggested setup, unless one is chosen. */
export function withSuggestion(draft: BidDraft, suggested: SetupSuggestion | undefined): BidDraft {
  if (!suggested || draft.form.setup !== undefined) return draft;
  return { ...draft, suggested, form: { ...draft.form, setup: suggested.setup } };
}

/**
 * A draft with newly known facts. Questions change only while all answers are empty: an answer must not end
 * up under another question.
 */
export function withProjectInfo(
  draft: BidDraft,
  news: Omit<BidProjectInfo, 'channel' | 'project' | 'form' | 'suggested'>,
): BidDraft {
  const { form } = draft;
  const keepsQuestions = draft.questions !== undefined && form.answers.some((answer) => !isBlank(answer));
  const jobId = isBlank(form.marketplaceJobId) ? news.marketplaceJobId : undefined;
  const isNew = draft.questions === undefined && news.questions !== undefined && draft.earlierAnswers;
  const answers = isNew ? news.questions?.map((question) => isNew[question] ?? '') : undefined;
  return {
    ...draft,
    title: news.title || draft.title,
    url: news.url ?? draft.url,
    ...(news.questions === undefined || keepsQuestions ? {} : newQuestions(draft, news.questions)),
    connectsPrice: news.connectsPrice ?? draft.connectsPrice,
    usOnly: news.usOnly ?? draft.usOnly,
    ukOnly: news.ukOnly ?? draft.ukOnly,
    form: {
      ...form,
      marketplaceJobId: jobId ?? form.marketplaceJobId,
      setup: news.setup ?? form.setup,
      answers: answers ?? form.answers,
    },
  };
}

/** The draft's id and its `shown` count, as views carry them: `abc123de.2`. */
export function formatDraftRevision({ id, shown }: Pick<BidDraft, 'id' | 'shown'>): string {
  return `${id}.${shown}`;
}

function newQuestions({ questions, shown }: BidDraft, asked: readonly string[]): Partial<BidDraft> {
  if (questions === undefined) return { questions: [...asked] };
  return isDeepEqual(questions, asked) ? {} : { questions: [...asked], shown: shown + 1, asks: shown + 1 };
}

/** Whether the view shows older questions than the draft has. Its answers belong to the older ones. */
export function hasOutdatedQuestions({ asks }: BidDraft, mark: string): boolean {
  const [, shown = ''] = mark.split('.');
  return !(Number(shown) >= asks);
}

/** The draft with this id or view mark, if it belongs to this person. */
export async function readBidDraft(tx: ReadTransaction, { user }: DraftOwner, mark: string) {
  const parsed = DraftId.safeParse(mark.split('.')[0]);
  return parsed.success ? tx.get(bidDrafts, [user, parsed.data]) : undefined;
}

/** Changes a draft. @returns the stored draft; undefined if it is gone or another person's. */
export async function changeDraft(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  change: (draft: BidDraft) => BidDraft,
): Promise<BidDraft | undefined> {
  const before = await readBidDraft(tx, owner, id);
  if (!before) return undefined;
  const draft = change(before);
  await tx.put(bidDrafts, draft);
  return draft;
}

/**
 * Price, questions and country limits belong to the job ID that they were read for: with another ID they are
 * forgotten. An ID that isn't read yet forgets nothing.
 */
export function forgetOtherJobId(before: BidDraft, now: BidDraft): BidDraft {
  const [was, is] = [before, now].map(({ form }) => parseMarketplaceJobId(form.marketplaceJobId));
  if (was === undefined || (is !== undefined && removeJobIdTilde(was) === removeJobIdTilde(is))) return now;
  const { questions = [], connectsPrice: _price, usOnly: _us, ukOnly: _uk, shown, ...kept } = now;
  const answers = questions.map((question, place) => [question, now.form.answers[place] ?? ''] as const);
  return {
    ...kept,
    form: { ...now.form, answers: [] },
    earlierAnswers: { ...now.earlierAnswers, ...Object.fromEntries(answers) },
    shown: shown + 1,
    asks: shown + 1,
  };
}

/** Stores the typed values. @param fill builds the form from the stored draft, so that hidden fields stay */
export function saveBidForm(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  fill: (draft: BidDraft) => BidForm,
  at: Instant,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => forgetOtherJobId(draft, { ...draft, form: fill(draft), at }));
}

export function splitLongTextInputs(draft: BidDraft): BidDraft {
  return { ...draft, parts: 2 };
}

/** Gives the form new inputs, which show only stored values. */
export function recreateDraftInputs(draft: BidDraft): BidDraft {
  return { ...draft, afresh: (draft.afresh ?? 0) + 1 };
}

/** Discards typed values except the setup and the project's ID. */
export function resetBidDraft(draft: BidDraft): BidDraft {
  const { resumedFrom: _typedBefore, insertedLetter: _letter, ...kept } = recreateDraftInputs(draft);
  const { url = '', form: typed } = kept;
  const reference = parseProjectReference(url);
  const marketplaceJobId = reference ? projectReferenceId(reference) : typed.marketplaceJobId;
  const form = { ...EMPTY_BID_FORM, setup: typed.setup, marketplaceJobId };
  return { ...kept, form, parts: 1 };
}

/** The draft with another letter, which gets inputs of its own: Slack keeps what is typed in old ones. */
function withLetter(draft: BidDraft, letter: string, replaced: string | undefined): BidDraft {
  const revision = (draft.insertedLetter?.revision ?? 0) + 1;
  const form = { ...draft.form, coverLetter: letter };
  return { ...draft, form, insertedLetter: { revision, letter, replaced } };
}

/** Replaces the letter. The person's own is kept, also when several are tried one after the other. */
export function insertDraftLetter(draft: BidDraft, letter: string): BidDraft {
  const { coverLetter } = draft.form;
  const before = draft.insertedLetter;
  if (before?.letter === coverLetter) return withLetter(draft, letter, before.replaced);
  return withLetter(draft, letter, isBlank(coverLetter) ? undefined : coverLetter);
}

/** Exchanges the letter with the kept one, so that neither is lost. */
export function swapDraftLetter(draft: BidDraft): BidDraft {
  const kept = draft.insertedLetter?.replaced;
  return kept === undefined ? draft : withLetter(draft, kept, draft.form.coverLetter);
}

/**
 * By bid: the ended attempt, and the attempts of all bids on the project, shown in the submitted view.
 * @param mark of that view; bids shown later, here or on another device, don't count for it
 */
export function getShownAttempts(draft: BidDraft, mark: string): Pick<BidDraft, 'seen' | 'shownBids'> {
  return mark === formatDraftRevision(draft) ? draft : { seen: {}, shownBids: {} };
}

/**
 * The draft once its form shows these bids, in a view with a newer mark; the same object if nothing changes.
 * @param bids `ended`: the bid that the form would repeat, if its last attempt has ended
 */
export function applyShownBids(
  draft: BidDraft,
  bids: { ended?: Pick<Bid, 'id' | 'attempt'> | undefined; all: readonly Pick<Bid, 'id' | 'attempt'>[] },
): BidDraft {
  const { ended, all } = bids;
  const shownBids = Object.fromEntries(all.map(({ id, attempt }) => [id, attempt]));
  const seen = ended ? { ...draft.seen, [ended.id]: ended.attempt } : draft.seen;
  if (isDeepEqual(seen, draft.seen) && isDeepEqual(shownBids, draft.shownBids)) return draft;
  return { ...draft, seen, shownBids, shown: draft.shown + 1 };
}

/** Deletes a draft that became a job. A draft changed since it was sent stays: it may become another bid. */
export async function discardBidDraft(tx: Transaction, owner: DraftOwner, id: DraftId): Promise<void> {
  const draft = await readBidDraft(tx, owner, id);
  if (draft?.sentAt !== undefined && draft.at > draft.sentAt) return;
  await deleteBidDraft(tx, owner, id);
}

/** The draft that a bid was sent from, unless the person changed it since. */
export async function findDraftOfBid(
  tx: ReadTransaction,
  { by: user, channel, project, request }: Pick<Bid, 'by' | 'channel' | 'project' | 'request'>,
): Promise<BidDraft | undefined> {
  const draft = await findBidDraft(tx, { user }, { channel, project });
  const isSent = draft?.sentAt !== undefined && draft.at <= draft.sentAt;
  return isSent && draft.form.setup === request.setup ? draft : undefined;
}

/** Deletes a draft at its owner's wish. */
export async function deleteBidDraft(tx: Transaction, owner: DraftOwner, id: DraftId): Promise<void> {
  await tx.delete(bidDrafts, [owner.user, id]);
}

/** A person's drafts that are not outdated, last changed first. */
export async function listBidDrafts(tx: ReadTransaction, { user }: DraftOwner, now: Instant, limit: number) {
  const from = [now - BID_DRAFT_RETENTION_MS];
  const range = { index: 'byUser', prefix: [user] as const, from, limit, reverse: true };
  return (await tx.list(bidDrafts, range)).map(({ value }) => value);
}
