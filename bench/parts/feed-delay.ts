/**
 * How long a new project waits for the feed, beside the best fixed plan and round robin, on a manual clock.
 */
import { HOUR, SECOND } from '../../src/clock.ts';
import { computeMaxPollWaitMs } from '../../src/feed/poll-plan.ts';
import { backgroundSlotLimit } from '../../src/marketplace/gate/gate.ts';
import { RATE_WINDOW_MARGIN_MS, RATE_WINDOW_MS } from '../../src/marketplace/gate/slots.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { type Arrivals, makeArrivals } from '../feed/arrivals.ts';
import { byDates, byIntervals, meanWait, playPlan, roundRobin } from '../feed/play-plan.ts';
import { ANSWER_MS, startFeed } from '../feed/run-feed.ts';
import { bestIntervals } from '../feed/static-plan.ts';
import { median, spread } from '../measure.ts';
import type { Measure, PartOptions, Row } from '../part.ts';

/** Over all filters. */
const PROJECTS_PER_HOUR = 360;
/** Warm-up that isn't counted: the feed learns the rates in it. */
const LEARNING_MS = 3 * HOUR;
/** The product's minimum interval of a filter's reads. */
const LEAST_MS = 10 * SECOND;
const BAR_STATIC = 1.06;

interface Setting {
  readonly filters: number;
  readonly requestsPerMinute: number;
  /** Ratio to round robin. */
  readonly bar: number;
}

const SETTINGS: readonly Setting[] = [
  { filters: 20, requestsPerMinute: 30, bar: 0.82 },
  { filters: 20, requestsPerMinute: 5, bar: 0.82 },
  { filters: 100, requestsPerMinute: 30, bar: 0.7 },
  { filters: 100, requestsPerMinute: 5, bar: 0.7 },
];

/** Mean waits, in ms. */
interface Waits {
  readonly ours: number;
  readonly best: number;
  readonly robin: number;
}

export const measure: Measure = async (options) => {
  const rows: Row[] = [];
  for (const setting of SETTINGS) rows.push(...(await measureSetting(setting, options)));
  return rows;
};

async function measureSetting(setting: Setting, { quick, say }: PartOptions): Promise<readonly Row[]> {
  const { filters, requestsPerMinute, bar } = setting;
  const seeds = quick ? 1 : 3;
  const until = (quick ? 5 : 12) * HOUR;
  const waits: Waits[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    say(`${filters} filters at ${requestsPerMinute} requests per minute, run ${seed} of ${seeds}`);
    const arrivals = makeArrivals(filters, PROJECTS_PER_HOUR, until, seededRandom(seed * 7_919));
    waits.push(await measureOnce(setting, arrivals, seed, until));
  }
  const toBest = waits.map(({ ours, best }) => ours / best);
  const toRobin = waits.map(({ ours, robin }) => ours / robin);
  const seconds = (of: keyof Waits) => (median(waits.map((each) => each[of])) / SECOND).toFixed(1);
  const what = `Mean wait of a new project, ${filters} filters at ${requestsPerMinute} requests per minute`;
  const measuredHours = (until - LEARNING_MS) / HOUR;
  const ours = `${seconds('ours')} s, ${measuredHours} h after ${LEARNING_MS / HOUR} h of learning`;
  const runs = (ratios: readonly number[]) => (seeds > 1 ? `; ${seeds} runs, ${spread(ratios, 3)}` : '');
  const bestToRobin = median(waits.map(({ best, robin }) => best / robin));
  return [
    {
      what: `${what}, compared with the best fixed plan`,
      measured: median(toBest),
      unit: 'x',
      baseline: `the best fixed plan, ${seconds('best')} s`,
      bar: { atMost: BAR_STATIC },
      note:
        `${ours}${runs(toBest)}. The feed learns the rates through its own request gate. ` +
        'The fixed plan knows them in advance.',
    },
    {
      what: `${what}, compared with round robin`,
      measured: median(toRobin),
      unit: 'x',
      baseline: `round robin, ${seconds('robin')} s`,
      bar: { atMost: bar },
      note: `${ours}${runs(toRobin)}. The best fixed plan reaches ${bestToRobin.toFixed(2)}.`,
    },
  ];
}

async function measureOnce(
  { filters, requestsPerMinute }: Setting,
  arrivals: Arrivals,
  seed: number,
  until: number,
): Promise<Waits> {
  const { rates } = arrivals;
  // The gate's share for background work, with each slot kept for a minute after the answer.
  const places = backgroundSlotLimit(requestsPerMinute);
  const everyMs = (RATE_WINDOW_MS + RATE_WINDOW_MARGIN_MS + ANSWER_MS) / places;
  const mostMs = computeMaxPollWaitMs(filters, places);
  const intervals = bestIntervals(rates, { reads: 1 / everyMs, leastMs: LEAST_MS, mostMs });
  const play = (plan: ReturnType<typeof roundRobin>) =>
    meanWait(rates, playPlan(filters, plan, { everyMs, until }), LEARNING_MS);
  const feed = await startFeed(arrivals, { requestsPerMinute, seed });
  await feed.pass(until);
  await feed.stop();
  return {
    // Projects that don't fit the page arrive after the next read.
    ours: meanWait(rates, feed.server.reads, LEARNING_MS) + feed.server.meanExtra(LEARNING_MS),
    best: Math.min(play(byIntervals(intervals)), play(byDates(intervals))),
    robin: play(roundRobin(filters)),
  };
}
