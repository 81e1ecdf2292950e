/**
 * What this process remembers, and what need not survive a restart. Of App Homes: who is viewing, what shows
 * there, channel memberships from Slack, public channels, and message links, which never change. Of links in
 * messages: whose turn it is to look them up.
 */
import { putBounded } from '../../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../../clock.ts';
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';

export interface UserChannel {
  readonly id: ChannelId;
  /** A stranger's text. */
  readonly name: string;
  readonly isPrivate: boolean;
}

/** A user's App Home, while something is in progress for it. */
export interface OpenHomeState {
  /** The last published view, as JSON; undefined if none was published since this state began. */
  published?: string;
  /** The result of the last action. Safe mrkdwn. */
  notice?: string;
  /** An opening is queued. */
  isOpening?: boolean;
  /** A refresh is in progress. */
  isRefreshing?: boolean;
}

/** How long an answer from Slack stays valid. */
const BELIEVED_MS = MINUTE;

interface Said<T> {
  readonly value: T;
  readonly at: Instant;
}

export class HomeCache {
  readonly #clock: Clock;
  readonly #sessions = new Map<
    UserId,
    { readonly home: OpenHomeState; users: number; last: Promise<void> }
  >();
  readonly #places = new Map<UserId, Said<readonly UserChannel[]>>();
  #publicChannels: Said<ReadonlySet<ChannelId>> | undefined;
  readonly #questions = new Map<string, Promise<unknown>>();
  readonly #links = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` with the shared state of a user's App Home, which is dropped when its last user finishes. */
  async withOpenHome<T>(user: UserId, work: (home: OpenHomeState) => Promise<T>): Promise<T> {
    const session = this.#sessions.get(user) ?? { home: {}, users: 0, last: Promise.resolve() };
    this.#sessions.set(user, session);
    session.users++;
    try {
      return await work(session.home);
    } finally {
      session.users--;
      if (session.users === 0) this.#sessions.delete(user);
    }
  }

  /** One task at a time per user, so that an older view never replaces a newer one. Within `withOpenHome`. */
  runInTurn(user: UserId, work: () => Promise<void>): Promise<void> {
    const session = this.#sessions.get(user);
    if (!session) return work();
    const turn = session.last.then(work);
    session.last = turn.catch(() => undefined);
    return turn;
  }

  findUserChannels(user: UserId, maxAgeMs = BELIEVED_MS): readonly UserChannel[] | undefined {
    return this.#ifYoung(this.#places.get(user), maxAgeMs);
  }

  cacheUserChannels(user: UserId, places: readonly UserChannel[], at: Instant): void {
    putBounded(this.#places, user, { value: places, at }, 1_000);
  }

  /** Public channels that the bot is in. */
  findPublicChannels(): ReadonlySet<ChannelId> | undefined {
    return this.#ifYoung(this.#publicChannels, BELIEVED_MS);
  }

  cachePublicChannels(channels: readonly ChannelId[], at: Instant): void {
    this.#publicChannels = { value: new Set(channels), at };
  }

  /** Runs one request per key at a time: concurrent callers share its answer. */
  fetchOnce<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const pending = this.#questions.get(key) as Promise<T> | undefined;
    if (pending) return pending;
    const asked = ask().finally(() => this.#questions.delete(key));
    this.#questions.set(key, asked);
    return asked;
  }

  #ifYoung<T>(said: Said<T> | undefined, maxAgeMs: number): T | undefined {
    return isRecent(said?.at, maxAgeMs, this.#clock.now()) ? said?.value : undefined;
  }

  findMessageLink(channel: ChannelId, ts: MessageTs): string | undefined {
    return this.#links.get(`${channel}/${ts}`);
  }

  cacheMessageLink(channel: ChannelId, ts: MessageTs, link: string): void {
    putBounded(this.#links, `${channel}/${ts}`, link, 5_000);
  }
}

export interface ActiveUnfurl {
  /** A newer message of the channel waits: stop looking up links. */
  isOvertaken(): boolean;
  end(): void;
}

/** One message per channel and a few overall look up their links; the newest of a channel goes first. */
export class UnfurlQueue {
  readonly #inTurn = new Set<ChannelId>();
  /** The newest message of each channel, in order of arrival. */
  readonly #waiting = new Map<ChannelId, (turn: ActiveUnfurl | undefined) => void>();

  /** Waits for the channel's turn. @returns undefined when a newer message came, or too many wait */
  waitForTurn(channel: ChannelId): Promise<ActiveUnfurl | undefined> {
    return new Promise((answer) => {
      this.#giveUp(channel);
      this.#waiting.set(channel, answer);
      this.#startNext();
      const [longest] = this.#waiting.keys();
      // Each waiting message uses memory.
      if (longest !== undefined && this.#waiting.size > 20) this.#giveUp(longest);
    });
  }

  #giveUp(channel: ChannelId): void {
    const answer = this.#waiting.get(channel);
    this.#waiting.delete(channel);
    answer?.(undefined);
  }

  #startNext(): void {
    for (const [channel, answer] of this.#waiting) {
      if (this.#inTurn.size >= 3) return;
      if (this.#inTurn.has(channel)) continue;
      this.#waiting.delete(channel);
      this.#inTurn.add(channel);
      answer({ isOvertaken: () => this.#waiting.has(channel), end: () => this.#end(channel) });
    }
  }

  #end(channel: ChannelId): void {
    this.#inTurn.delete(channel);
    this.#startNext();
  }
}
