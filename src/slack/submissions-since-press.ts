/**
 * What came of views after presses in them. Slack waits for the answer to a submission, so it is decided at once; a press in the same
 * view may still wait until it is known who pressed, and must not put back what was typed before.
 */
import { type Clock, SECOND } from '../clock.ts';
import { PayloadWithView } from './payloads.ts';
import type { PressedView, ViewValues } from './routes.ts';
import type { SubmissionDecision } from './submissions.ts';
import { readPressedView } from './view-values.ts';

/** Longer than it takes to learn who pressed. */
const KEPT_MS = 60 * SECOND;
const MOST_KEPT = 1_000;

interface Later {
  readonly arrival: number;
  /** Elapsed ms. */
  readonly at: number;
  /** What stands in the view then; undefined where another stands in its place. */
  readonly left: Promise<ViewValues | undefined>;
}

export class SubmissionsSincePress {
  readonly #clock: Clock;
  /** By the view's id, the oldest first. */
  readonly #later = new Map<string, Later>();
  #arrivals = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Numbers what arrives now, in the order of arrival. */
  nextArrivalNumber(): number {
    return ++this.#arrivals;
  }

  /** @param decided where it fails, the view stays as it is. */
  recordSubmission(body: unknown, decided: Promise<SubmissionDecision>): void {
    const staysOpen = decided.then(leavesItOpen, () => true);
    this.#add(body, async (values) => ((await staysOpen) ? values : undefined));
  }

  recordClosedView(body: unknown): void {
    this.#add(body, async (values) => values);
  }

  /** The view as whoever arrived as `arrival` may know it by now; undefined where it was sent since. */
  async latestValues(arrival: number, view: PressedView): Promise<PressedView | undefined> {
    const later = this.#later.get(view.id);
    if (!later || later.arrival < arrival) return view;
    const left = await later.left;
    if (!left) return undefined;
    // Slack may tell nothing of what stands in a view that is closed.
    return left.size > 0 ? { ...view, values: left } : view;
  }

  #add(body: unknown, leave: (values: ViewValues) => Promise<ViewValues | undefined>): void {
    const { data } = PayloadWithView.safeParse(body);
    if (!data) return;
    const { id, values } = readPressedView(data.view);
    const at = this.#clock.monotonicNow();
    for (const [old, later] of this.#later) {
      if (later.at + KEPT_MS > at && this.#later.size < MOST_KEPT) break;
      this.#later.delete(old);
    }
    this.#later.delete(id);
    this.#later.set(id, { arrival: this.nextArrivalNumber(), at, left: leave(values) });
  }
}

function leavesItOpen({ ack }: SubmissionDecision): boolean {
  return ack?.response_action === 'errors' || ack?.response_action === 'push';
}
