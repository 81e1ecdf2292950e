/**
 * Uploads charts into threads through the Web API. Shares once only: the client must have no retries, since
 * Slack would show the charts twice. Source of the three steps: docs/slack-limits.md, Files.
 */
import type { FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ChartUploadPort } from '../../digests/digests.ts';
import { parseSlackResponse, SlackCallError } from '../core/errors.ts';
import { uploadFile } from '../core/upload-file.ts';
import { cleanLine, clipText, escapeMrkdwn } from '../kit/mrkdwn.ts';

/** Source: docs/slack-limits.md, Files. */
const LONGEST_ALT = 1_000;
/** A digest's thread has a dozen messages, plus people's replies. */
const REPLIES = 200;
const MOST_PAGES = 5;

const Replies = z.object({
  messages: z.array(
    z.object({
      files: z
        .array(z.object({ id: z.string() }))
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/**
 * @param client without retries
 * @param fetch the app's fetch, for the bytes only: no token goes with them
 */
export function createPicturePort(client: WebClient, fetch: FetchFunction): ChartUploadPort {
  return {
    async uploadChart({ png, name, alt }) {
      const file = { bytes: png, name, type: 'image/png', alt: clipText(cleanLine(alt), LONGEST_ALT) };
      return uploadFile(client, fetch, file);
    },
    async shareCharts(files, { channel, thread }, comment) {
      const [first, ...rest] = files.map(({ id, title }) => ({ id, title }));
      if (!first) return;
      const request = client.files.completeUploadExternal({
        files: [first, ...rest],
        channel_id: channel,
        thread_ts: thread,
        initial_comment: escapeMrkdwn(comment),
      });
      await parseSlackResponse(z.unknown(), request);
    },
    async isAnyChartShared(files, { channel, thread }) {
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const asked = { channel, ts: thread, limit: REPLIES, ...(cursor ? { cursor } : {}) };
        const { messages, response_metadata } = await parseSlackResponse(
          Replies,
          client.conversations.replies(asked),
        );
        const shown = messages.flatMap((message) => message.files ?? []);
        if (shown.some(({ id }) => files.includes(id))) return true;
        cursor = response_metadata?.next_cursor || undefined;
        if (!cursor) return false;
      }
      // A page may have 15 messages or 200: the unread ones may contain the charts.
      throw new SlackCallError('unreadable', 'unknown');
    },
  };
}
