/**
 * Replies through a `response_url`. Replaces the SDK's version, which has no timeout. The URL is a secret: it
 * never appears in the log or in errors.
 */
import { type Clock, type Instant, MINUTE, SECOND } from '../../clock.ts';
import { SlackCallError } from './errors.ts';
import type { PostJson } from './post-json.ts';
import type { Message } from './routes.ts';

/** Source: docs/slack-limits.md, "Times and rates". */
const MOST_USES = 5;
const VALID_MS = 30 * MINUTE;
const TIMEOUT_MS = 5 * SECOND;

export type ReplyMode = 'ephemeral' | 'channel' | 'replace';

export interface ResponseUrlOptions {
  readonly clock: Clock;
  readonly post: PostJson;
}

/** Https, or this machine for local tests. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

function bodyOf(message: Message, kind: ReplyMode) {
  return {
    text: message.text,
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(kind === 'replace'
      ? { replace_original: true }
      : { replace_original: false, response_type: kind === 'channel' ? 'in_channel' : 'ephemeral' }),
  };
}

export class ResponseUrl {
  readonly #address: string;
  readonly #options: ResponseUrlOptions;
  readonly #validUntil: Instant;
  #uses = 0;

  constructor(address: string, options: ResponseUrlOptions) {
    this.#address = address;
    this.#options = options;
    this.#validUntil = options.clock.now() + VALID_MS;
  }

  /** Whether it may still accept a reply, as far as we know. */
  get isOpen(): boolean {
    return this.#uses < MOST_USES && this.#options.clock.now() < this.#validUntil && isSafe(this.#address);
  }

  /** @throws SlackCallError: refused when Slack rejects the reply, unknown when it doesn't say. */
  async send(message: Message, kind: ReplyMode): Promise<void> {
    if (!this.isOpen) throw new SlackCallError('expired_url', 'refused');
    this.#uses++;
    const giveUp = new AbortController();
    const cancel = this.#options.clock.runAfter(TIMEOUT_MS, () => giveUp.abort());
    try {
      const body = JSON.stringify(bodyOf(message, kind));
      const { status, text } = await this.#options.post(this.#address, body, giveUp.signal);
      if (status >= 500) throw new SlackCallError(`http_${status}`, 'unknown');
      if (status >= 300 || /"ok"\s*:\s*false/u.test(text))
        throw new SlackCallError(`http_${status}`, 'refused');
    } catch (thrown) {
      // Dropped: the cause of a failed request may contain the URL.
      throw thrown instanceof SlackCallError ? thrown : new SlackCallError('network', 'unknown');
    } finally {
      cancel();
    }
  }
}
