/** Posting JSON to an address that Slack has given. By undici itself, since its `fetch` costs four times the CPU. */
import { Agent, type Dispatcher, request } from 'undici';

export interface PostJsonResponse {
  readonly status: number;
  readonly text: string;
}

/** Redirects are not followed. @throws undici's errors, which may name the address; the signal's reason when it is aborted. */
export type PostJson = (address: string, json: string, signal: AbortSignal) => Promise<PostJsonResponse>;

export interface JsonPoster {
  readonly post: PostJson;
  /** Cuts off what is under way. */
  readonly close: () => Promise<void>;
}

/** Slack answers "ok", or an error of a line. */
const LONGEST_ANSWER_BYTES = 100_000;

/** @param dispatcher an own connection pool when absent, which alone is closed in the end */
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
