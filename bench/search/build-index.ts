/** Builds the search index over existing proposals. */
import { performance } from 'node:perf_hooks';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { createProposalSearch, type ProposalSearch } from '../../src/proposals/create-search.ts';
import { watchStalls } from '../watch-stalls.ts';

export interface Built {
  readonly search: ProposalSearch;
  readonly tookMs: number;
  /** The longest stall of the event loop. */
  readonly stallMs: number;
  /** The longest slice by CPU time: the part of a stall that isn't the machine's. */
  readonly sliceCpuMs: number;
}

export async function buildIndex(proposals: readonly Proposal[]): Promise<Built> {
  const byId = new Map(proposals.map((each) => [each.id, each]));
  let sliceCpuMs = 0;
  let usage = process.cpuUsage();
  const search = createProposalSearch({
    mirror: {
      size: proposals.length,
      listNewestFirst: () => proposals,
      get: (id) => byId.get(id),
      getFacts: (id) => byId.get(id),
      onChange() {},
      onForget() {},
    },
    clock: machineClock,
    log: silentLog,
    async pause(signal) {
      const { user, system } = process.cpuUsage(usage);
      sliceCpuMs = Math.max(sliceCpuMs, (user + system) / 1_000);
      await machineClock.sleep(0, signal);
      usage = process.cpuUsage();
    },
  });
  const stop = new AbortController();
  const stalls = watchStalls();
  const began = performance.now();
  usage = process.cpuUsage();
  const running = search.run(stop.signal);
  while (search.unindexedCount > 0) await machineClock.sleep(2);
  const tookMs = performance.now() - began;
  const stallMs = stalls();
  stop.abort();
  await running;
  return { search, tookMs, stallMs, sliceCpuMs };
}
