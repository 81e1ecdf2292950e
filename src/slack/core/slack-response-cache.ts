/** Caches Slack's answers, sends one request per key at a time, and waits for it with a timeout. */
import { type Clock, DAY, type Instant, MINUTE } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { toSlackCallError } from './errors.ts';

/** A cached answer is fresh for this long. */
const FRESH_MS = 5 * MINUTE;
/** And usable for this long when Slack doesn't answer: an outage must not stop the team's work. */
const KEPT_MS = DAY;
const MOST_REMEMBERED = 5_000;

export interface CachedResponse<V> {
  readonly value: V;
  /** Whether Slack confirmed it within the last minutes. */
  readonly isFresh: boolean;
}

export interface SlackResponseCacheOptions<V> {
  readonly ask: (key: string) => Promise<V>;
  readonly clock: Clock;
  readonly log: Log;
  /** A static log message for when Slack doesn't answer. */
  readonly failure: string;
  /** How long to wait for Slack, with and without an older answer. */
  readonly timeoutMs: { readonly known: number; readonly unknown: number };
  /** How long not to ask again after a failure. */
  readonly retryDelayMs: number;
}

interface Kept<V> {
  readonly value: V;
  readonly at: Instant;
}

interface Asked {
  readonly since: Instant;
  /** Never rejects. */
  readonly done: Promise<void>;
}

export class SlackResponseCache<V> {
  readonly #options: SlackResponseCacheOptions<V>;
  readonly #kept = new Map<string, Kept<V>>();
  readonly #asked = new Map<string, Asked>();
  readonly #failedAt = new Map<string, Instant>();

  constructor(options: SlackResponseCacheOptions<V>) {
    this.#options = options;
  }

  /** undefined: Slack did not answer in time, and nothing is cached. Never throws. */
  async read(key: string): Promise<CachedResponse<V> | undefined> {
    const fresh = this.#find(key, FRESH_MS);
    if (fresh) return { value: fresh.value, isFresh: true };
    if (!this.#isPausing(key)) await this.#wait(key, this.#asked.get(key) ?? this.#ask(key));
    const kept = this.#find(key, KEPT_MS);
    return kept && { value: kept.value, isFresh: this.#find(key, FRESH_MS) !== undefined };
  }

  /** An answer from the future comes from a clock that was set back: its age is unknown. */
  #find(key: string, ageMs: number): Kept<V> | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const age = this.#options.clock.now() - kept.at;
    return age >= 0 && age < ageMs ? kept : undefined;
  }

  #isPausing(key: string): boolean {
    const failedAt = this.#failedAt.get(key);
    if (failedAt === undefined) return false;
    const age = this.#options.clock.now() - failedAt;
    return age >= 0 && age < this.#options.retryDelayMs;
  }

  #ask(key: string): Asked {
    const done = this.#learn(key).finally(() => this.#asked.delete(key));
    const asked = { since: this.#options.clock.now(), done };
    this.#asked.set(key, asked);
    return asked;
  }

  async #learn(key: string): Promise<void> {
    const { ask, clock, log, failure } = this.#options;
    try {
      const value = await ask(key);
      this.#failedAt.delete(key);
      put(this.#kept, key, { value, at: clock.now() });
    } catch (thrown) {
      put(this.#failedAt, key, clock.now());
      log.warn(failure, { of: key, error: toSlackCallError(thrown).code });
    }
  }

  /** Later callers wait only for the rest of the first caller's timeout. */
  #wait(key: string, { since, done }: Asked): Promise<void> {
    const { clock, timeoutMs } = this.#options;
    const patience = this.#find(key, KEPT_MS) ? timeoutMs.known : timeoutMs.unknown;
    return new Promise((resolve) => {
      const leftMs = Math.min(Math.max(0, since + patience - clock.now()), patience);
      const cancel = clock.runAfter(leftMs, resolve);
      void done.then(() => {
        cancel();
        resolve();
      });
    });
  }
}

/** Drops the oldest entry when full. */
function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
}
