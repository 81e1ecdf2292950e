/** What Slack says about people, remembered for minutes; and what the parts of personal follow share. */
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Workspace } from '../workspace.ts';
import type { RuleMatcher } from './match-rules.ts';
import { MAX_FOLLOWERS } from './records.ts';

/** What Slack says about a person. */
export interface Membership {
  /** A full member of the workspace: neither a guest nor deactivated. */
  readonly isMember: boolean;
  /** Those that Gigdesk is in. */
  readonly channels: ReadonlySet<ChannelId>;
}

/** @returns undefined: Slack doesn't say now. Never throws. */
export type ReadMembership = (user: UserId) => Promise<Membership | undefined>;

/** Someone who left a channel gets nothing from it after this long. */
const FRESH_MS = 5 * MINUTE;

/** Remembers for some minutes what Slack says about people, so that not each project asks. */
export class Memberships {
  readonly #ask: ReadMembership;
  readonly #clock: Clock;
  readonly #known = new Map<UserId, { readonly membership: Membership; readonly at: Instant }>();

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

export interface FollowContext extends Pick<Workspace, 'store' | 'clock' | 'log' | 'clockGuard'> {
  readonly memberships: Memberships;
  readonly matcher: RuleMatcher;
}
