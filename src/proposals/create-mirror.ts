/** Creates the mirror: its loop reads one page at a time for the profile whose turn it is. */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { ProfileId } from '../ids.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../profiles/records.ts';
import { StorageError } from '../storage/store.ts';
import { readSyncsByFollowState, resetSyncsWithLostProposals } from './followed-syncs.ts';
import type { MirrorContext, ProposalMirror } from './mirror.ts';
import { MirrorWriter } from './mirror-writer.ts';
import { recordSyncFailure, syncProposalPage } from './sync-page.ts';
import { chooseNextProfileSync, type SyncStep } from './sync-plan.ts';
import { estimateMirrorProgress } from './sync-record.ts';

const LONGEST_SLEEP_MS = 10 * MINUTE;
/** A full disk needs time before a retry is worthwhile. */
const AFTER_FAULT_MS = MINUTE;

export function createProposalMirror(context: MirrorContext): ProposalMirror {
  const { team, store, profiles, gate, clock, log } = context;
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
      resetSyncsWithLostProposals(tx, team, (profile) => memory.countInProfile(profile)),
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
    const found = await readSyncsByFollowState(store, team, followed, memory.listProfiles(), clock.now());
    syncs = found.followed;
    for (const sync of found.expired) await forget(sync);
  }

  async function read(sync: ProfileSync, step: Extract<SyncStep, { kind: 'read' }>, signal: AbortSignal) {
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
    get: (id) => memory.get(id)?.proposal,
    getFacts: (id) => memory.getFacts(id),
    getByApplicationUid: (uid) => memory.getByApplicationUid(uid),
    listNewestFirst: () => memory.listNewestFirst(),
    estimateProgress() {
      const now = clock.now();
      const followed = syncs.map((sync) => ({ sync, held: memory.countInProfile(sync.profile) }));
      return estimateMirrorProgress(followed, gate.status(), ownRequests(now).length, now);
    },
    async addFetchedProposal(proposal) {
      // Before loading ends, new proposals can't be recognized; the first check finds them.
      if (!isLoaded) return;
      const now = clock.now();
      const profile = syncs.find((sync) => sync.profile === proposal.profile?.id)?.profile;
      const place = profile === undefined ? {} : { profile };
      await keeper.storeBatch({ proposals: [proposal], askedAt: now, now, ...place });
    },
    onChange: (listener) => keeper.onChange(listener),
    onForget: (listener) => keeper.onForget(listener),
    wake: () => bell.wake(),
  };
}
