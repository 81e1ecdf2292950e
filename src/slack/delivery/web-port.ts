/**
 * Implements delivery's port with the SDK's client. The client must have no retries: see
 * docs/decisions/0004-slack.md.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { ChannelId, MessageTs } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import { parseSlackResponse } from '../core/parse-slack-response.ts';
import type { Message } from '../core/routes.ts';
import { POST_METADATA_EVENT_TYPE } from '../kit/ids.ts';
import type { DeliveryPort } from './port.ts';

const Posted = z.object({ ts: MessageTs });
const Opened = z.object({ channel: z.object({ id: ChannelId }) });
const FoundMessage = z.object({
  ts: MessageTs,
  metadata: z
    .object({ event_type: z.string(), event_payload: z.object({ post: z.string() }) })
    .optional()
    .catch(undefined),
});
const History = z.object({
  messages: z.array(FoundMessage),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const HISTORY_PAGE = 200;

function asArguments(message: Message, post: PostId) {
  return {
    text: message.text,
    ...(message.blocks ? { blocks: [...message.blocks] } : {}),
    metadata: { event_type: POST_METADATA_EVENT_TYPE, event_payload: { post } },
    unfurl_links: false,
    unfurl_media: false,
  };
}

export function createDeliveryPort(client: WebClient): DeliveryPort {
  return {
    async post({ channel, thread }, message, post) {
      const where = { channel, ...(thread ? { thread_ts: thread } : {}) };
      return (
        await parseSlackResponse(Posted, client.chat.postMessage({ ...where, ...asArguments(message, post) }))
      ).ts;
    },
    async update(channel, ts, message, post) {
      const shown = { blocks: [], ...asArguments(message, post) };
      await parseSlackResponse(z.unknown(), client.chat.update({ channel, ts, ...shown }));
    },
    async openDirect(user) {
      return (await parseSlackResponse(Opened, client.conversations.open({ users: user }))).channel.id;
    },
    async checkToken() {
      await parseSlackResponse(z.unknown(), client.auth.test());
    },
    async history({ channel, thread }, { oldest, latest }, cursor) {
      const asked = {
        channel,
        oldest,
        ...(latest ? { latest } : {}),
        inclusive: true,
        include_all_metadata: true,
        limit: HISTORY_PAGE,
        ...(cursor ? { cursor } : {}),
      };
      const { history, replies } = client.conversations;
      const page = await parseSlackResponse(
        History,
        thread ? replies({ ...asked, ts: thread }) : history(asked),
      );
      const next = page.response_metadata?.next_cursor;
      return {
        messages: page.messages.map(({ ts, metadata }) =>
          metadata?.event_type === POST_METADATA_EVENT_TYPE
            ? { ts, post: metadata.event_payload.post }
            : { ts },
        ),
        ...(next ? { next } : {}),
      };
    },
  };
}
