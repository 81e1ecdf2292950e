/** Bids that people have begun to fill in: what was typed outlives a closed modal, a refusal and a restart. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { DAY, type Instant, type Random } from '../clock.ts';
import { isDeepEqual } from '../feed/merge-project.ts';
import {
  type ChannelId,
  DraftId,
  type ProjectKey,
  randomId,
  type SetupId,
  type TeamId,
  type UserId,
} from '../ids.ts';
import { isLinkOnlyId } from '../marketplace/project-key.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { isBlank } from '../typed/texts.ts';
import { type Bid, type BidDraft, type BidForm, bidDraftKey, bidDrafts, EMPTY_BID_FORM } from './records.ts';

/** What is older is cleared out. */
export const BID_DRAFT_RETENTION_MS = 30 * DAY;
/** More than the one that is added, so that the old run out. */
const CLEARED_AT_ONCE = 5;

/** Whose draft: a key that names another person's finds nothing. */
export interface DraftOwner {
  readonly team: TeamId;
  readonly user: UserId;
}

/** What only a lookup says of a project. */
export type LookedUpFact = 'questions' | 'connectsPrice' | 'usOnly' | 'ukOnly';

/** What is known of a project when somebody begins to bid on it. */
export interface BidProjectInfo {
  readonly channel: ChannelId;
  readonly project: ProjectKey;
  readonly title: string;
  readonly url?: string;
  readonly questions?: readonly string[];
  readonly connectsPrice?: number;
  readonly usOnly?: boolean;
  readonly ukOnly?: boolean;
  readonly marketplaceJobId?: string;
  /** Chosen already, by whoever asks for the modal. */
  readonly setup?: SetupId;
  /** Chosen in a new draft that says no other. */
  readonly suggested?: SetupId;
  /** What a new draft begins with: an earlier bid that is tried anew. */
  readonly form?: BidForm;
}

/** One input of Slack's holds so many characters; a longer text needs two. */
const ONE_INPUT = 3_000;

/**
 * The person's unfinished draft for this project in this channel, with what has become known since; else a new one. What they
 * typed stays, except that a setup which they named just now is chosen.
 */
export async function openBidDraft(
  tx: Transaction,
  owner: DraftOwner,
  subject: BidProjectInfo,
  { at, random }: { readonly at: Instant; readonly random: Random },
): Promise<BidDraft> {
  const { team, user } = owner;
  await deleteOldRecords(tx, bidDrafts, {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: BID_DRAFT_RETENTION_MS,
    limit: CLEARED_AT_ONCE,
  });
  const found = await findBidDraft(tx, owner, subject);
  const kept = found && withoutRecognitionId(found);
  const before = kept ?? begin(owner, subject, DraftId.parse(randomId(random)), at);
  const draft = { ...withNews(before, subject), at };
  await tx.put(bidDrafts, bidDraftKey(team, user, draft.id), draft);
  return draft;
}

/** The person's newest unfinished draft for the project in the channel, under whatever name the project had then. */
export async function findBidDraft(
  tx: ReadTransaction,
  { team, user }: DraftOwner,
  { channel, project }: Pick<BidProjectInfo, 'channel' | 'project'>,
): Promise<BidDraft | undefined> {
  const { keys } = await findProjectAliases(tx, team, { project });
  const found: BidDraft[] = [];
  for (const key of keys) {
    const range = { index: 'byPlace', prefix: [team, user, channel, key] as const };
    found.push(
      ...(await tx.list(bidDrafts, { ...range, limit: 1, reverse: true })).map(({ value }) => value),
    );
  }
  return found.sort((a, b) => b.at - a.at)[0];
}

function begin(owner: DraftOwner, subject: BidProjectInfo, id: DraftId, at: Instant): BidDraft {
  const { channel, project, title, suggested, form: begun = EMPTY_BID_FORM } = subject;
  const form = suggested === undefined ? begun : { setup: suggested, ...begun };
  const isLong = [form.coverLetter, ...form.answers].some((text) => text.length > ONE_INPUT);
  return { ...owner, id, channel, project, title, form, parts: isLong ? 2 : 1, seen: {}, at };
}

/** Earlier versions filled in a link's `pid` as the job id: the person is asked for the real one. */
function withoutRecognitionId(draft: BidDraft): BidDraft {
  const { form, project } = draft;
  if (!isLinkOnlyId(project, form.marketplaceJobId)) return draft;
  return { ...draft, form: { ...form, marketplaceJobId: '' } };
}

/**
 * A draft with what is newly known of its project. Questions are exchanged only while no answer is typed: an answer must not
 * slip under another question.
 */
function withNews(draft: BidDraft, news: Omit<BidProjectInfo, 'channel' | 'project' | 'form'>): BidDraft {
  const { form } = draft;
  const keepsQuestions = draft.questions !== undefined && form.answers.some((answer) => !isBlank(answer));
  const jobId = isBlank(form.marketplaceJobId) ? news.marketplaceJobId : undefined;
  return {
    ...draft,
    ...(news.title === '' ? {} : { title: news.title }),
    ...(news.url === undefined ? {} : { url: news.url }),
    ...(news.questions === undefined || keepsQuestions ? {} : newQuestions(draft, news.questions)),
    ...(news.connectsPrice === undefined ? {} : { connectsPrice: news.connectsPrice }),
    ...(news.usOnly === undefined ? {} : { usOnly: news.usOnly }),
    ...(news.ukOnly === undefined ? {} : { ukOnly: news.ukOnly }),
    form: {
      ...form,
      ...(jobId === undefined ? {} : { marketplaceJobId: jobId }),
      ...(news.setup === undefined ? {} : { setup: news.setup }),
    },
  };
}

