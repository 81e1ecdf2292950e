/** The mirror: proposals of followed profiles, in memory and in their own files. Costs no credits. */

import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE } from '../clock.ts';
import { type NameDirectory, namesInProposal } from '../directory/directory.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { MarketplaceClient, RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { Proposal, ProposalWithoutTexts } from '../marketplace/schema.ts';
import { notifyProfileFailure, recordWorkingSync } from '../profiles/notify-failure.ts';
import type { ProfileFeedService } from '../profiles/profiles.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../profiles/records.ts';
import type { ItemCache } from '../storage/shelves/item-cache.ts';
import { StorageError, type Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import {
  detectAscendingOrder,
  inferServerPageSize,
  type ProposalPageFacts,
  toProposalSortKey,
} from './copy-plan.ts';
import { MirrorWriter, type ProposalChange, type ProposalChangeHandler } from './mirror-writer.ts';
import {
  chooseNextProfileSync,
  escalateSyncFailure,
  MAX_PROPOSALS_PER_PAGE,
  type SyncStep,
} from './sync-plan.ts';
import {
  applyPageRead,
  estimateMirrorProgress,
  type MirrorProgress,
  readSyncsByFollowState,
  resetSyncsWithLostProposals,
} from './sync-record.ts';

export type { ProposalChange } from './mirror-writer.ts';
export type { MirrorProgress } from './sync-record.ts';

/** The mirror's dependencies. */
export interface MirrorContext extends Pick<Workspace, 'store' | 'clock' | 'random' | 'log' | 'clockGuard'> {
  /** Used only by the mirror. */
  readonly shelves: ItemCache<Proposal>;
  readonly profiles: Pick<ProfileFeedService, 'listAllProfileFeeds'>;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposals'>;
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
  readonly gate: Pick<RequestGate, 'status'>;
  /**
   * Gets all news and is awaited before it is stored:
   * - a new proposal of a followed profile (no `before`), submitted after the profile's first copy was
   *   complete;
   * - any change to a known proposal of a followed profile whose first copy is complete.
   *
   * A first copy passes nothing here. A profile that was unfollowed for a while counts as a first copy again.
   * If the process ends or this throws before the news is stored, the same news comes again, so the handler
   * must be idempotent. Otherwise each change comes once. Files lost from disk and read again may also repeat
   * news.
   */
  readonly onChanges?: ProposalChangeHandler;
}

type ReadStep = Extract<SyncStep, { kind: 'read' }>;

/** Call it before the page is stored: it reports which proposals were already known. */
function factsOf(
  answer: RecordPage<Proposal>,
  sync: ProfileSync,
  { page }: ReadStep,
  { memory }: MirrorWriter,
): ProposalPageFacts {
  const { items, unreadable, paging } = answer;
  const { profile, copy } = sync;
  const { total, pages, limit } = paging;
  const slots = items.length + unreadable;
  const answered = { total, pages, limit };
  const places = items.map(toProposalSortKey);
  return {
    page,
    itemCount: slots,
    sortKeys: places,
    knownSortKeys: items.flatMap(({ id }) => {
      const facts = memory.isInProfile(profile, id) ? memory.getFacts(id) : undefined;
      return facts ? [toProposalSortKey(facts)] : [];
    }),
    size: inferServerPageSize(MAX_PROPOSALS_PER_PAGE, { ...answered, slots, page }, copy?.size),
    ascending: detectAscendingOrder(places) ?? copy?.ascending ?? false,
    ...answered,
  };
}

/** The present sync record: others write to it too. */
async function current(tx: Transaction, sync: ProfileSync): Promise<ProfileSync> {
  return (await tx.get(profileSyncs, profileSyncKey(sync))) ?? sync;
}

/**
 * Reads and stores a page, and records how far the profile was read.
 * @throws MarketplaceError, StorageError, an error of the change handler, or the signal's reason. The page
 * counts as unread then.
 */
async function syncProposalPage(
  context: MirrorContext,
  keeper: MirrorWriter,
  sync: ProfileSync,
  step: ReadStep,
  signal: AbortSignal,
): Promise<void> {
  const { store, marketplace, clock, directory } = context;
  const { profile } = sync;
  const askedAt = clock.now();
  const query = { profile, page: step.page, order: 'DESC', limit: MAX_PROPOSALS_PER_PAGE } as const;
  const answer = await marketplace.fetchProposals(query, { lane: 'sync', signal });
  signal.throwIfAborted();
  const facts = factsOf(answer, sync, step, keeper);
  const heldBefore = keeper.memory.countInProfile(profile);
  await keeper.storeBatch({ proposals: answer.items, profile, askedAt, now: clock.now() });
  const held = keeper.memory.countInProfile(profile);
  const { unreadable } = answer;
  const at = clock.now();
  const read = { why: step.why, facts, found: held - heldBefore, held, unreadable, at };
  await store.transact(async (tx) => {
    await directory?.recordNames(tx, answer.items.flatMap(namesInProposal), at);
    await recordWorkingSync(tx, applyPageRead(await current(tx, sync), read), at);
  });
}

async function recordSyncFailure(
  { store, clock, random }: MirrorContext,
  sync: ProfileSync,
  thrown: unknown,
): Promise<void> {
  const at = clock.now();
  const error = thrown instanceof MarketplaceError ? thrown : undefined;
  const { retryAfterMs } = error?.details ?? {};
  // An internal error counts like an unreadable answer, so one profile doesn't block the others.
  const failure = { code: error?.code ?? 'unreadable', retryAfterMs };
  await store.transact(async (tx) => {
    const now = await current(tx, sync);
    const trouble = escalateSyncFailure(now.trouble, failure, at, random);
    await notifyProfileFailure(tx, { ...now, trouble }, at);
  });
}

const LONGEST_SLEEP_MS = 10 * MINUTE;
/** A full disk needs time before a retry is worthwhile. */
const AFTER_FAULT_MS = MINUTE;

export type ProposalMirror = ReturnType<typeof createProposalMirror>;

/** Its loop reads one page at a time for the profile whose turn it is. */
export function createProposalMirror(context: MirrorContext) {
  const { store, profiles, gate, clock, log } = context;
  const bell = new WakeSignal();
  /** The followed profiles, as of the last check. */
  let syncs: readonly ProfileSync[] = [];
  let isLoaded = false;
  const lastTurn = new Map<ProfileId, number>();
  let turns = 0;
  let requests: readonly Instant[] = [];

  const copiedAt = (profile: ProfileId) => syncs.find((sync) => sync.profile === profile)?.copy?.copiedAt;
  const keeper = new MirrorWriter({ ...context, copiedAt });
  const { memory } = keeper;

  function ownRequests(now: Instant): readonly Instant[] {
    return requests.filter((at) => at <= now && now - at < MINUTE);
  }

  async function load(): Promise<void> {
    const damaged = await keeper.loadShelves();
    const lost = await store.transact((tx) =>
      resetSyncsWithLostProposals(tx, (profile) => memory.countInProfile(profile)),
    );
    if (damaged > 0 || lost.length > 0)
      log.warn('Stored proposals were lost, reading them again', { lines: damaged, profiles: lost });
    isLoaded = true;
  }

  async function forget(sync: ProfileSync): Promise<void> {
    await keeper.forgetProfile(sync.profile);
    await store.transact((tx) => tx.delete(profileSyncs, profileSyncKey(sync)));
    log.info('Deleted the proposals of a profile that is no longer followed', { profile: sync.profile });
  }

  async function look(): Promise<void> {
    const followed = new Set((await profiles.listAllProfileFeeds()).map(({ feed }) => feed.profile));
    const found = await readSyncsByFollowState(store, followed, memory.listProfiles(), clock.now());
    syncs = found.followed;
    for (const sync of found.expired) await forget(sync);
  }

  async function read(sync: ProfileSync, step: ReadStep, signal: AbortSignal) {
    const { profile } = sync;
    turns += 1;
    lastTurn.set(profile, turns);
    requests = [...ownRequests(clock.now()), clock.now()];
    try {
      await syncProposalPage(context, keeper, sync, step, signal);
    } catch (thrown) {
      if (signal.aborted || thrown instanceof StorageError) throw thrown;
      log.warn("Couldn't read a page of proposals", { profile, error: asError(thrown) });
      await recordSyncFailure(context, sync, thrown);
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    await look();
    const now = clock.now();
    const next = chooseNextProfileSync(syncs, lastTurn, gate.status().limitPerMinute, now);
    if (next.kind === 'read') return read(next.sync, next.step, signal);
    const waitMs = Math.min(LONGEST_SLEEP_MS, (next.until ?? Number.POSITIVE_INFINITY) - now);
    await bell.wait(clock, Math.max(1, waitMs), signal);
  }

  /**
   * Loads stored data, then copies and updates until stopped. Call once; never throws. An answer that arrives
   * after the stop is dropped, and the next process requests it again.
   */
  async function run(signal: AbortSignal): Promise<void> {
    const loop = { name: 'Proposal copy', retryAfterMs: AFTER_FAULT_MS };
    const loaded = new AbortController();
    const loadOnce = () => load().then(() => loaded.abort());
    // The search needs what is stored, even while the clock is wrong.
    await runLoop({ clock, log }, { ...loop, step: loadOnce }, AbortSignal.any([signal, loaded.signal]));
    await runLoop(context, { ...loop, step: turn }, signal);
    await keeper.waitForPendingWrites();
  }

  return {
    run,
    get isLoaded() {
      return isLoaded;
    },
    get size() {
      return memory.size;
    },
    /** Takes up to 0.1 ms, since it unpacks the cover letter. */
    get: (id: ProposalId): Proposal | undefined => memory.get(id)?.proposal,
    /** Everything except the long texts, without unpacking. */
    getFacts: (id: ProposalId): ProposalWithoutTexts | undefined => memory.getFacts(id),
    getByApplicationUid: (uid: string): Proposal | undefined => memory.getByApplicationUid(uid),
    /** Newest first, as of the moment of the call, even if the mirror changes during iteration. */
    listNewestFirst: (): Iterable<ProposalWithoutTexts> => memory.listNewestFirst(),
    /** Of the followed profiles. */
    estimateProgress(): readonly MirrorProgress[] {
      const now = clock.now();
      const followed = syncs.map((sync) => ({ sync, held: memory.countInProfile(sync.profile) }));
      return estimateMirrorProgress(followed, gate.status(), ownRequests(now).length, now);
    },
    /**
     * Adds a proposal that was just fetched elsewhere (by its id or uid). It is stored when it is known or
     * its profile is followed, and passed on like one of a page. Don't call it from `onChanges`: it would
     * wait for itself.
     * @throws StorageError when it can't be stored, and any error of `onChanges`.
     */
    async addFetchedProposal(proposal: Proposal): Promise<void> {
      // Before loading ends, new proposals can't be recognized; the first check finds them.
      if (!isLoaded) return;
      const now = clock.now();
      const profile = syncs.find((sync) => sync.profile === proposal.profile?.id)?.profile;
      await keeper.storeBatch({ proposals: [proposal], profile, askedAt: now, now });
    },
    /**
     * Called after every stored change, including history and data loaded at the start (without `before`).
     * The listener must not throw.
     */
    onChange: (listener: (changes: readonly ProposalChange[]) => void) => keeper.onChange(listener),
    /** Called with proposals dropped because nobody follows their profiles any more. Must not throw. */
    onForget: (listener: (forgotten: readonly ProposalWithoutTexts[]) => void) => keeper.onForget(listener),
    /** The followed profiles have changed: check again now. */
    wake: () => bell.wake(),
  };
}
