/** Remembers for some minutes what Slack says about people, so that not each project asks. */
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import type { UserId } from '../ids.ts';
import { MAX_FOLLOWERS, type Membership, type ReadMembership } from './follows.ts';

/** Someone who left a channel gets nothing from it after this long. */
const FRESH_MS = 5 * MINUTE;

interface Known {
  readonly membership: Membership;
  readonly at: Instant;
}

export class Memberships {
  readonly #ask: ReadMembership;
  readonly #clock: Clock;
  readonly #known = new Map<UserId, Known>();

  constructor(ask: ReadMembership, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** undefined: Slack doesn't say now. Never throws. */
  async read(user: UserId, maxAgeMs = FRESH_MS): Promise<Membership | undefined> {
    const known = this.#known.get(user);
    if (known && isRecent(known.at, maxAgeMs, this.#clock.now())) return known.membership;
    // Dated before the call: nobody counts as a member longer than that from the answer's beginning.
    const at = this.#clock.now();
    const membership = await this.#ask(user);
    if (membership) putBounded(this.#known, user, { membership, at }, 2 * MAX_FOLLOWERS);
    return membership;
  }
}
