/** Copying 20,000 proposals, and a start with them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProfileId } from '../../src/ids.ts';
import { createMemoryStore } from '../../test/memory-store.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { generateProposals } from '../generate-proposals.ts';
import type { Measure, Row } from '../part.ts';
import { type MirrorPlace, measureFolder, runMirror } from '../proposals/run-mirror.ts';
import { measureIdleStall } from '../watch-stalls.ts';

const PROPOSALS = 20_000;
const LARGEST_PAGE = 100;
const FEWEST_REQUESTS = PROPOSALS / LARGEST_PAGE;
const BAR_STALL_MS = 50;
const BAR_START_MS = 5_000;

export const measure: Measure = async ({ quick, say }) => {
  const random = seededRandom(20);
  const profile = ProfileId.parse(11);
  const proposals = generateProposals(PROPOSALS, random)
    .map((each) => ({ ...each, profile: { id: profile } }))
    .sort((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  const folder = await mkdtemp(join(tmpdir(), 'gigdesk-mirror-'));
  try {
    const idleMs = await measureIdleStall(quick ? 1_000 : 3_000);
    const place = { folder, store: createMemoryStore(), proposals, profile, random };
    return await measurePlace(place, idleMs, say);
  } finally {
    await rm(folder, { recursive: true });
  }
};

async function measurePlace(
  place: MirrorPlace,
  idleMs: number,
  say: (line: string) => void,
): Promise<readonly Row[]> {
  const many = PROPOSALS.toLocaleString('en');
  const nothing = `an idle process, ${idleMs.toFixed(1)} ms`;
  say(`copying ${many} proposals`);
  const copy = await runMirror(place, (mirror) => mirror.estimateProgress()[0]?.state === 'complete');
  const { files, kilobytes, largestKilobytes } = await measureFolder(place.folder);
  say(`starting with ${many} proposals`);
  const start = await runMirror(place, (mirror) => mirror.isLoaded);
  if (copy.size !== PROPOSALS || start.size !== PROPOSALS)
    throw new Error(`${copy.size} proposals were copied, but ${start.size} were there after the restart`);
  return [
    {
      what: `Requests for the first copy of ${many} proposals`,
      measured: copy.requests,
      unit: '',
      baseline: `the minimum number of pages, ${FEWEST_REQUESTS}`,
      bar: { atMost: FEWEST_REQUESTS * 1.02 },
      note:
        `Took ${(copy.ms / 1_000).toFixed(1)} s without the request gate. ` +
        `${files} files, ${(kilobytes / 1e3).toFixed(0)} MB, ` +
        `the largest ${largestKilobytes.toFixed(0)} kB.`,
    },
    {
      what: 'Longest event loop stall during the first copy',
      measured: copy.stallMs,
      unit: 'ms',
      baseline: nothing,
      bar: { atMost: BAR_STALL_MS },
    },
    {
      what: `Start with a copy of ${many} proposals, until all are loaded`,
      measured: start.ms,
      unit: 'ms',
      baseline: 'none',
      bar: { atMost: BAR_START_MS },
    },
    {
      what: 'Longest event loop stall during that start',
      measured: start.stallMs,
      unit: 'ms',
      baseline: nothing,
      bar: { atMost: BAR_STALL_MS },
    },
  ];
}
