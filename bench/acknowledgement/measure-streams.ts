/** Streams interactions to both apps in turn: acknowledgement latency and sustainable rate. */
import { performance } from 'node:perf_hooks';
import type { Contender } from '../contender.ts';
import { quantile } from '../measure.ts';
import type { AnswerSink } from './answer-sink.ts';
import type { Acknowledged, LoadProcess } from './load-process.ts';

/** A measured app. */
export interface Measured {
  readonly url: string;
  readonly cpuMs: () => Promise<number>;
}

export interface Bench {
  readonly load: Contender<LoadProcess>;
  readonly sink: AnswerSink;
}

/** Deadline for the work behind an acknowledgement. */
const ANSWERED_WITHIN_MS = 2_000;
/** Far below Slack's 3 s, and far above what an app takes that keeps up. */
const HELD_P99_MS = 100;
/** Later answers mean a growing queue, even if acknowledgements are quick. */
const HELD_ANSWERS_MS = 200;
/** A sender further behind its plan sends less than the requested rate. */
const MOST_LATE_MS = 50;
const FIRST_RATE = 300;
const FIRST_STEP = 1.4;
const LEAST_RATE = 10;
/** Rates this close count as equal. */
const CLOSE_ENOUGH = 1.05;

export interface Streamed extends Acknowledged {
  /** Whether every request was acknowledged and every answer came within 2 s after the last request. */
  readonly isComplete: boolean;
  /** Time from the last acknowledgement to the last answer. */
  readonly answersMs: number;
  /** CPU time of the app per interaction, acknowledgement and answer together, in ms. */
  readonly cpuEach: number;
}

export async function stream(
  { load, sink }: Bench,
  { url, cpuMs }: Measured,
  perSecond: number,
  seconds: number,
): Promise<Streamed> {
  const before = sink.arrived;
  const cpuBefore = await cpuMs();
  const acknowledged = await load.ask('stream', { url, answerAt: sink.url, perSecond, seconds });
  const count = before + acknowledged.took.length;
  const acknowledgedAt = performance.now();
  const answered = await sink.reaches(count, ANSWERED_WITHIN_MS);
  const answersMs = performance.now() - acknowledgedAt;
  const isComplete = answered && acknowledged.failed === 0;
  // Work left over by an overloaded app must not slow down the next one.
  if (!answered) await sink.reaches(count, 10 * ANSWERED_WITHIN_MS);
  const cpuEach = ((await cpuMs()) - cpuBefore) / acknowledged.took.length;
  return { ...acknowledged, isComplete, answersMs, cpuEach };
}

/** The highest rate with quick acknowledgements and timely answers. */
export async function findHighestRate(bench: Bench, app: Measured, seconds: number): Promise<number> {
  const holds = async (rate: number) => {
    const { took, isComplete, answersMs, lateMs } = await stream(bench, app, rate, seconds);
    const isQuick = quantile(took, 0.99) <= HELD_P99_MS && answersMs <= HELD_ANSWERS_MS;
    return isComplete && isQuick && lateMs <= MOST_LATE_MS;
  };
  // A busy moment of the machine looks like a rate that is too high: try again.
  const isHeld = async (rate: number) => (await holds(rate)) || holds(rate);
  let held = FIRST_RATE;
  while (held > LEAST_RATE && !(await isHeld(held))) held /= FIRST_STEP;
  let missed = held * FIRST_STEP;
  // A rate that failed on the way down needs no second try.
  while (held >= FIRST_RATE && (await isHeld(missed))) {
    held = missed;
    missed *= FIRST_STEP;
  }
  while (missed / held > CLOSE_ENOUGH) {
    const middle = Math.sqrt(held * missed);
    if (await isHeld(middle)) held = middle;
    else missed = middle;
  }
  return held;
}
