import type { z } from 'zod';
import { SlackCallError, toSlackCallError } from './errors.ts';

/**
 * Parses Slack's answer to a request. An answer in another shape than `schema` leaves the effect unknown.
 * @throws SlackCallError
 */
export async function parseSlackResponse<T>(schema: z.ZodType<T>, request: Promise<unknown>): Promise<T> {
  try {
    const answer = schema.safeParse(await request);
    if (answer.success) return answer.data;
    throw new SlackCallError('unreadable', 'unknown', { cause: answer.error });
  } catch (thrown) {
    throw toSlackCallError(thrown);
  }
}
