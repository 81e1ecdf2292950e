/**
 * The searches for posts whose arrival is unknown: how far each has read, when it goes on, and whose turn it is. In the
 * whole workspace one reads at a time, since Slack may allow one page of 15 messages a minute for all of them. Held in
 * memory: after a start each begins again. Moments are by the clock's steady time, but for `since`.
 */
import { type Clock, type Instant, MINUTE, type Random, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import {
  backoffDelayMs,
  MAX_UNREADABLE_HISTORY_MS,
  SEARCH_DELAY_MS,
  SKIP_UNCERTAIN_AFTER_MS,
} from './delays.ts';

/** Where a search goes on. */
export interface PostSearch {
  /** The attempt that is searched for. */
  readonly since: Instant;
  /** The attempt is dated in the future: the clock was set back, and nobody knows when it was. */
  readonly isUndated: boolean;
  /** The time of day when the search began. */
  readonly datedAt: Instant;
  readonly startedAt: number;
  /** The thread was read to its end. */
  isThreadRead: boolean;
  cursor: string | undefined;
  /** Every cursor so far: a repeat would read in circles. */
  readonly cursors: Set<string>;
  notBefore: number;
  failures: number;
  /** Since when no page could be read. */
  stuckSince: number;
}

const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** A reader that is not heard of for so long is gone: longer than one page may take. */
const LEASE_MS = MINUTE;

export class PostSearches {
  readonly #clock: Pick<Clock, 'now' | 'monotonicNow'>;
  readonly #searches = new Map<PostId, PostSearch>();
  #reader: { readonly post: PostId; readonly until: number } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonicNow'>) {
    this.#clock = clock;
  }

  /** The search for a post's latest attempt. */
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

  /** For how long a request that was on its way may still arrive, in ms: nothing is looked for before. */
  remainingArrivalMs(post: Post): number {
    const { since, isUndated, startedAt } = this.getOrStartSearch(post);
    const lookedMs = this.#clock.monotonicNow() - startedAt;
    const goneMs = isUndated ? lookedMs : Math.max(lookedMs, this.#clock.now() - since);
    return SEARCH_DELAY_MS - goneMs;
  }

  /** Whether the posts behind an unclear one go on without it. */
  canBeSkipped(post: Post): boolean {
    return this.#clock.monotonicNow() - this.getOrStartSearch(post).startedAt >= SKIP_UNCERTAIN_AFTER_MS;
  }

  /** Takes the turn to read, if it is free and due. @returns for how long it is not, in ms; 0: read now. */
  claimReadTurn(post: Post): number {
    const at = this.#clock.monotonicNow();
    const { notBefore } = this.getOrStartSearch(post);
    if (notBefore > at) return notBefore - at;
    const reader = this.#reader;
    if (reader && reader.post !== post.id && reader.until > at) return SECOND;
    this.#reader = { post: post.id, until: at + LEASE_MS };
    return 0;
  }

  /** A page was read, of which `next` is the following one. @returns false when that was read before. */
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

  /** The thread was read through, and the channel comes next. */
  finishThread(post: Post): void {
    const search = this.getOrStartSearch(post);
    search.isThreadRead = true;
    search.cursor = undefined;
    search.cursors.clear();
  }

  /** Slack asks to wait: the search keeps its place and its turn. */
  delaySearch(post: Post, waitMs: number): void {
    const at = this.#clock.monotonicNow();
    this.getOrStartSearch(post).notBefore = at + waitMs;
    this.#reader = { post: post.id, until: at + waitMs + LEASE_MS };
  }

  /** A page could not be read: others have their turn, and the search goes on later where it was. */
  recordReadFailure(post: Post, random: Random): number {
    const search = this.getOrStartSearch(post);
    search.failures++;
    const pauseMs = backoffDelayMs(search.failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random);
    search.notBefore = this.#clock.monotonicNow() + pauseMs;
    this.#leaveTurn(post.id);
    return pauseMs;
  }

  /** Slack knows the cursor no longer. */
  restartSearch(post: Post): void {
    const search = this.getOrStartSearch(post);
    search.cursor = undefined;
    search.cursors.clear();
  }

  /** Whether no page could be read for so long that the search ends. */
  hasTimedOut(post: Post): boolean {
    return this.#clock.monotonicNow() - this.getOrStartSearch(post).stuckSince >= MAX_UNREADABLE_HISTORY_MS;
  }

  /** It is known what became of the post. */
  endSearch(post: PostId): void {
    this.#searches.delete(post);
    this.#leaveTurn(post);
  }

  #leaveTurn(post: PostId): void {
    if (this.#reader?.post === post) this.#reader = undefined;
  }
}
