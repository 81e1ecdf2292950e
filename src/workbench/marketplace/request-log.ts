/** The log of requests and their outcomes. */
import type { Instant } from '../../clock.ts';
import { mostInAnyMinute } from './request-window.ts';
import type { LoggedRequest } from './simulated-marketplace.ts';

type Entry = { -readonly [K in keyof LoggedRequest]: LoggedRequest[K] };

export interface RequestLogEntryRecorder {
  /** The response's status, even if it is never sent. */
  recordStatus(status: number): void;
  /** The connection accepted the whole response. */
  recordAnswered(): void;
  /** The connection closed. */
  recordClosed(): void;
}

export class RequestLog {
  #entries: Entry[] = [];

  openEntry(
    at: Instant,
    method: string,
    path: string,
    query: URLSearchParams,
    body: unknown,
  ): RequestLogEntryRecorder {
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
      recordStatus: (status) => {
        entry.status = status;
      },
      recordAnswered: () => {
        entry.answered = true;
      },
      recordClosed: () => {
        entry.lost = !entry.answered;
      },
    };
  }

  listRequests(): LoggedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  maxRequestsInAnyMinute(): number {
    return mostInAnyMinute(this.#entries.map((entry) => entry.at));
  }

  clear(): void {
    this.#entries = [];
  }
}
