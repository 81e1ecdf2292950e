/** The request rate of the subscription: so many in any 60 s, sliding. */
import { type Instant, MINUTE } from '../../clock.ts';

export class RequestWindow {
  readonly #admitted: Instant[] = [];
  limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether one more fits at `now`; it counts only when it does. A refused request does not count. */
  tryAdmit(now: Instant): boolean {
    while ((this.#admitted[0] ?? now) <= now - MINUTE) this.#admitted.shift();
    if (this.#admitted.length >= this.limit) return false;
    this.#admitted.push(now);
    return true;
  }
}

/** The most of these ascending times that fall within any 60 s (a full minute apart is not within). */
export function mostInAnyMinute(times: readonly Instant[]): number {
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while ((times[first] ?? time) <= time - MINUTE) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
