/** What delivery learns about posts, in memory: after a restart, each search and try begins again. */
import { type Clock, type Instant, MINUTE, type RandomSource, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import {
  backoffDelayMs,
  MAX_UNREADABLE_HISTORY_MS,
  MIN_UNCERTAIN_POST_WAIT_MS,
  SKIP_UNCERTAIN_POST_AFTER_MS,
  UNCERTAIN_POST_SEARCH_DELAY_MS,
} from './delays.ts';
import type { PostDestination } from './transitions.ts';

/** One search and its position. */
export interface PostSearch {
  /** When the attempt was sent. */
  readonly since: Instant;
  /** The attempt is dated in the future: the clock was set back, so its real time is unknown. */
  readonly isUndated: boolean;
  /** The wall-clock time when the search began. */
  readonly datedAt: Instant;
  readonly startedAt: number;
  /** The thread was read to its end. */
  isThreadRead: boolean;
  cursor: string | undefined;
  /** All cursors so far: a repeated one would mean an endless loop. */
  readonly cursors: Set<string>;
  notBefore: number;
  failures: number;
  /** The time since when no page could be read. */
  stuckSince: number;
}

/** A reader that is silent this long is gone: one page never takes longer. */
const LEASE_MS = MINUTE;

/**
 * Searches for posts whose arrival is unknown: how far each has read, when it continues, and whose turn it
 * is. Only one reads at a time in the whole workspace, since Slack may allow one page of 15 messages a
 * minute for all. Times are monotonic, except `since` and `datedAt`.
 */
export class PostSearchTracker {
  readonly #clock: Pick<Clock, 'now' | 'monotonicNow'>;
  readonly #searches = new Map<PostId, PostSearch>();
  #reader: { readonly post: PostId; readonly until: number } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonicNow'>) {
    this.#clock = clock;
  }

  getOrStartSearch(post: Post): PostSearch {
    const at = this.#clock.monotonicNow();
    const since = post.sendingSince ?? 0;
    const known = this.#searches.get(post.id);
    if (known?.since === since) return known;
    const search: PostSearch = {
      since,
      isUndated: since > this.#clock.now(),
      datedAt: this.#clock.now(),
      startedAt: at,
      isThreadRead: false,
      cursor: undefined,
      cursors: new Set(),
      notBefore: 0,
      failures: 0,
      stuckSince: at,
    };
    this.#searches.set(post.id, search);
    return search;
  }

  /** For how long a request in flight may still arrive, in ms: the search starts after that. */
  remainingArrivalMs(post: Post): number {
    const { since, isUndated, startedAt } = this.getOrStartSearch(post);
    const lookedMs = this.#clock.monotonicNow() - startedAt;
    const goneMs = isUndated ? lookedMs : Math.max(lookedMs, this.#clock.now() - since);
    // An earlier process may have sent it just before it ended, long after it had stored the attempt.
    return Math.max(UNCERTAIN_POST_SEARCH_DELAY_MS - goneMs, MIN_UNCERTAIN_POST_WAIT_MS - lookedMs);
  }

  /** For how long the posts behind an unclear one still wait for it, in ms. */
  remainingBlockMs(post: Post): number {
    const lookedMs = this.#clock.monotonicNow() - this.getOrStartSearch(post).startedAt;
    return Math.max(SKIP_UNCERTAIN_POST_AFTER_MS - lookedMs, 0);
  }

  /** Takes the reading turn if it is free and due. @returns how long to wait for it, in ms; 0: read now. */
  claimReadTurn(post: Post): number {
    const at = this.#clock.monotonicNow();
    const { notBefore } = this.getOrStartSearch(post);
    if (notBefore > at) return notBefore - at;
    const reader = this.#reader;
    if (reader && reader.post !== post.id && reader.until > at) return SECOND;
    this.#reader = { post: post.id, until: at + LEASE_MS };
    return 0;
  }

  /**
   * Continues after a page was read. @param next the cursor of the following page
   * @returns false when that cursor was used before.
   */
  advanceCursor(post: Post, next: string): boolean {
    const at = this.#clock.monotonicNow();
    const search = this.getOrStartSearch(post);
    search.stuckSince = at;
    search.failures = 0;
    this.#reader = { post: post.id, until: at + LEASE_MS };
    if (search.cursors.has(next)) return false;
    search.cursors.add(next);
    search.cursor = next;
    return true;
  }

  /** The thread was read to its end; the channel comes next. */
  finishThread(post: Post): void {
    this.getOrStartSearch(post).isThreadRead = true;
    this.restartSearch(post);
  }

  /** Slack asked to wait: the search keeps its position and its turn. */
  delaySearch(post: Post, waitMs: number): void {
    const at = this.#clock.monotonicNow();
    this.getOrStartSearch(post).notBefore = at + waitMs;
    this.#reader = { post: post.id, until: at + waitMs + LEASE_MS };
  }

  /** A page couldn't be read: others take their turn, and this one continues later from the same position. */
  recordReadFailure(post: Post, random: RandomSource): number {
    const search = this.getOrStartSearch(post);
    search.failures++;
    const pauseMs = backoffDelayMs(search.failures, 5 * SECOND, 10 * MINUTE, random);
    search.notBefore = this.#clock.monotonicNow() + pauseMs;
    this.#leaveTurn(post.id);
    return pauseMs;
  }

  /** Slack no longer knows the cursor: starts from the first page. */
  restartSearch(post: Post): void {
    const search = this.getOrStartSearch(post);
    search.cursor = undefined;
    search.cursors.clear();
  }

  /** Whether no page could be read for so long that the search ends. */
  hasTimedOut(post: Post): boolean {
    return this.#clock.monotonicNow() - this.getOrStartSearch(post).stuckSince >= MAX_UNREADABLE_HISTORY_MS;
  }

  /** The post's outcome is known. */
  endSearch(post: PostId): void {
    this.#searches.delete(post);
    this.#leaveTurn(post);
  }

  #leaveTurn(post: PostId): void {
    if (this.#reader?.post === post) this.#reader = undefined;
  }
}

/** A post is tried this often in full, then once as text only. */
const TRIES_AS_MEANT = 3;

interface PostTries {
  readonly channel: PostDestination;
  readonly failures: number;
  /** Others go first until then, in monotonic time; missing: never set aside. */
  readonly asideUntil?: number;
  /** Failures since another post of its channel succeeded after this one was set aside; missing: none did. */
  readonly failuresWhenPassed?: number;
}

/**
 * Posts that Slack refuses with an unknown code. Such a code may concern the post (a policy on its words),
 * its channel, or all of Slack for a while: only other posts show which.
 */
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
   * Counts a refusal. @returns retry: after a delay, in its place · retry-as-text: the same, without blocks ·
   * set-aside: others go first for a while · hold-channel: the same, and others fail as well, so the channel
   * waits · give-up: others succeed, this one never does
   */
  decideAfterRefusal(post: PostId, channel: PostDestination, at: number, random: RandomSource) {
    const before = this.#tries.get(post);
    const failures = (before?.failures ?? 0) + 1;
    const passed = before?.failuresWhenPassed;
    // Once other posts succeed, a post that was set aside is tried twice.
    if (passed !== undefined && passed + 1 >= 2) {
      this.#tries.delete(post);
      return 'give-up';
    }
    const doesChannelFail = this.#isAnyStuck(channel);
    const isAside = failures > TRIES_AS_MEANT;
    const pauseMs = backoffDelayMs(failures - TRIES_AS_MEANT, MINUTE, 60 * MINUTE, random);
    this.#tries.set(post, {
      channel,
      failures,
      asideUntil: isAside ? at + pauseMs : undefined,
      failuresWhenPassed: passed === undefined ? undefined : passed + 1,
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
      const asideUntil = Math.min(tries.asideUntil, at + 30 * SECOND);
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
