/**
 * Decides what a page changes in the mirror, and stores it: passes changes on, writes the cache files, and
 * only then updates the memory.
 */

import { isDeepEqual } from '../base/is-deep-equal.ts';
import type { Instant } from '../clock.ts';
import { ProfileId, type ProposalId } from '../ids.ts';
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';
import type { CachedItem, ItemCache } from '../storage/shelves/item-cache.ts';
import { type MirroredProposal, MirrorMemory } from './mirror-memory.ts';

/** A proposal before and after an update; without `before` it is new. */
export interface ProposalChange {
  readonly before?: Proposal;
  readonly now: Proposal;
}

export type ProposalChangeHandler = (changes: readonly ProposalChange[]) => Promise<void>;

/** When a profile's first copy was complete; undefined before that, and for an unfollowed profile. */
export type CopyCompletedTimeFinder = (profile: ProfileId) => Instant | undefined;

export interface ProposalBatch {
  readonly proposals: readonly Proposal[];
  /** The profile whose list they come from. A proposal that was fetched alone keeps its lists. */
  readonly profile?: ProfileId;
  /** Time before the request was sent. */
  readonly askedAt: Instant;
  readonly now: Instant;
}

export interface MirrorChange {
  readonly held: MirroredProposal;
  readonly shelves: readonly string[];
  /** Undefined when the proposal is already known and only appears in one more list. */
  readonly change?: ProposalChange;
  /** Whether it is news for channels that follow outcomes, and not history. */
  readonly isNews: boolean;
}

function isNews(
  before: MirroredProposal | undefined,
  held: MirroredProposal,
  copiedAt: CopyCompletedTimeFinder,
): boolean {
  const copied = [...held.shelves.keys()].flatMap((profile) => copiedAt(profile) ?? []);
  if (before) return copied.length > 0;
  const { submittedAt = 0 } = held.proposal;
  return copied.some((at) => submittedAt > at);
}

function latestOf(before: MirroredProposal, read: Proposal, { askedAt, now }: ProposalBatch): Proposal {
  // A future time doesn't count: the clock was wrong then.
  const isStale = before.at > askedAt && before.at <= now;
  return isStale ? before.proposal : mergeProposal(before.proposal, read);
}

function shelvesAfter(
  before: MirroredProposal | undefined,
  profile: ProfileId | undefined,
  proposal: Proposal,
) {
  const shelves = new Map(before?.shelves);
  if (profile !== undefined && !shelves.has(profile))
    shelves.set(profile, buildCacheFileName(profile, proposal.submittedAt));
  return shelves;
}

function decideOne(
  memory: MirrorMemory,
  proposal: Proposal,
  reading: ProposalBatch,
  copiedAt: CopyCompletedTimeFinder,
): MirrorChange | undefined {
  const before = memory.get(proposal.id);
  const now = before ? latestOf(before, proposal, reading) : proposal;
  const shelves = shelvesAfter(before, reading.profile, now);
  if (shelves.size === 0) return undefined;
  const isChanged = !before || !isDeepEqual(before.proposal, now);
  const isInOneMore = shelves.size > (before?.shelves.size ?? 0);
  if (!isChanged && !isInOneMore) return undefined;
  // Lines of later answers get later times, even after the clock was set back.
  const at = isChanged ? Math.max(reading.askedAt, before ? before.at + 1 : 0) : before.at;
  const held = { proposal: now, at, shelves };
  const added = [...shelves].filter(([profile]) => isChanged || !before?.shelves.has(profile));
  return {
    held,
    shelves: added.map(([, shelf]) => shelf),
    change: isChanged ? (before ? { before: before.proposal, now } : { now }) : undefined,
    isNews: isChanged && isNews(before, held, copiedAt),
  };
}

/** If a proposal comes twice, the last one counts. */
export function decideMirrorChanges(
  memory: MirrorMemory,
  reading: ProposalBatch,
  copiedAt: CopyCompletedTimeFinder,
): MirrorChange[] {
  const byId = new Map(reading.proposals.map((proposal) => [proposal.id, proposal]));
  return [...byId.values()].flatMap((proposal) => decideOne(memory, proposal, reading, copiedAt) ?? []);
}

/** Kept when a later answer lacks them. Everything else may disappear: a position, a boost, an outcome. */
const LASTING_FACTS = [
  'applicationUid',
  'submittedAt',
  'jobTitle',
  'jobPostedAt',
  'profile',
  'organization',
  'freelancer',
  'businessManager',
  'occupationUid',
  'occupation',
  'variant',
  'template',
] as const satisfies readonly (keyof Proposal)[];

