/** Updates the index from the mirror in slices, so nothing else waits for it. */

import { WakeSignal } from '../base/wake-signal.ts';
import type { Clock } from '../clock.ts';
import type { ProposalId } from '../ids.ts';
import type { Log } from '../log.ts';
import { proposalSearchText } from '../query/proposal-search.ts';
import type { ProposalIndex } from './index-proposals.ts';
import type { ProposalMirror } from './mirror.ts';

export type SearchableMirror = Pick<
  ProposalMirror,
  'listNewestFirst' | 'onChange' | 'onForget' | 'get' | 'getFacts' | 'size'
>;

export interface IndexUpdaterOptions {
  readonly mirror: SearchableMirror;
  readonly index: ProposalIndex;
  readonly clock: Clock;
  readonly log: Log;
  /** Lets other work run; a zero-length sleep when absent. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

export interface IndexUpdater {
  run(signal: AbortSignal): Promise<void>;
  readonly unindexedCount: number;
}

/** A slice ends at whichever limit comes first. */
const SLICE_MS = 8;
const SLICE_PROPOSALS = 100;
/** Only changes make work; this is how long the wake signal waits without one. */
const LONGEST_WAIT_MS = 3_600_000;

export function createIndexUpdater({ mirror, index, clock, log, pause }: IndexUpdaterOptions): IndexUpdater {
  const rest = pause ?? ((signal) => clock.sleep(0, signal));
  const pending = new Set<ProposalId>();
  const bell = new WakeSignal();
  let hasBegun = false;

  mirror.onChange((changes) => {
    for (const { now } of changes) pending.add(now.id);
    bell.wake();
  });
  mirror.onForget((forgotten) => {
    for (const { id } of forgotten) pending.add(id);
    bell.wake();
  });

  /**
   * Queues missing proposals, newest first so that the likeliest searches work first, and those that the
   * mirror dropped.
   */
  function takeStock(): void {
    for (const { id } of mirror.listNewestFirst()) if (!index.has(id)) pending.add(id);
    for (const id of index.ids()) if (!mirror.getFacts(id)) pending.add(id);
  }

  function indexSlice(): void {
    const until = clock.now() + SLICE_MS;
    let left = SLICE_PROPOSALS;
    for (const id of pending) {
      if (left-- === 0 || clock.now() >= until) return;
      pending.delete(id);
      const [facts, proposal] = [mirror.getFacts(id), mirror.get(id)];
      if (facts && proposal) index.put(facts, proposalSearchText(proposal));
      else index.remove(id);
    }
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    const began = clock.now();
    const before = index.size;
    while (pending.size > 0 && !signal.aborted) {
      indexSlice();
      if (pending.size > 0) await rest(signal);
    }
    if (index.size !== before)
      log.debug('Proposal search index built', { held: index.size, tookMs: clock.now() - began });
  }

  return {
    async run(signal) {
      hasBegun = true;
      // Once is enough: from here on every change arrives through the listener.
      takeStock();
      while (!signal.aborted) {
        await catchUp(signal).catch((thrown: unknown) => {
          if (!signal.aborted) throw thrown;
        });
        await bell.wait(clock, LONGEST_WAIT_MS, signal);
      }
    },
    get unindexedCount() {
      return hasBegun ? pending.size : Math.max(0, mirror.size - index.size);
    },
  };
}
