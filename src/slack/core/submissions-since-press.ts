/**
 * Tracks what happened to a view after a press in it. A submission is decided at once, since Slack waits for
 * the answer. An earlier press may still be looking up its person, and must not restore older typed values.
 */
import { type Clock, SECOND } from '../../clock.ts';
import { PayloadWithView } from './payloads.ts';
import type { PressedView, ViewValues } from './routes.ts';
import type { SubmissionDecision } from './submissions.ts';
import { readPressedView } from './view-values.ts';

/** Longer than looking up a person takes. */
const KEPT_MS = 60 * SECOND;
const MOST_KEPT = 1_000;

interface Later {
  readonly arrival: number;
  /** Monotonic time, in ms. */
  readonly at: number;
  /** The view's values then; undefined if another view replaced it. */
  readonly left: Promise<ViewValues | undefined>;
}

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
  recordSubmission(body: unknown, decided: Promise<SubmissionDecision>): void {
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
