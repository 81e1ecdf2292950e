/** The search of 20,000 proposals: queries of each kind beside a plain scan, and the index build. */
import { setImmediate } from 'node:timers/promises';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { generateProposals } from '../generate-proposals.ts';
import { median, quantile } from '../measure.ts';
import type { Measure, Row } from '../part.ts';
import { type Built, buildIndex } from '../search/build-index.ts';
import { makeQueryKinds } from '../search/make-queries.ts';
import { type TimedKind, timeKind, timeScan } from '../search/time-queries.ts';
import { measureIdleStall } from '../watch-stalls.ts';

const PROPOSALS = 20_000;
/** As many times as a plain scan takes of 20 ms, where that limit was set. */
const BAR_SLOWEST = 45;
const BAR_STALL_MS = 50;

interface Compared extends TimedKind {
  /** Median ratio of the scan's time to the search's. */
  readonly scanned?: { readonly ms: number; readonly times: number };
}

export const measure: Measure = async ({ quick, say }) => {
  const random = seededRandom(4);
  const proposals = generateProposals(PROPOSALS, random);
  say(`indexing ${PROPOSALS.toLocaleString('en')} proposals`);
  const idleMs = await measureIdleStall(quick ? 1_000 : 3_000);
  const built = await buildIndex(proposals);
  const kinds: Compared[] = [];
  for (const [place, kind] of makeQueryKinds(proposals, random).entries()) {
    say(`queries: ${kind.kind}`);
    await setImmediate();
    const timed = timeKind(kind, built.search, quick ? 60 : 200);
    // A scan takes about half a second.
    kinds.push(quick && place % 4 !== 1 ? timed : compare(timed, proposals, quick ? 1 : 4));
  }
  return [...queryRows(kinds), stallRow(built, idleMs)];
};

function compare(timed: TimedKind, proposals: readonly Proposal[], scans: number): Compared {
  const ms = median(timeScan(proposals, timed.queries.slice(0, scans)).wall);
  return { ...timed, scanned: { ms, times: ms / median(timed.times.wall) } };
}

function p95(figures: readonly number[]): number {
  return quantile(figures, 0.95);
}

function queryRows(kinds: readonly Compared[]): readonly Row[] {
  const slowest = kinds.reduce((one, other) => (p95(other.times.wall) > p95(one.times.wall) ? other : one));
  const scans = kinds.flatMap(({ kind, scanned }) => (scanned ? [{ kind, ...scanned }] : []));
  const least = scans.reduce((one, other) => (other.times < one.times ? other : one));
  const scanMs = median(scans.map(({ ms }) => ms));
  const scan = `a plain scan, ${scanMs.toFixed(0)} ms`;
  return [
    {
      what:
        `Time of a plain scan compared with the slowest of ${kinds.length} kinds of queries ` +
        `over ${PROPOSALS.toLocaleString('en')} proposals, p95`,
      measured: scanMs / p95(slowest.times.wall),
      unit: 'x',
      baseline: scan,
      bar: { atLeast: BAR_SLOWEST },
      note:
        `“${slowest.kind}”, ${p95(slowest.times.wall).toFixed(1)} ms, CPU ${p95(slowest.times.cpu).toFixed(1)} ms. ` +
        `The median of all kinds is ${median(kinds.map(({ times }) => p95(times.wall))).toFixed(1)} ms.`,
    },
    {
      what: 'Time of a plain scan compared with a query, median of all kinds',
      measured: median(scans.map(({ times }) => times)),
      unit: 'x',
      baseline: scan,
      note: `The lowest is ${least.times.toFixed(0)} x, for “${least.kind}”. Measured for ${scans.length} kinds.`,
    },
  ];
}

function stallRow({ stallMs, tookMs, sliceCpuMs }: Built, idleMs: number): Row {
  return {
    what: 'Longest event loop stall while the index is built',
    measured: stallMs,
    unit: 'ms',
    baseline: `an idle process, ${idleMs.toFixed(1)} ms`,
    bar: { atMost: BAR_STALL_MS },
    note: `Built in ${(tookMs / 1_000).toFixed(1)} s. The longest slice took ${sliceCpuMs.toFixed(1)} ms of CPU.`,
  };
}
