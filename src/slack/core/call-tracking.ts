/**
 * What the dispatcher remembers: in memory the work that still runs, and the submissions since a press; in
 * the store the calls that were handled.
 */
import type { ViewResponseAction } from '@slack/bolt';
import { z } from 'zod';
import { withTimeLimit } from '../../base/time-limit.ts';
import { type Clock, DAY, MINUTE, runOnNextEventLoopTurn } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { collection, StorageError } from '../../storage/store.ts';
import { PayloadWithView, readPressedView } from './payloads.ts';
import type { PressedView, Services, ViewValues } from './routes.ts';

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
  recordSubmission(body: unknown, decided: Promise<{ readonly ack: ViewResponseAction | undefined }>): void {
    const staysOpen = decided.then(
      ({ ack }) => ack?.response_action === 'errors' || ack?.response_action === 'push',
      () => true,
    );
    this.#add(body, async (values) => ((await staysOpen) ? values : undefined));
  }

  recordClosedView(body: unknown): void {
    this.#add(body, async (values) => values);
  }

  /** The view with the latest values for a press with this number; undefined if it was submitted since. */
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
      // Looking up a person takes less than a minute.
      if (later.at + MINUTE > at && this.#later.size < 1_000) break;
      this.#later.delete(old);
    }
    this.#later.delete(id);
    this.#later.set(id, { arrival: this.nextArrivalNumber(), at, left: leave(values) });
  }
}

/** Slack's ID of an event, or of what a person did (the trigger). */
const HandledCall = z.object({ id: z.string(), at: z.number() });

export const handledCalls = collection({
  name: 'handled-calls',
  schema: HandledCall,
  key: (it) => [it.id],
  indexes: { byAge: ({ at }) => [at] },
  keepFor: { ms: DAY },
});

/**
 * Remembers a call for a day, also for other replicas: Slack repeats an event for about 5 minutes, and
 * delayed ones for longer.
 * @param id input from outside
 * @returns whether it's new. If it can't be stored, it counts as new: what bids, posts or spends has a key of
 * its own, which must be stored first.
 */
export async function recordCallIfNew(
  { store, clock, log }: Pick<Services, 'store' | 'clock' | 'log'>,
  id: string,
): Promise<boolean> {
  const at = clock.now();
  try {
    return await store.transact(async (tx) => {
      if (await tx.get(handledCalls, [id])) return false;
      await tx.put(handledCalls, { id, at });
      return true;
    });
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn("Couldn't store that a call was handled", { error: asError(thrown) });
    return true;
  }
}
