/** One request to the app, while it is sent and afterwards. */
import type { JsonObject } from '../objects.ts';
import type { SentAppRequest } from '../simulated-slack.ts';

export type AppRequestType = 'slash_commands' | 'interactive' | 'events_api';

export interface OutgoingAppRequest {
  readonly type: AppRequestType;
  readonly payload: JsonObject;
  readonly retryNum: number;
  readonly retryReason: string;
}

/** The failure's name in Slack's retry header. */
export type DeliveryFailure = 'timeout' | 'http_timeout' | 'http_error' | 'connection_failed';

export interface DeliveryResult {
  readonly acked: boolean;
  readonly trouble: DeliveryFailure | undefined;
  readonly status: number | undefined;
  readonly body: unknown;
  /** The app asked for no retries (`X-Slack-No-Retry`). */
  readonly noRetry: boolean;
}

export const UNDELIVERED_RESULT: DeliveryResult = {
  acked: false,
  trouble: 'connection_failed',
  status: undefined,
  body: undefined,
  noRetry: false,
};

/** The body of an acknowledgement; undefined if it is empty. */
export function nonEmptyBody(body: unknown): unknown {
  if (body === undefined || body === null || body === '') return undefined;
  if (typeof body === 'object' && Object.keys(body).length === 0) return undefined;
  return body;
}

export class SentAppRequestLog {
  #entries: SentAppRequest[] = [];

  startEntry(
    via: 'socket' | 'http',
    outgoing: OutgoingAppRequest,
    sentAt: number,
  ): (end: DeliveryResult, answeredAt: number) => void {
    const { type, payload, retryNum } = outgoing;
    const kind = payload['type'] === 'block_suggestion' ? 'options' : type;
    const open = { status: undefined, body: undefined, acked: false, answeredAt: undefined };
    const index = this.#entries.push({ via, type: kind, payload, sentAt, retryNum, ...open }) - 1;
    const entries = this.#entries;
    return ({ acked, status, body }, answeredAt) => {
      const entry = entries[index];
      if (entry) entries[index] = { ...entry, acked, status, body, answeredAt };
    };
  }

  all(): readonly SentAppRequest[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
  }
}
