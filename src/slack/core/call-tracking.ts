/**
 * What the dispatcher remembers of calls: the work that still runs, and the submissions since a press. In
 * memory only.
 */
import type { ViewResponseAction } from '@slack/bolt';
import { withTimeLimit } from '../../base/time-limit.ts';
import { type Clock, runOnNextEventLoopTurn, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { PayloadWithView, readPressedView } from './payloads.ts';
import type { PressedView, ViewValues } from './routes.ts';

/**
 * Counts the work that continues after an acknowledgement, so that a stop can wait for it. Each turn of the
 * event loop starts one piece of work, so that requests that arrived meanwhile are acknowledged first.
 */
export class BackgroundWork {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #work = new Set<Promise<void>>();
  /** Not started yet, in order of arrival. */
  readonly #waiting: (() => void)[] = [];

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  get count(): number {
    return this.#work.size;
  }

  /** @param work reports its own failures; errors that escape it are only logged. */
  start(work: () => Promise<void>): void {
    const done = new Promise<void>((begin) => this.#begin(begin))
      .then(work)
      .catch((thrown: unknown) => this.#log.error('background work failed', { error: asError(thrown) }))
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  #begin(begin: () => void): void {
    this.#waiting.push(begin);
    if (this.#waiting.length === 1) runOnNextEventLoopTurn(() => this.#beginFirst());
  }

  #beginFirst(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) runOnNextEventLoopTurn(() => this.#beginFirst());
  }

  /** Resolves when no work is left, but at the latest after `deadlineMs`. @returns how much was left. */
  async drain(deadlineMs: number): Promise<number> {
    const finish = async () => {
      while (this.#work.size > 0) await Promise.allSettled(this.#work);
    };
    await withTimeLimit(this.#clock, deadlineMs, finish(), () => undefined);
    return this.#work.size;
  }
}

/** Longer than looking up a person takes. */
const SUBMISSIONS_KEPT_MS = 60 * SECOND;
const MOST_SUBMISSIONS = 1_000;

interface Decided {
  readonly ack: ViewResponseAction | undefined;
}

interface Later {
  readonly arrival: number;
  /** Monotonic time, in ms. */
  readonly at: number;
  /** The view's values then; undefined if another view replaced it. */
  readonly left: Promise<ViewValues | undefined>;
}

/**
 * Tracks what happened to a view after a press in it. A submission is decided at once, since Slack waits for
 * the answer. An earlier press may still be looking up its person, and must not restore older typed values.
 */
export class SubmissionsSincePress {
  readonly #clock: Clock;
  /** By view ID, oldest first. */
  readonly #later = new Map<string, Later>();
  #arrivals = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next number in order of arrival. */
  nextArrivalNumber(): number {
    return ++this.#arrivals;
  }

  /** @param decided if it fails, the view stays as it is. */
  recordSubmission(body: unknown, decided: Promise<Decided>): void {
    const staysOpen = decided.then(leavesItOpen, () => true);
    this.#add(body, async (values) => ((await staysOpen) ? values : undefined));
  }

  recordClosedView(body: unknown): void {
    this.#add(body, async (values) => values);
  }

  /**
   * The view with the latest values for a press with number `arrival`; undefined if it was submitted since.
   */
  async latestValues(arrival: number, view: PressedView): Promise<PressedView | undefined> {
    const later = this.#later.get(view.id);
    if (!later || later.arrival < arrival) return view;
    const left = await later.left;
    if (!left) return undefined;
    // Slack may send no values for a closed view.
    return left.size > 0 ? { ...view, values: left } : view;
  }

  #add(body: unknown, leave: (values: ViewValues) => Promise<ViewValues | undefined>): void {
    const { data } = PayloadWithView.safeParse(body);
    if (!data) return;
    const { id, values } = readPressedView(data.view);
    const at = this.#clock.monotonicNow();
    for (const [old, later] of this.#later) {
      if (later.at + SUBMISSIONS_KEPT_MS > at && this.#later.size < MOST_SUBMISSIONS) break;
      this.#later.delete(old);
    }
    this.#later.delete(id);
    this.#later.set(id, { arrival: this.nextArrivalNumber(), at, left: leave(values) });
  }
}

function leavesItOpen({ ack }: Decided): boolean {
  return ack?.response_action === 'errors' || ack?.response_action === 'push';
}