function mergeProposal(before: Proposal, now: Proposal): Proposal {
  const merged = {
    ...now,
    coverLetter: now.coverLetter || before.coverLetter,
    answers: now.answers.length > 0 ? now.answers : before.answers,
  };
  const missing = LASTING_FACTS.filter((fact) => now[fact] === undefined && before[fact] !== undefined);
  if (missing.length === 0) return merged;
  return { ...Object.fromEntries(missing.map((fact) => [fact, before[fact]])), ...merged };
}

/** @param submittedAt decides the month, in UTC */
export function buildCacheFileName(profile: ProfileId, submittedAt: Instant | undefined): string {
  const isDate = submittedAt !== undefined && !Number.isNaN(new Date(submittedAt).getTime());
  const month = isDate ? /^(\d{4}-\d{2})/.exec(new Date(submittedAt).toISOString())?.[1] : undefined;
  return `${profile}-${month ?? 'undated'}`;
}

/** The profile of a cache file; undefined for a foreign name. */
export function parseCacheFileProfile(shelf: string): ProfileId | undefined {
  const parsed = ProfileId.safeParse(Number(/^(\d+)-/.exec(shelf)?.[1]));
  return parsed.success ? parsed.data : undefined;
}

interface MirrorWriterOptions {
  readonly shelves: ItemCache<Proposal>;
  readonly copiedAt: CopyCompletedTimeFinder;
  readonly onChanges?: ProposalChangeHandler;
}

export class MirrorWriter {
  readonly memory = new MirrorMemory();
  readonly #parts: MirrorWriterOptions;
  readonly #listeners: ((changes: readonly ProposalChange[]) => void)[] = [];
  readonly #forgetting: ((forgotten: readonly ProposalWithoutTexts[]) => void)[] = [];
  /** Batches run one after another: each is compared with the result of the previous one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: MirrorWriterOptions) {
    this.#parts = parts;
  }

  onChange(listener: (changes: readonly ProposalChange[]) => void): void {
    this.#listeners.push(listener);
  }

  onForget(listener: (forgotten: readonly ProposalWithoutTexts[]) => void): void {
    this.#forgetting.push(listener);
  }

  /** @returns how many lines were unreadable. @throws StorageError */
  loadShelves(): Promise<number> {
    return this.#inTurn(() => this.#parts.shelves.load((shelf, items) => this.#takeLoaded(shelf, items)));
  }

  /**
   * Passes news on, stores everything, and notifies the listeners.
   * @throws the error of the change handler, or StorageError: then the batch changes nothing.
   */
  storeBatch(reading: ProposalBatch): Promise<void> {
    return this.#inTurn(async () => {
      const { shelves, copiedAt, onChanges } = this.#parts;
      const changes = decideMirrorChanges(this.memory, reading, copiedAt);
      if (changes.length === 0) return;
      const news = changes.flatMap(({ change, isNews }) => (change && isNews ? [change] : []));
      if (news.length > 0) await onChanges?.(news);
      await shelves.put(
        changes.flatMap(({ held: { proposal, at }, shelves: names }) =>
          names.map((shelf) => ({ shelf, key: proposal.id, at, value: proposal })),
        ),
      );
      for (const { held } of changes) this.memory.put(held);
      this.#tell(changes.flatMap(({ change }) => change ?? []));
    });
  }

  /** For a profile that nobody follows any more. @throws StorageError; the profile stays in memory then. */
  forgetProfile(profile: ProfileId): Promise<void> {
    return this.#inTurn(async () => {
      await this.#parts.shelves.dropShelves(this.memory.listShelves(profile));
      const forgotten = this.memory.removeProfile(profile);
      if (forgotten.length > 0) for (const listener of this.#forgetting) listener(forgotten);
    });
  }

  async waitForPendingWrites(): Promise<void> {
    await this.#turn;
    await this.#parts.shelves.waitUntilIdle();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #tell(changes: readonly ProposalChange[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }

  #takeLoaded(shelf: string, items: readonly CachedItem<Proposal>[]): void {
    const profile = parseCacheFileProfile(shelf);
    if (profile === undefined) return;
    const loaded = new Map<ProposalId, ProposalChange>();
    /** Most proposals are in one list only: they share this map. */
    const onThisAlone: MirroredProposal['shelves'] = new Map([[profile, shelf]]);
    for (const { at, value } of items) {
      const before = this.memory.get(value.id);
      const shelves = before ? new Map(before.shelves).set(profile, shelf) : onThisAlone;
      // Another profile's cache file may have a later version of the same proposal.
      const isLater = !before || at >= before.at;
      this.memory.put(isLater ? { proposal: value, at, shelves } : { ...before, shelves });
      if (isLater) loaded.set(value.id, before ? { before: before.proposal, now: value } : { now: value });
    }
    this.#tell([...loaded.values()]);
  }
}
