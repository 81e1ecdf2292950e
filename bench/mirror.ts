/** Measures the mirror with 20,000 proposals on the machine's own disk: the first copy, a start, and the stalls of both. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { keepProcessAlive, machineClock } from '../src/clock.ts';
import { ChannelId, ProfileId, TeamId, UserId } from '../src/ids.ts';
import { silentLog } from '../src/log.ts';
import { Proposal } from '../src/marketplace/schema.ts';
import { createMirror } from '../src/proposals/create-mirror.ts';
import type { Mirror } from '../src/proposals/mirror.ts';
import { createShelves } from '../src/storage/shelves/shelves.ts';
import { createMemoryStore } from '../test/memory-store.ts';
import { seededRandom } from '../test/seeded-random.ts';
import { generateProposals } from './generate-proposals.ts';

const PROPOSALS = 20_000;
const PAGE = 100;
const BAR_REQUESTS = (PROPOSALS / PAGE) * 1.02;
const BAR_STALL_MS = 50;
const BAR_START_MS = 5_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function keptOrNot(kept: boolean): string {
  return kept ? 'held' : 'NOT HELD';
}

const team = TeamId.parse('T1');
const random = seededRandom(20);
const profile = { id: ProfileId.parse(11) };
const list = generateProposals(PROPOSALS, random)
  .map((each) => ({ ...each, profile }))
  .sort((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
const store = createMemoryStore();
const folder = await mkdtemp(join(tmpdir(), 'gigdesk-mirror-'));
let requests = 0;

function create(): Mirror {
  const feed = {
    team,
    channel: ChannelId.parse('C1'),
    kind: 'outcomes' as const,
    profile: profile.id,
    by: UserId.parse('U1'),
    createdAt: 0,
    startsAt: 0,
  };
  return createMirror({
    team,
    store,
    shelves: createShelves({ folder, schema: Proposal, log: silentLog }),
    profiles: { all: async () => [{ feed }] },
    marketplace: {
      proposals: async ({ page = 1, limit = 20 }) => {
        requests += 1;
        // As far from what is held as an answer of the server would be.
        const items = structuredClone(list.slice((page - 1) * limit, page * limit));
        const total = list.length;
        return { items, unreadable: 0, paging: { total, page, limit, pages: Math.ceil(total / limit) } };
      },
    },
    gate: { status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }) },
    clock: machineClock,
    random,
    log: silentLog,
  });
}

async function measure(until: (mirror: Mirror) => boolean) {
  const mirror = create();
  const ending = new AbortController();
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const began = performance.now();
  const run = mirror.run(ending.signal);
  while (!until(mirror)) await machineClock.sleep(5);
  const ms = performance.now() - began;
  stalls.disable();
  ending.abort();
  await run;
  return { ms, stallMs: stalls.max / 1e6, mirror };
}

async function kilobytes(): Promise<{
  readonly files: number;
  readonly largest: number;
  readonly all: number;
}> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size / 1e3));
  return {
    files: names.length,
    largest: Math.max(...sizes),
    all: sizes.reduce((sum, size) => sum + size, 0),
  };
}

keepProcessAlive();
try {
  const copy = await measure((mirror) => mirror.progress()[0]?.state === 'complete');
  print(`first copy of ${copy.mirror.size} proposals: ${copy.ms.toFixed(0)} ms without the gate`);
  print(`  requests: ${requests} (bar ${BAR_REQUESTS}: ${keptOrNot(requests <= BAR_REQUESTS)})`);
  print(
    `  longest stall: ${copy.stallMs.toFixed(1)} ms (bar ${BAR_STALL_MS}: ${keptOrNot(copy.stallMs <= BAR_STALL_MS)})`,
  );
  const { files, largest, all } = await kilobytes();
  print(`  on disk: ${files} shelves, ${all.toFixed(0)} kB, the largest ${largest.toFixed(0)} kB`);
  const start = await measure((mirror) => mirror.isLoaded);
  print(
    `start with ${start.mirror.size} proposals: ${start.ms.toFixed(0)} ms (bar ${BAR_START_MS}: ${keptOrNot(start.ms <= BAR_START_MS)})`,
  );
  print(
    `  longest stall: ${start.stallMs.toFixed(1)} ms (bar ${BAR_STALL_MS}: ${keptOrNot(start.stallMs <= BAR_STALL_MS)})`,
  );
} finally {
  await rm(folder, { recursive: true });
}
process.exit(0);
