/** The `response_url`s of a command or a press: valid five times within 30 minutes. */
import { type Clock, MINUTE } from '../../clock.ts';
import type { SlackIdGenerator } from './identifiers.ts';

const USES = 5;
const LIVES_MS = 30 * MINUTE;

export interface ResponseUrlTarget {
  readonly userId: string;
  readonly channel: string;
  /** The message that the person acted on; the app may replace or delete it. */
  readonly messageTs: string | undefined;
  readonly threadTs: string | undefined;
}

interface Entry {
  readonly target: ResponseUrlTarget;
  readonly madeAt: number;
  used: number;
}

export type ResponseUrlRedemption =
  | { readonly target: ResponseUrlTarget }
  | { readonly error: 'expired_url' | 'used_url' | 'no_url' };

export class ResponseUrlStore {
  readonly #clock: Clock;
  readonly #ids: SlackIdGenerator;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, ids: SlackIdGenerator) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** The path of a new URL. */
  issue(target: ResponseUrlTarget): string {
    const key = this.#ids.randomToken(24);
    this.#entries.set(key, { target, madeAt: this.#clock.now(), used: 0 });
    return `/response/${key}`;
  }

  /** The target of a URL; uses up one of its calls. */
  redeem(key: string): ResponseUrlRedemption {
    const entry = this.#entries.get(key);
    if (!entry) return { error: 'no_url' };
    if (this.#clock.now() - entry.madeAt > LIVES_MS) return { error: 'expired_url' };
    if (entry.used >= USES) return { error: 'used_url' };
    entry.used += 1;
    return { target: entry.target };
  }

  clear(): void {
    this.#entries.clear();
  }
}
