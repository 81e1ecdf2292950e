/** Posts JSON to URLs from Slack. Uses undici directly: its `fetch` costs four times the CPU. */
import { Agent, type Dispatcher, request } from 'undici';

export interface PostJsonResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Follows no redirects. @throws undici's errors, which may name the address; the signal's reason when
 * aborted.
 */
export type PostJson = (address: string, json: string, signal: AbortSignal) => Promise<PostJsonResponse>;

export interface JsonPoster {
  readonly post: PostJson;
  /** Cancels pending requests. */
  readonly close: () => Promise<void>;
}

/** Slack answers "ok" or a one-line error. */
const LONGEST_ANSWER_BYTES = 100_000;

/** @param dispatcher by default a new connection pool; `close` closes only that one */
export function createJsonPoster(dispatcher?: Dispatcher): JsonPoster {
  const own = dispatcher === undefined;
  const pool = dispatcher ?? new Agent({ maxResponseSize: LONGEST_ANSWER_BYTES });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return {
    post: async (address, body, signal) => {
      const answer = await request(address, { method: 'POST', headers, body, signal, dispatcher: pool });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    close: async () => {
      if (own) await pool.destroy();
    },
  };
}
