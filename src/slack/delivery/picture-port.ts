/**
 * Uploads charts into threads through the Web API. Shares once only: the client must have no retries, since
 * Slack would show the charts twice. Source of the three steps: docs/slack-limits.md, Files.
 */
import type { FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SECOND } from '../../clock.ts';
import type { ChartUploadPort } from '../../digests/digests.ts';
import { parseSlackResponse, SlackCallError } from '../core/errors.ts';
import { cleanLine, clipText, escapeMrkdwn } from '../kit/mrkdwn.ts';

/** Source: docs/slack-limits.md, Files. */
const LONGEST_ALT = 1_000;
const UPLOAD_MS = 30 * SECOND;
/** A digest's thread has a dozen messages, plus people's replies. */
const REPLIES = 200;
const MOST_PAGES = 5;

const Place = z.object({ upload_url: z.string(), file_id: z.string().min(1) });
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

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** The upload URL comes from outside and receives our bytes: allow only TLS, or this machine itself. */
function mayUploadTo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** The upload URL grants write access, so neither it nor the network's message goes into an error. */
async function sendBytes(
  fetch: FetchFunction,
  address: string,
  { png, name }: { readonly png: Uint8Array; readonly name: string },
): Promise<void> {
  const body = new FormData();
  body.append('filename', new Blob([Uint8Array.from(png)], { type: 'image/png' }), name);
  let answer: Awaited<ReturnType<FetchFunction>>;
  try {
    answer = await fetch(address, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
  } catch {
    throw new SlackCallError('network', 'unknown');
  }
  // Nobody sees the bytes before they are shared, so any failed upload is safe to repeat.
  if (answer.status !== 200) throw new SlackCallError(`http_${answer.status}`, 'refused');
}

/**
 * @param client without retries
 * @param fetch the app's fetch, for the bytes only: no token goes with them
 */
export function createPicturePort(client: WebClient, fetch: FetchFunction): ChartUploadPort {
  return {
    async uploadChart({ png, name, alt }) {
      // The SDK's own method sends `alt_text`, which Slack's method does not know.
      const asked = {
        filename: name,
        length: png.byteLength,
        alt_txt: clipText(cleanLine(alt), LONGEST_ALT),
      };
      const place = await parseSlackResponse(Place, client.apiCall('files.getUploadURLExternal', asked));
      if (!mayUploadTo(place.upload_url)) throw new SlackCallError('upload_address', 'refused');
      await sendBytes(fetch, place.upload_url, { png, name });
      return place.file_id;
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
