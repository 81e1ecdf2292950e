/**
 * What is known of Homes while the process runs: whose is being drawn, what stands there, where people are by Slack's last
 * word, which channels are public, and links to messages, which never change. Nothing here has to outlive a restart.
 */
import { type Clock, type Instant, MINUTE } from '../../clock.ts';
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';

export interface UserChannel {
  readonly id: ChannelId;
  /** A stranger's words. */
  readonly name: string;
  readonly isPrivate: boolean;
}

/** A person's Home, while something of it is under way. */
export interface OpenHomeState {
  /** As it was published last, as JSON; undefined: not since this was begun. */
  published?: string;
  /** What came of the last press. Harmless mrkdwn. */
  notice?: string;
  /** An opening waits for its turn. */
  isOpening?: boolean;
  /** Newer facts are being asked for. */
  isRefreshing?: boolean;
}

interface Session {
  readonly home: OpenHomeState;
  users: number;
  last: Promise<void>;
}

/** Slack's word is believed so long without asking again. */
const BELIEVED_MS = MINUTE;

interface Said<T> {
  readonly value: T;
  readonly at: Instant;
}
const MOST_PEOPLE = 1_000;
const MOST_LINKS = 5_000;

export class HomeCache {
  readonly #clock: Clock;
  readonly #sessions = new Map<UserId, Session>();
  readonly #places = new Map<UserId, Said<readonly UserChannel[]>>();
  #publicChannels: Said<ReadonlySet<ChannelId>> | undefined;
  readonly #questions = new Map<string, Promise<unknown>>();
  readonly #links = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` with the one state of a person's Home, which is forgotten when nobody uses it any more. */
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

  /** One after the other for each person, so that an older state never stands on a newer one. Within `withOpenHome`. */
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
    put(this.#places, user, { value: places, at }, MOST_PEOPLE);
  }

  /** Public channels that the bot is in. */
  findPublicChannels(): ReadonlySet<ChannelId> | undefined {
    return this.#ifYoung(this.#publicChannels, BELIEVED_MS);
  }

  cachePublicChannels(channels: readonly ChannelId[], at: Instant): void {
    this.#publicChannels = { value: new Set(channels), at };
  }

  /** Asks one question of a kind at a time: a caller who comes meanwhile gets the same answer. */
  fetchOnce<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const pending = this.#questions.get(key) as Promise<T> | undefined;
    if (pending) return pending;
    const asked = ask().finally(() => this.#questions.delete(key));
    this.#questions.set(key, asked);
    return asked;
  }

  #ifYoung<T>(said: Said<T> | undefined, maxAgeMs: number): T | undefined {
    const age = said && this.#clock.now() - said.at;
    return age !== undefined && age >= 0 && age < maxAgeMs ? said?.value : undefined;
  }

  findMessageLink(channel: ChannelId, ts: MessageTs): string | undefined {
    return this.#links.get(`${channel}/${ts}`);
  }

  cacheMessageLink(channel: ChannelId, ts: MessageTs, link: string): void {
    put(this.#links, `${channel}/${ts}`, link, MOST_LINKS);
  }
}

/** The oldest makes room. */
function put<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
