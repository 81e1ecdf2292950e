/** The book of requests: what came, and what was made of it. */
import type { Instant } from '../../clock.ts';
import { mostInAnyMinute } from './request-window.ts';
import type { SeenRequest } from './simulated-marketplace.ts';

type Entry = { -readonly [K in keyof SeenRequest]: SeenRequest[K] };

export interface OpenEntry {
  /** What is, or would be, the answer's status. */
  decided(status: number): void;
  /** The whole answer was handed to the connection. */
  answered(): void;
  /** The connection is gone. */
  closed(): void;
}

export class RequestLog {
  #entries: Entry[] = [];

  open(at: Instant, method: string, path: string, query: URLSearchParams, body: unknown): OpenEntry {
    const entry: Entry = {
      at,
      method,
      path,
      query: Object.fromEntries(query),
      body,
      status: undefined,
      answered: false,
      lost: false,
    };
    this.#entries.push(entry);
    return {
      decided: (status) => {
        entry.status = status;
      },
      answered: () => {
        entry.answered = true;
      },
      closed: () => {
        entry.lost = !entry.answered;
      },
    };
  }

  all(): SeenRequest[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  busiestMinute(): number {
    return mostInAnyMinute(this.#entries.map((entry) => entry.at));
  }

  clear(): void {
    this.#entries = [];
  }
}
