/**
 * How long a new project waits for the feed when outside tools send hints: all of them, a part of them, none
 * anymore, or false ones in a flood. On a manual clock.
 */
import { HOUR, SECOND } from '../../src/clock.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { type Arrivals, makeArrivals } from '../feed/arrivals.ts';
import { announce, flood, HINT_MS, leastWaits } from '../feed/play-hints.ts';
import { ANSWER_MS, startFeed, type TimedHint } from '../feed/run-feed.ts';
import type { Measure, Row } from '../part.ts';

const FILTERS = 20;
const REQUESTS_PER_MINUTE = 30;
/** Over all filters. */
const USUAL_PER_HOUR = 120;
/** As in the part “Delay of new projects”. The busiest filters then often find two within their pause. */
const MANY_PER_HOUR = 360;
/** Warm-up that isn't counted: the feed learns in it whether hints announce what arrives. */
const LEARNING_MS = 3 * HOUR;
/** Assumed: storing the page, and posting the card. */
const POST_MS = 300;
const BEFORE_A_CARD_MS = ANSWER_MS + POST_MS;

/** Filter by filter, in ms. */
type Waits = readonly (readonly number[])[];

function mean(waits: readonly number[]): number {
  return waits.reduce((sum, each) => sum + each, 0) / waits.length;
}

function percentile(waits: readonly number[], part: number): number {
  const inOrder = waits.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(part * inOrder.length))] ?? 0;
}

const inSeconds = (ms: number) => ms / SECOND;
const seconds = (ms: number) => `${inSeconds(ms).toFixed(1)} s`;

export const measure: Measure = async ({ quick, say }) => {
  const until = (quick ? 6 : 15) * HOUR;
  const play = async (arrivals: Arrivals, hints: readonly TimedHint[]): Promise<Waits> => {
    say(`${arrivals.at.flat().length} projects, ${hints.length} hints`);
    const feed = await startFeed(arrivals, { requestsPerMinute: REQUESTS_PER_MINUTE, seed: 1 });
    feed.hint(hints);
    await feed.pass(until);
    await feed.stop();
    return feed.server.waits(LEARNING_MS);
  };
  const rows: Row[] = [];
  for (const perHour of quick ? [USUAL_PER_HOUR] : [USUAL_PER_HOUR, MANY_PER_HOUR]) {
    const arrivals = makeArrivals(FILTERS, perHour, until, seededRandom(7_919));
    const without = await play(arrivals, []);
    rows.push(...(await announcedRows(perHour, arrivals, without, play)));
    rows.push(await floodRow(perHour, arrivals, without, until, play));
  }
  return rows;
};

type Play = (arrivals: Arrivals, hints: readonly TimedHint[]) => Promise<Waits>;

async function announcedRows(
  perHour: number,
  arrivals: Arrivals,
  without: Waits,
  play: Play,
): Promise<readonly Row[]> {
  const where = `${FILTERS} filters with ${perHour} projects per hour, ${REQUESTS_PER_MINUTE} requests per minute`;
  const all = await play(arrivals, announce(arrivals, 0, seededRandom(1)));
  const cards = all.flat().map((wait) => wait + BEFORE_A_CARD_MS);
  const before = without.flat();
  const least = leastWaits(arrivals, LEARNING_MS).map((wait) => wait + BEFORE_A_CARD_MS);
  const p95 = percentile(cards, 0.95);
  const rows: Row[] = [
    {
      what: `Publication to card with hints, p95, ${where}`,
      measured: inSeconds(p95),
      unit: 's',
      baseline: `without hints, ${seconds(percentile(before, 0.95) + BEFORE_A_CARD_MS)}`,
      ...(perHour === USUAL_PER_HOUR ? { bar: { atMost: 3 } } : {}),
      note:
        `The mean is ${seconds(mean(cards))}, without hints ${seconds(mean(before) + BEFORE_A_CARD_MS)}. ` +
        `The pause of 10 s between two reads of a filter alone allows ${seconds(percentile(least, 0.95))}. ` +
        `A hint takes ${seconds(HINT_MS)}, an answer ${seconds(ANSWER_MS)}, a post ${seconds(POST_MS)}.`,
    },
  ];
  if (perHour !== USUAL_PER_HOUR) return rows;
  const losses = [0.05, 0.2, 0.5];
  for (const lost of losses) {
    const some = mean((await play(arrivals, announce(arrivals, lost, seededRandom(2)))).flat());
    rows.push({
      what: `Mean wait while ${lost * 100}% of the hints get lost, ${where}`,
      measured: some / mean(before),
      unit: 'x',
      baseline: `without hints, ${seconds(mean(before))}`,
      bar: { atMost: 1 },
      note: seconds(some),
    });
  }
  const dead = announce(arrivals, 0, seededRandom(3)).filter(({ at }) => Math.floor(at / HOUR) % 2 === 0);
  const dying = mean((await play(arrivals, dead)).flat());
  rows.push({
    what: `Mean wait if the tool sends no hints every other hour, ${where}`,
    measured: dying / mean(before),
    unit: 'x',
    baseline: `without hints, ${seconds(mean(before))}`,
    bar: { atMost: 1 },
    note: seconds(dying),
  });
  return rows;
}

async function floodRow(
  perHour: number,
  arrivals: Arrivals,
  without: Waits,
  until: number,
  play: Play,
): Promise<Row> {
  const half = FILTERS / 2;
  const flooded = await play(arrivals, flood(half, SECOND / 4, until));
  const others = (waits: Waits) => mean(waits.slice(half).flat());
  return {
    what: `Mean wait on ${half} filters while the other ${half} get 4 false hints a second, ${perHour} projects per hour`,
    measured: others(flooded) / others(without),
    unit: 'x',
    baseline: `without hints, ${seconds(others(without))}`,
    bar: { atMost: 2 },
    note: `${seconds(others(flooded))}.`,
  };
}