/** How a view names its draft: by its id, and by what it shows of bids, `abc123de.2`. */
export function formatDraftRevision({ id, shown = 0 }: Pick<BidDraft, 'id' | 'shown'>): string {
  return `${id}.${shown}`;
}

function newQuestions({ questions, shown = 0 }: BidDraft, asked: readonly string[]): Partial<BidDraft> {
  if (questions === undefined) return { questions: [...asked] };
  return isDeepEqual(questions, asked) ? {} : { questions: [...asked], shown: shown + 1, asks: shown + 1 };
}

/** Whether the view of that mark shows other questions than the draft has: what was typed there answers those. */
export function hasOutdatedQuestions({ asks = 0 }: BidDraft, mark: string): boolean {
  const [, shown = ''] = mark.split('.');
  return !(Number(shown) >= asks);
}

/** The draft of that id, or of a view's mark, where it is this person's. */
export async function readBidDraft(
  tx: ReadTransaction,
  { team, user }: DraftOwner,
  mark: string,
): Promise<BidDraft | undefined> {
  const [id] = mark.split('.');
  const parsed = DraftId.safeParse(id);
  return parsed.success ? tx.get(bidDrafts, bidDraftKey(team, user, parsed.data)) : undefined;
}

/** Changes a draft. @returns it as stored; undefined when it is gone, or somebody else's. */
async function changeDraft(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  change: (draft: BidDraft) => BidDraft,
): Promise<BidDraft | undefined> {
  const before = await readBidDraft(tx, owner, id);
  if (!before) return undefined;
  const draft = change(before);
  await tx.put(bidDrafts, bidDraftKey(owner.team, owner.user, draft.id), draft);
  return draft;
}

/** Keeps what was typed. @param fill makes the form anew out of the stored draft, so that a field that is not shown stays. */
export function saveBidForm(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  fill: (draft: BidDraft) => BidForm,
  at: Instant,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => ({ ...draft, form: fill(draft), at }));
}

/** Notes that the form is about to be sent. */
export function markDraftSent(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  at: Instant,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => ({ ...draft, sentAt: at }));
}

/** Gives each long text two inputs. */
export function splitLongTextInputs(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => ({ ...draft, parts: 2 }));
}

/** Gives the form other inputs, in which nothing stands but what is stored. */
export function resetDraftInputs(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => ({ ...draft, afresh: (draft.afresh ?? 0) + 1 }));
}

/** Adds what was learned of the project meanwhile. */
export function addProjectInfo(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  news: Pick<BidProjectInfo, 'title' | 'url' | LookedUpFact>,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => withNews(draft, news));
}

/**
 * By bid: the attempt whose end stood in the view that was sent.
 * @param mark of that view: what was put on another device's screen since, or here after a first sending, does not count for it
 */
export function seenAttempts(draft: BidDraft, mark: string): BidDraft['seen'] {
  return mark === formatDraftRevision(draft) ? draft.seen : {};
}

/** The attempts of all bids on the project that the submitted view showed, by bid. @param mark of that view */
export function shownAttempts(draft: BidDraft, mark: string): NonNullable<BidDraft['shownBids']> {
  return mark === formatDraftRevision(draft) ? (draft.shownBids ?? {}) : {};
}

/** Bids that a form shows. */
export interface ShownBids {
  /** The bid that the form would repeat, where its last attempt has ended. */
  readonly ended?: Pick<Bid, 'id' | 'attempt'> | undefined;
  /** Every bid on the project, in whatever state. */
  readonly all: readonly Pick<Bid, 'id' | 'attempt'>[];
}

/** The draft as it is once its form shows these bids. Returns the same draft where nothing changes. */
export function withShownBids(draft: BidDraft, { ended, all }: ShownBids): BidDraft {
  const shownBids = Object.fromEntries(all.map(({ id, attempt }) => [id, attempt]));
  const seen = ended ? { ...draft.seen, [ended.id]: ended.attempt } : draft.seen;
  if (isDeepEqual(seen, draft.seen) && isDeepEqual(shownBids, draft.shownBids ?? {})) return draft;
  return { ...draft, seen, shownBids, shown: (draft.shown ?? 0) + 1 };
}

/** Records what the form is about to show; a view without the draft's new mark does not show it. */
export function recordShownBids(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  bids: ShownBids,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => withShownBids(draft, bids));
}

/** It has become a job. One that was opened or filled in again since it was sent stays: another bid may come of it. */
export async function discardBidDraft(tx: Transaction, owner: DraftOwner, id: DraftId): Promise<void> {
  const draft = await readBidDraft(tx, owner, id);
  if (draft?.sentAt !== undefined && draft.at > draft.sentAt) return;
  await tx.delete(bidDrafts, bidDraftKey(owner.team, owner.user, id));
}
