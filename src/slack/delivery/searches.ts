/**
 * The searches for posts whose arrival is unknown: how far each has read, when it goes on, and whose turn it is. In the
 * whole workspace one reads at a time, since Slack may allow one page of 15 messages a minute for all of them. Held in
 * memory: after a start each begins again. Moments are by the clock's steady time, but for `since`.
 */
import { type Clock, type Instant, MINUTE, type Random, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import { growingPause, LONGEST_UNREADABLE_MS, PASS_UNCLEAR_MS, SETTLE_AFTER_MS } from './pauses.ts';

/** Where a search goes on. */
export interface Search {
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

export class Searches {
  readonly #clock: Pick<Clock, 'now' | 'steady'>;
  readonly #searches = new Map<PostId, Search>();
  #reader: { readonly post: PostId; readonly until: number } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'steady'>) {
    this.#clock = clock;
  }

  /** The search for a post's latest attempt. */
  of(post: Post): Search {
    const at = this.#clock.steady();
    const since = post.sendingSince ?? 0;
    const known = this.#searches.get(post.id);
    if (known?.since === since) return known;
    const search: Search = {
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
  arrivesFor(post: Post): number {
    const { since, isUndated, startedAt } = this.of(post);
    const lookedMs = this.#clock.steady() - startedAt;
    const goneMs = isUndated ? lookedMs : Math.max(lookedMs, this.#clock.now() - since);
    return SETTLE_AFTER_MS - goneMs;
  }

  /** Whether the posts behind an unclear one go on without it. */
  mayBePassed(post: Post): boolean {
    return this.#clock.steady() - this.of(post).startedAt >= PASS_UNCLEAR_MS;
  }

  /** Takes the turn to read, if it is free and due. @returns for how long it is not, in ms; 0: read now. */
  takeTurn(post: Post): number {
    const at = this.#clock.steady();
    const { notBefore } = this.of(post);
    if (notBefore > at) return notBefore - at;
    const reader = this.#reader;
    if (reader && reader.post !== post.id && reader.until > at) return SECOND;
    this.#reader = { post: post.id, until: at + LEASE_MS };
    return 0;
  }

  /** A page was read, of which `next` is the following one. @returns false when that was read before. */
  goOn(post: Post, next: string): boolean {
    const at = this.#clock.steady();
    const search = this.of(post);
    search.stuckSince = at;
    search.failures = 0;
    this.#reader = { post: post.id, until: at + LEASE_MS };
    if (search.cursors.has(next)) return false;
    search.cursors.add(next);
    search.cursor = next;
    return true;
  }

  /** The thread was read through, and the channel comes next. */
  leaveThread(post: Post): void {
    const search = this.of(post);
    search.isThreadRead = true;
    search.cursor = undefined;
    search.cursors.clear();
  }

  /** Slack asks to wait: the search keeps its place and its turn. */
  wait(post: Post, waitMs: number): void {
    const at = this.#clock.steady();
    this.of(post).notBefore = at + waitMs;
    this.#reader = { post: post.id, until: at + waitMs + LEASE_MS };
  }

  /** A page could not be read: others have their turn, and the search goes on later where it was. */
  fail(post: Post, random: Random): number {
    const search = this.of(post);
    search.failures++;
    const pauseMs = growingPause(search.failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random);
    search.notBefore = this.#clock.steady() + pauseMs;
    this.#leaveTurn(post.id);
    return pauseMs;
  }

  /** Slack knows the cursor no longer. */
  beginAgain(post: Post): void {
    const search = this.of(post);
    search.cursor = undefined;
    search.cursors.clear();
  }

  /** Whether no page could be read for so long that the search ends. */
  isHopeless(post: Post): boolean {
    return this.#clock.steady() - this.of(post).stuckSince >= LONGEST_UNREADABLE_MS;
  }

  /** It is known what became of the post. */
  end(post: PostId): void {
    this.#searches.delete(post);
    this.#leaveTurn(post);
  }

  #leaveTurn(post: PostId): void {
    if (this.#reader?.post === post) this.#reader = undefined;
  }
}
