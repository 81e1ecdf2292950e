/** Stores new data: passes changes on, writes the cache files, and only then updates the memory. */
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';
import type { DiskCache, DiskCacheItem, Shelved } from '../storage/shelves/disk-cache.ts';
import type { ProposalChange } from './mirror.ts';
import {
  type CopyCompletedTimeFinder,
  decideMirrorChanges,
  type MirrorChange,
  type ProposalBatch,
  parseCacheFileProfile,
} from './mirror-changes.ts';
import { type MirroredProposal, MirrorMemory } from './mirror-memory.ts';

export type ProposalChangeHandler = (changes: readonly ProposalChange[]) => Promise<void>;

interface MirrorWriterOptions {
  readonly shelves: DiskCache<Proposal>;
  readonly copiedAt: CopyCompletedTimeFinder;
  readonly onChanges?: ProposalChangeHandler;
}

function linesOf({ held, shelves }: MirrorChange): DiskCacheItem<Proposal>[] {
  const { proposal, at } = held;
  return shelves.map((shelf) => ({ shelf, key: proposal.id, at, value: proposal }));
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
      await shelves.put(changes.flatMap(linesOf));
      for (const { held } of changes) this.memory.put(held);
      this.#tell(changes.flatMap(({ change }) => change ?? []));
    });
  }

  /** For a profile that nobody follows any more. @throws StorageError; the profile stays in memory then. */
  forgetProfile(profile: ProfileId): Promise<void> {
    return this.#inTurn(async () => {
      await this.#parts.shelves.dropFiles(this.memory.listShelves(profile));
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

  #takeLoaded(shelf: string, items: readonly Shelved<Proposal>[]): void {
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
