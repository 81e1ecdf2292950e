/** Streams of interactions to both apps in turn: how long acknowledgements take, and how many a second are held. */
import { performance } from 'node:perf_hooks';
import type { Contender } from '../contender.ts';
import { quantile } from '../measure.ts';
import type { AnswerSink } from './answer-sink.ts';
import type { Acknowledged, LoadProcess } from './load-process.ts';

/** An app that is measured. */
export interface Measured {
  readonly url: string;
  readonly cpuMs: () => Promise<number>;
}

export interface Bench {
  readonly load: Contender<LoadProcess>;
  readonly sink: AnswerSink;
}

/** What is behind an acknowledgement is to be done by then. */
const ANSWERED_WITHIN_MS = 2_000;
/** Far below Slack's 3 s, and far above what an app takes that keeps up. */
const HELD_P99_MS = 100;
/** An app whose answers come later after the last request has a queue that grows, however quick its acknowledgements are. */
const HELD_ANSWERS_MS = 200;
/** A sender that is further behind its own plan asks for less than the rate that is tried. */
const MOST_LATE_MS = 50;
const FIRST_RATE = 300;
const FIRST_STEP = 1.4;
const LEAST_RATE = 10;
/** Two rates that differ by no more count as one. */
const CLOSE_ENOUGH = 1.05;

export interface Streamed extends Acknowledged {
  /** Whether each was acknowledged and each answer came within 2 s after the last. */
  readonly isComplete: boolean;
  /** From the last acknowledgement to the last answer. */
  readonly answersMs: number;
  /** What an interaction cost the app, acknowledgement and answer together, in ms of CPU. */
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
  // What is left over of an app that could not keep up is not the next one's burden.
  if (!answered) await sink.reaches(count, 10 * ANSWERED_WITHIN_MS);
  const cpuEach = ((await cpuMs()) - cpuBefore) / acknowledged.took.length;
  return { ...acknowledged, isComplete, answersMs, cpuEach };
}

/** The highest rate at which acknowledgements stay quick and answers come. */
export async function findHighestRate(bench: Bench, app: Measured, seconds: number): Promise<number> {
  const holds = async (rate: number) => {
    const { took, isComplete, answersMs, lateMs } = await stream(bench, app, rate, seconds);
    const isQuick = quantile(took, 0.99) <= HELD_P99_MS && answersMs <= HELD_ANSWERS_MS;
    return isComplete && isQuick && lateMs <= MOST_LATE_MS;
  };
  // A moment in which the machine does something else looks like a rate that is too high.
  const isHeld = async (rate: number) => (await holds(rate)) || holds(rate);
  let held = FIRST_RATE;
  while (held > LEAST_RATE && !(await isHeld(held))) held /= FIRST_STEP;
  let missed = held * FIRST_STEP;
  // One that was missed on the way down need not be tried again.
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
