/** The feed's cost as subscriptions grow: choosing the next read, a whole tick, and a whole poll. */
import { performance } from 'node:perf_hooks';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { createPollInputsReader } from '../../src/feed/poll-inputs.ts';
import { choosePoll } from '../../src/feed/poll-plan.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { makeArrivals } from '../feed/arrivals.ts';
import { type RunningFeed, startFeed } from '../feed/run-feed.ts';
import { fitExponent, quantile } from '../measure.ts';
import type { Measure, Row } from '../part.ts';

const SIZES = [10, 100, 1_000];
const PROJECTS_PER_HOUR = 360;
/** Enough for all of a thousand filters to be read within minutes; the feed gets four fifths. */
const REQUESTS_PER_MINUTE = 600;
const READS_PER_MINUTE = 400;
/** The plan looks at each filter once. */
const BAR = 1.1;

interface Measured {
  readonly size: number;
  readonly decideMs: number;
  readonly tickMs: number;
  /** CPU time. */
  readonly pollMs: number;
}

export const measure: Measure = async ({ quick, say }) => {
  const countedMs = quick ? 20 * SECOND : 2 * MINUTE;
  // Warm up the code first, or the smallest size pays for the JIT compiler.
  await measureSize(50, countedMs);
  const measured: Measured[] = [];
  for (const size of SIZES) {
    say(`${size.toLocaleString('en')} subscriptions`);
    measured.push(await measureSize(size, countedMs));
  }
  const at = ({ size }: Measured) => size.toLocaleString('en');
  const row = (what: string, of: (one: Measured) => number, digits: number): Row => ({
    what: `Exponent of ${what}, 10 to 1,000 subscriptions`,
    measured: fitExponent(measured.map((one) => ({ size: one.size, cost: of(one) }))),
    unit: '',
    baseline: '1 for one look at each subscription',
    bar: { atMost: BAR },
    note: `${measured.map((one) => `${of(one).toFixed(digits)} ms at ${at(one)}`).join(', ')}.`,
  });
  return [
    row('choosing the next read', ({ decideMs }) => decideMs, 4),
    row('reading everything the plan needs from the store', ({ tickMs }) => tickMs, 2),
    row('CPU of a whole poll', ({ pollMs }) => pollMs, 2),
  ];
};

async function measureSize(size: number, countedMs: number): Promise<Measured> {
  const arrivals = makeArrivals(size, PROJECTS_PER_HOUR, HOUR, seededRandom(size));
  const feed = await startFeed(arrivals, { requestsPerMinute: REQUESTS_PER_MINUTE, seed: size });
  // Each filter has been read once by then.
  await feed.pass(Math.ceil(size / READS_PER_MINUTE) * MINUTE);
  const read = feed.server.requests;
  const usage = process.cpuUsage();
  await feed.pass(countedMs);
  const { user, system } = process.cpuUsage(usage);
  const pollMs = (user + system) / 1_000 / (feed.server.requests - read);
  const tickMs = await timeTicks(feed);
  const decideMs = await timeDeciding(feed);
  await feed.stop();
  return { size, decideMs, tickMs, pollMs };
}

/** The fastest round counts: other load on the machine only makes rounds slower. */
const ROUNDS = 30;

/** With nothing known from an earlier look. */
function lookAt(feed: RunningFeed) {
  return createPollInputsReader(feed, () => 24)();
}

async function timeTicks(feed: RunningFeed): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await lookAt(feed);
    took.push(performance.now() - began);
  }
  return quantile(took, 0);
}

async function timeDeciding(feed: RunningFeed): Promise<number> {
  const { candidates } = await lookAt(feed);
  const now = feed.clock.now();
  const took: number[] = [];
  // A single call is too quick for the clock.
  const times = Math.ceil(20_000 / candidates.length);
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (let each = 0; each < times; each++) choosePoll(candidates, now);
    took.push((performance.now() - began) / times);
  }
  return quantile(took, 0);
}
