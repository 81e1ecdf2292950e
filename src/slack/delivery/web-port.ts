/**
 * The Slack calls that delivery needs, with the SDK's client. Each makes one request without retries:
 * delivery decides what to retry, so the client must have none (docs/decisions/0004-slack.md).
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { asError } from '../../errors.ts';
import { ChannelId, MessageTs, type UserId } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import { sendOrSendPlain } from '../core/block-support.ts';
import { parseSlackResponse, SlackCallError } from '../core/errors.ts';
import type { BlockSupport, Message } from '../core/routes.ts';
import { POST_METADATA_EVENT_TYPE } from '../kit/ids.ts';

interface HistoryPage {
  /** With the post named in each one's metadata. */
  readonly messages: readonly { readonly ts: MessageTs; readonly post?: string }[];
  readonly next?: string;
}

/** A channel, or one thread in it. */
export interface PostLocation {
  readonly channel: ChannelId;
  /** The thread's parent message. */
  readonly thread?: MessageTs;
}

/** From one message ts to another, both included; without `latest`, up to the newest. */
export interface HistoryWindow {
  readonly oldest: string;
  readonly latest?: string;
}

const Posted = z.object({ ts: MessageTs });
const Opened = z.object({ channel: z.object({ id: ChannelId }) });
const HistoryMessage = z.object({
  ts: MessageTs,
  metadata: z
    .object({ event_type: z.string(), event_payload: z.object({ post: z.string() }) })
    .optional()
    .catch(undefined),
});
const History = z.object({
  messages: z.array(HistoryMessage),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

function asArguments(message: Message, post: PostId) {
  return {
    text: message.text,
    blocks: message.blocks && [...message.blocks],
    metadata: { event_type: POST_METADATA_EVENT_TYPE, event_payload: { post } },
    unfurl_links: false,
    unfurl_media: false,
  };
}

export type DeliveryPort = ReturnType<typeof createDeliveryPort>;

/** Every method throws SlackCallError. @param support which blocks the workspace refuses; missing: none */
export function createDeliveryPort(client: WebClient, support?: BlockSupport) {
  const sendMessage = <T>(message: Message, send: (form: Message) => Promise<T>) =>
    sendOrSendPlain(message, support, send);
  return {
    async post({ channel, thread }: PostLocation, message: Message, post: PostId): Promise<MessageTs> {
      const where = { channel, thread_ts: thread };
      const answer = await sendMessage(message, (form) =>
        parseSlackResponse(Posted, client.chat.postMessage({ ...where, ...asArguments(form, post) })),
      );
      return answer.ts;
    },
    async update(channel: ChannelId, ts: MessageTs, message: Message, post: PostId): Promise<void> {
      await sendMessage(message, (form) => {
        const { blocks = [], ...shown } = asArguments(form, post);
        return parseSlackResponse(z.unknown(), client.chat.update({ channel, ts, blocks, ...shown }));
      });
    },
    /** The direct message with a user; always returns the same one. */
    async openDirect(user: UserId): Promise<ChannelId> {
      return (await parseSlackResponse(Opened, client.conversations.open({ users: user }))).channel.id;
    },
    /** Slack's `auth.test`: whether Slack accepts the token at all. */
    async checkToken(): Promise<void> {
      await parseSlackResponse(z.unknown(), client.auth.test());
    },
    /** One page of messages within a window, in any order. For a channel, only its top level. */
    async history(
      { channel, thread }: PostLocation,
      { oldest, latest }: HistoryWindow,
      cursor?: string,
    ): Promise<HistoryPage> {
      const window = { channel, oldest, latest, inclusive: true, include_all_metadata: true };
      const asked = { ...window, limit: 200, cursor: cursor || undefined };
      const { history, replies } = client.conversations;
      const request = thread ? replies({ ...asked, ts: thread }) : history(asked);
      const page = await parseSlackResponse(History, request);
      const next = page.response_metadata?.next_cursor;
      return {
        messages: page.messages.map(({ ts, metadata }) =>
          metadata?.event_type === POST_METADATA_EVENT_TYPE
            ? { ts, post: metadata.event_payload.post }
            : { ts },
        ),
        next: next || undefined,
      };
    },
  };
}

/** Only `auth.test` decides: some codes sound worse than they are. unclear: no answer, or a rate limit. */
type TokenState = 'accepted' | 'refused' | 'unclear';

/** Asks Slack; overlapping calls share one request. Never throws a SlackCallError. */
export type TokenCheck = () => Promise<TokenState>;

async function checkToken(port: Pick<DeliveryPort, 'checkToken'>): Promise<TokenState> {
  try {
    await port.checkToken();
    return 'accepted';
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw asError(thrown);
    return thrown.failureKind === 'refused' ? 'refused' : 'unclear';
  }
}

export function createTokenCheck(port: Pick<DeliveryPort, 'checkToken'>): TokenCheck {
  let running: Promise<TokenState> | undefined;
  return () => {
    running ??= checkToken(port).finally(() => {
      running = undefined;
    });
    return running;
  };
}
