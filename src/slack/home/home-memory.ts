/**
 * What is known of Homes while the process runs: whose is being drawn, what stands there, where people are by Slack's last
 * word, and links to messages, which never change. Nothing here has to outlive a restart.
 */
import { type Clock, type Instant, MINUTE } from '../../clock.ts';
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';

export interface PlaceOfPerson {
  readonly id: ChannelId;
  /** A stranger's words. */
  readonly name: string;
  readonly isPrivate: boolean;
}

/** A person's Home, while something of it is under way. */
export interface OpenHome {
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
  readonly home: OpenHome;
  users: number;
  last: Promise<void>;
}

/** Slack's word is believed so long without asking again. */
const BELIEVED_MS = MINUTE;
const MOST_PEOPLE = 1_000;
const MOST_LINKS = 5_000;

export class HomeMemory {
  readonly #clock: Clock;
  readonly #sessions = new Map<UserId, Session>();
  readonly #places = new Map<UserId, { readonly places: readonly PlaceOfPerson[]; readonly at: Instant }>();
  readonly #links = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `work` with the one state of a person's Home, which is forgotten when nobody uses it any more. */
  async withHome<T>(user: UserId, work: (home: OpenHome) => Promise<T>): Promise<T> {
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

  /** One after the other for each person, so that an older state never stands on a newer one. Within `withHome`. */
  inTurn(user: UserId, work: () => Promise<void>): Promise<void> {
    const session = this.#sessions.get(user);
    if (!session) return work();
    const turn = session.last.then(work);
    session.last = turn.catch(() => undefined);
    return turn;
  }

  placesOf(user: UserId): readonly PlaceOfPerson[] | undefined {
    const known = this.#places.get(user);
    const age = known && this.#clock.now() - known.at;
    return age !== undefined && age >= 0 && age < BELIEVED_MS ? known?.places : undefined;
  }

  learnPlaces(user: UserId, places: readonly PlaceOfPerson[], at: Instant): void {
    put(this.#places, user, { places, at }, MOST_PEOPLE);
  }

  linkTo(channel: ChannelId, ts: MessageTs): string | undefined {
    return this.#links.get(`${channel}/${ts}`);
  }

  learnLink(channel: ChannelId, ts: MessageTs, link: string): void {
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
