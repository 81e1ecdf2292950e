/** The request rate limit of the subscription: a sliding window of 60 s. */
import { type Instant, MINUTE } from '../../clock.ts';

export class RequestRateLimiter {
  readonly #admitted: Instant[] = [];
  limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether another request fits at `now`; if so, counts it. A refused request does not count. */
  tryAdmit(now: Instant): boolean {
    while ((this.#admitted[0] ?? now) <= now - MINUTE) this.#admitted.shift();
    if (this.#admitted.length >= this.limit) return false;
    this.#admitted.push(now);
    return true;
  }
}

/** The most of these ascending times within any 60 s. Times a full minute apart don't share a window. */
export function mostInAnyMinute(times: readonly Instant[]): number {
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while ((times[first] ?? time) <= time - MINUTE) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
