/** The proposal mirror on the machine's disk, beside a marketplace that answers at once. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { machineClock, type RandomSource } from '../../src/clock.ts';
import { ChannelId, type ProfileId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Proposal } from '../../src/marketplace/schema.ts';
import type { ProposalMirror } from '../../src/proposals/mirror.ts';
import { createProposalMirror } from '../../src/proposals/mirror.ts';
import { createDiskCache } from '../../src/storage/shelves/disk-cache.ts';
import type { Store } from '../../src/storage/store.ts';
import { watchStalls } from '../watch-stalls.ts';

export interface MirrorPlace {
  readonly folder: string;
  readonly store: Store;
  /** Proposals of one profile, newest first. */
  readonly proposals: readonly Proposal[];
  readonly profile: ProfileId;
  readonly random: RandomSource;
}

export interface MirrorRun {
  readonly ms: number;
  /** The longest stall of the event loop. */
  readonly stallMs: number;
  readonly requests: number;
  readonly size: number;
}

/** Runs a mirror over the folder until the condition holds. */
export async function runMirror(
  place: MirrorPlace,
  until: (mirror: ProposalMirror) => boolean,
): Promise<MirrorRun> {
  const asked = { requests: 0 };
  const mirror = create(place, asked);
  const ending = new AbortController();
  const stalls = watchStalls();
  const began = performance.now();
  const run = mirror.run(ending.signal);
  while (!until(mirror)) await machineClock.sleep(5);
  const ms = performance.now() - began;
  const stallMs = stalls();
  ending.abort();
  await run;
  return { ms, stallMs, requests: asked.requests, size: mirror.size };
}

function create({ folder, store, proposals, profile, random }: MirrorPlace, asked: { requests: number }) {
  const feed = {
    channel: ChannelId.parse('C1'),
    kind: 'outcomes' as const,
    profile,
    by: UserId.parse('U1'),
    createdAt: 0,
    startsAt: 0,
  };
  return createProposalMirror({
    store,
    shelves: createDiskCache({ folder, schema: Proposal, log: silentLog }),
    profiles: { listAllProfileFeeds: async () => [{ feed }] },
    marketplace: {
      fetchProposals: async ({ page = 1, limit = 20 }) => {
        asked.requests += 1;
        // Keeps strings as separate from stored ones as a server's answer would.
        const items = structuredClone(proposals.slice((page - 1) * limit, page * limit));
        const total = proposals.length;
        return { items, unreadable: 0, paging: { total, page, limit, pages: Math.ceil(total / limit) } };
      },
    },
    gate: { status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }) },
    clock: machineClock,
    random,
    log: silentLog,
  });
}

export interface OnDisk {
  readonly files: number;
  readonly kilobytes: number;
  readonly largestKilobytes: number;
}

export async function measureFolder(folder: string): Promise<OnDisk> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size / 1e3));
  return {
    files: names.length,
    kilobytes: sizes.reduce((sum, size) => sum + size, 0),
    largestKilobytes: Math.max(...sizes),
  };
}
