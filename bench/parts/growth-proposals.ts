/** The search's cost as the proposals grow. */
import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../test/seeded-random.ts';
import { generateProposals } from '../generate-proposals.ts';
import { fitExponent, median, quantile } from '../measure.ts';
import type { Measure } from '../part.ts';
import { buildIndex } from '../search/build-index.ts';
import { makeQueryKinds } from '../search/make-queries.ts';
import { timeKind } from '../search/time-queries.ts';

const SIZES = { quick: [1_000, 3_000, 10_000], full: [1_000, 3_000, 10_000, 20_000, 50_000] } as const;
/** At most proportional, for every kind of query. */
const BAR_QUERIES = 1;
/** Per proposal: longer lists and more words cost a little. */
const BAR_INDEXING = 0.25;

interface Measured {
  readonly size: number;
  /** Over all kinds of queries. */
  readonly p95Ms: number;
  readonly p50Ms: number;
  readonly indexingMs: number;
}

export const measure: Measure = async ({ quick, say }) => {
  const sizes = quick ? SIZES.quick : SIZES.full;
  const all = generateProposals(sizes.at(-1) ?? 0, seededRandom(5));
  // Warm up the code first, or the smallest size pays for the JIT compiler.
  await measureSize(all, sizes[0], quick);
  const measured: Measured[] = [];
  for (const size of sizes) {
    say(`${size.toLocaleString('en')} proposals`);
    measured.push(await measureSize(all, size, quick));
  }
  const from = `${sizes[0].toLocaleString('en')} to ${(sizes.at(-1) ?? 0).toLocaleString('en')} proposals`;
  const exponent = (of: (one: Measured) => number) =>
    fitExponent(measured.map((one) => ({ size: one.size, cost: of(one) })));
  const figures = (of: (one: Measured) => number) =>
    measured.map((one) => `${of(one).toFixed(2)} ms at ${one.size.toLocaleString('en')}`).join(', ');
  return [
    {
      what: `Exponent of a query's p95, ${from}`,
      measured: exponent(({ p95Ms }) => p95Ms),
      unit: '',
      baseline: '1 for a plain scan',
      bar: { atMost: BAR_QUERIES },
      note: `${figures(({ p95Ms }) => p95Ms)}.`,
    },
    {
      what: `Exponent of a query's median, ${from}`,
      measured: exponent(({ p50Ms }) => p50Ms),
      unit: '',
      baseline: '1 for a plain scan',
      note: `${figures(({ p50Ms }) => p50Ms)}.`,
    },
    {
      what: `Exponent of indexing one proposal, ${from}`,
      measured: exponent(({ indexingMs }) => indexingMs),
      unit: '',
      baseline: 'none',
      bar: { atMost: BAR_INDEXING },
      note: `${figures(({ indexingMs }) => indexingMs)}.`,
    },
  ];
};

async function measureSize(
  all: ReturnType<typeof generateProposals>,
  size: number,
  quick: boolean,
): Promise<Measured> {
  const proposals = all.slice(0, size);
  // The smallest builds are too quick to measure just once.
  const builds = Math.min(quick ? 3 : 5, Math.ceil(10_000 / size));
  const took: number[] = [];
  for (let build = 1; build < builds; build++) took.push((await buildIndex(proposals)).tookMs);
  const { search, tookMs } = await buildIndex(proposals);
  took.push(tookMs);
  const wall: number[] = [];
  for (const kind of makeQueryKinds(proposals, seededRandom(6))) {
    await setImmediate();
    wall.push(...timeKind(kind, search, quick ? 40 : 100).times.wall);
  }
  return {
    size,
    p95Ms: quantile(wall, 0.95),
    p50Ms: median(wall),
    // The fastest build counts: other load on the machine only makes builds slower.
    indexingMs: quantile(took, 0) / size,
  };
}
