/**
 * Posts that Slack refuses with an unknown code. Such a code may concern the post (a policy on its words),
 * its channel, or all of Slack for a while: only other posts show which. In memory, so a restart tries again.
 */
import { MINUTE, type RandomSource, SECOND } from '../../clock.ts';
import type { PostId } from '../../outbox/posts.ts';
import { backoffDelayMs } from './delays.ts';
import type { PostDestination } from './outbox-queries.ts';

/** A post is tried this often in full, then once as text only. */
const TRIES_AS_MEANT = 3;
/** Once other posts succeed, a post that was set aside is tried this often. */
const TRIES_WHEN_PASSED = 2;
const FIRST_ASIDE_MS = MINUTE;
const LONGEST_ASIDE_MS = 60 * MINUTE;
/** Once another post succeeds, a post that was set aside is tried this soon. */
const PASSED_MS = 30 * SECOND;

/**
 * retry: after a delay, in its place · retry-as-text: the same, without blocks · set-aside: others go first
 * for a while · hold-channel: the same, and others fail as well, so the channel waits · give-up: others
 * succeed, this one never does.
 */
export type UnknownRefusalDecision = 'retry' | 'retry-as-text' | 'set-aside' | 'hold-channel' | 'give-up';

interface PostTries {
  readonly channel: PostDestination;
  readonly failures: number;
  /** Others go first until then, in monotonic time; missing: never set aside. */
  readonly asideUntil?: number;
  /**
   * Failures since another post of its channel succeeded after this one was set aside; missing: none
   * succeeded.
   */
  readonly failuresWhenPassed?: number;
}

export class UnknownRefusalTracker {
  readonly #tries = new Map<PostId, PostTries>();

  /** @param at monotonic time, as everywhere in this class */
  isSetAside(post: PostId, at: number): boolean {
    return (this.#tries.get(post)?.asideUntil ?? 0) > at;
  }

  /** How long until a post of the channel stops being set aside; undefined when none is. */
  setAsideForMs(channel: PostDestination, at: number): number | undefined {
    const ends = [...this.#tries.values()]
      .filter((it) => it.channel === channel && (it.asideUntil ?? 0) > at)
      .map(({ asideUntil = at }) => asideUntil - at);
    return ends.length > 0 ? Math.min(...ends) : undefined;
  }

  /**
   * Counts a refusal. @returns what to do with the post; `set-aside` and `hold-channel` are already recorded
   * here.
   */
  decideAfterRefusal(
    post: PostId,
    channel: PostDestination,
    at: number,
    random: RandomSource,
  ): UnknownRefusalDecision {
    const before = this.#tries.get(post);
    const failures = (before?.failures ?? 0) + 1;
    const passed = before?.failuresWhenPassed;
    if (passed !== undefined && passed + 1 >= TRIES_WHEN_PASSED) {
      this.#tries.delete(post);
      return 'give-up';
    }
    const doesChannelFail = this.#isAnyStuck(channel);
    const isAside = failures > TRIES_AS_MEANT;
    const pauseMs = backoffDelayMs(failures - TRIES_AS_MEANT, FIRST_ASIDE_MS, LONGEST_ASIDE_MS, random);
    this.#tries.set(post, {
      channel,
      failures,
      ...(isAside ? { asideUntil: at + pauseMs } : {}),
      ...(passed === undefined ? {} : { failuresWhenPassed: passed + 1 }),
    });
    if (doesChannelFail) return 'hold-channel';
    if (isAside) return 'set-aside';
    return failures === TRIES_AS_MEANT ? 'retry-as-text' : 'retry';
  }

  /** Whether the post is sent as text only from now on. */
  isTextOnly(post: PostId): boolean {
    return (this.#tries.get(post)?.failures ?? 0) >= TRIES_AS_MEANT;
  }

  /** A post succeeded, so the posts set aside in its channel were refused for their own content. */
  recordDelivered(post: PostId, channel: PostDestination, at: number): void {
    this.#tries.delete(post);
    for (const [id, tries] of this.#tries) {
      if (tries.channel !== channel || tries.asideUntil === undefined) continue;
      if (tries.failuresWhenPassed !== undefined) continue;
      const asideUntil = Math.min(tries.asideUntil, at + PASSED_MS);
      this.#tries.set(id, { ...tries, asideUntil, failuresWhenPassed: 0 });
    }
  }

  /** The post is not tried again, whatever its outcome. */
  forgetPost(post: PostId): void {
    this.#tries.delete(post);
  }

  /** Whether a post was set aside and no other post succeeded since. */
  #isAnyStuck(channel: PostDestination): boolean {
    return [...this.#tries.values()].some(
      (it) => it.channel === channel && it.asideUntil !== undefined && it.failuresWhenPassed === undefined,
    );
  }
}
