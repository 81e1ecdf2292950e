/** Replies to a person: through the `response_url` while it works, then through the Web API. */
import { Agent, type Dispatcher, request } from 'undici';
import { isEncryptedOrLocal } from '../../base/safe-url.ts';
import { type Clock, type Instant, MINUTE, SECOND } from '../../clock.ts';
import { ChannelId, type UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { checkMessage } from '../kit/check-limits.ts';
import { sendOrSendPlain } from './block-support.ts';
import { networkError, SlackCallError } from './errors.ts';
import type { BlockSupport, Message, SlackCalls } from './routes.ts';

export interface ReplyTarget {
  readonly user: UserId;
  /** Where the call was made; undefined for a press in a view. */
  readonly channel: ChannelId | undefined;
  readonly responseUrl: ResponseUrl | undefined;
}

interface ReplyDependencies {
  readonly slack: Pick<SlackCalls, 'post' | 'ephemeral'>;
  readonly log: Log;
  readonly blockSupport?: BlockSupport | undefined;
}

/** A person's direct messages with the bot: Slack accepts a user ID as the channel. */
export function directChannel(user: UserId): ChannelId {
  return ChannelId.parse(user);
}

async function answerByCall(
  { user, channel }: ReplyTarget,
  message: Message,
  { slack, log }: ReplyDependencies,
): Promise<void> {
  try {
    if (channel) return await slack.ephemeral(channel, user, message);
  } catch (thrown) {
    // If the bot isn't in the channel, a direct message still reaches the person.
    if (!(thrown instanceof SlackCallError && thrown.failureKind === 'refused')) throw thrown;
    log.info('answered in a direct message instead', { error: thrown.code, user });
  }
  await slack.post(directChannel(user), message);
}

/**
 * To the person alone, who may see it twice rather than never.
 * @throws LimitError for a message that Slack would refuse; SlackCallError when no way to the person works.
 */
export async function sendReply(place: ReplyTarget, message: Message, tools: ReplyDependencies) {
  checkMessage(message);
  if (!place.responseUrl?.isOpen) return answerByCall(place, message, tools);
  try {
    await sendThrough(place.responseUrl, message, 'ephemeral', tools);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    tools.log.warn('could not answer through a response_url', { error: thrown, user: place.user });
    await answerByCall(place, message, tools);
  }
}

/**
 * To everyone in the channel, through the `response_url`.
 * @returns whether it is there, or may be: a channel must not see it twice
 * @throws LimitError for a message that Slack would refuse
 */
export async function replyInChannel(place: ReplyTarget, message: Message, tools: ReplyDependencies) {
  checkMessage(message);
  if (!place.responseUrl?.isOpen) return false;
  try {
    await sendThrough(place.responseUrl, message, 'channel', tools);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    tools.log.warn('could not reply in a channel', { error: thrown, user: place.user });
    return thrown.failureKind === 'unknown';
  }
}

/** Replaces the pressed ephemeral message; if that's impossible, sends a new one. */
export async function replacePressedMessage(place: ReplyTarget, message: Message, tools: ReplyDependencies) {
  checkMessage(message);
  if (!place.responseUrl?.isOpen) return sendReply(place, message, tools);
  try {
    await sendThrough(place.responseUrl, message, 'replace', tools);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    if (thrown.failureKind === 'refused') await sendReply(place, message, tools);
    else tools.log.warn('replacing a message has an unknown outcome', { error: thrown.code });
  }
}

function sendThrough(
  url: ResponseUrl,
  message: Message,
  kind: ReplyMode,
  { blockSupport }: ReplyDependencies,
): Promise<void> {
  return sendOrSendPlain(message, blockSupport, (form) => url.send(form, kind));
}

type ReplyMode = 'ephemeral' | 'channel' | 'replace';

type ResponseUrlOptions = { readonly clock: Clock; readonly post: PostJson };

/**
 * Replies through a `response_url`. Replaces the SDK's version, which has no timeout. The URL is a secret: it
 * never appears in the log or in errors.
 */
export class ResponseUrl {
  readonly #address: string;
  readonly #options: ResponseUrlOptions;
  readonly #validUntil: Instant;
  #uses = 0;

  constructor(address: string, options: ResponseUrlOptions) {
    this.#address = address;
    this.#options = options;
    this.#validUntil = options.clock.now() + 30 * MINUTE;
  }

  /** Whether it may still accept a reply. Source: docs/slack-limits.md, "Times and rates". */
  get isOpen(): boolean {
    const isUsable = this.#uses < 5 && this.#options.clock.now() < this.#validUntil;
    return isUsable && URL.canParse(this.#address) && isEncryptedOrLocal(new URL(this.#address));
  }

  /** @throws SlackCallError: refused when Slack rejects the reply, unknown when it doesn't say. */
  async send(message: Message, kind: ReplyMode): Promise<void> {
    if (!this.isOpen) throw new SlackCallError('expired_url', 'refused');
    this.#uses++;
    const giveUp = new AbortController();
    const cancel = this.#options.clock.runAfter(5 * SECOND, () => giveUp.abort());
    try {
      const body = JSON.stringify({
        text: message.text,
        blocks: message.blocks,
        ...(kind === 'replace'
          ? { replace_original: true }
          : { replace_original: false, response_type: kind === 'channel' ? 'in_channel' : 'ephemeral' }),
      });
      const { status, text } = await this.#options.post(this.#address, body, giveUp.signal);
      if (status >= 500) throw new SlackCallError(`http_${status}`, 'unknown');
      if (status < 500 && /\binvalid_blocks(?:_format)?\b/u.test(text))
        throw new SlackCallError('invalid_blocks', 'refused');
      if (status >= 300 || /"ok"\s*:\s*false/u.test(text))
        throw new SlackCallError(`http_${status}`, 'refused');
    } catch (thrown) {
      throw thrown instanceof SlackCallError ? thrown : networkError(thrown);
    } finally {
      cancel();
    }
  }
}

/** Follows no redirects. @throws undici's errors, which may name the address; the signal's reason */
export type PostJson = (
  address: string,
  json: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string }>;

export type JsonPoster = ReturnType<typeof createJsonPoster>;

/**
 * Posts JSON to URLs from Slack. Uses undici directly: its `fetch` costs four times the CPU.
 * @param dispatcher by default a new connection pool; `close` closes only that one
 */
export function createJsonPoster(dispatcher?: Dispatcher) {
  const own = dispatcher === undefined;
  // Slack answers "ok" or a one-line error.
  const pool = dispatcher ?? new Agent({ maxResponseSize: 100_000 });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const post: PostJson = async (address, body, signal) => {
    const answer = await request(address, { method: 'POST', headers, body, signal, dispatcher: pool });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    post,
    /** Cancels pending requests. */
    close: async () => {
      if (own) await pool.destroy();
    },
  };
}
