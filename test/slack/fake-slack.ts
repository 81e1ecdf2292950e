/** A Slack for delivery's tests: keeps the messages of its channels, and fails on request. */
import type { Clock } from '../../src/clock.ts';
import { ChannelId, MessageTs } from '../../src/ids.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';
import type { Message } from '../../src/slack/core/routes.ts';
import type { DeliveryPort, HistoryWindow, PostLocation } from '../../src/slack/delivery/web-port.ts';

export interface Standing {
  readonly ts: MessageTs;
  readonly post: string;
  readonly message: Message;
  readonly at: number;
  /** The parent of its thread. */
  readonly thread?: MessageTs;
}

export type Method = 'post' | 'update' | 'history' | 'openDirect' | 'checkToken';

/** Fails the call before its effect, or after. */
export interface Fault {
  readonly method: Method;
  readonly when: 'before' | 'after';
  readonly error: () => SlackCallError;
}

export const refused = (code: string) => () => new SlackCallError(code, 'refused');
export const unclear = () => new SlackCallError('network', 'unknown');
export const limited = (retryAfterMs: number) => () =>
  new SlackCallError('ratelimited', 'rate-limited', { retryAfterMs });

export class FakeSlack implements DeliveryPort {
  readonly channels = new Map<string, Standing[]>();
  readonly calls: { method: Method; channel: string; at: number }[] = [];
  readonly faults: Fault[] = [];
  /** Every call to one of these channels is rejected with that code. */
  readonly closed = new Map<string, string>();
  /** The code that rejects a message for its own content, in any channel. */
  refuseMessage: (post: string, message: Message) => string | undefined = () => undefined;
  pageSize = 2;
  readonly #clock: Clock;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  fault(method: Method, error: Fault['error'], when: Fault['when'] = 'before'): void {
    this.faults.push({ method, when, error });
  }

  /** At the top level. */
  standing(channel: string): readonly Standing[] {
    return this.#all(channel).filter((it) => it.thread === undefined);
  }

  /** The posts in the thread of a post. */
  inThread(channel: string, post: string): readonly string[] {
    const parent = this.standing(channel).find((it) => it.post === post);
    return this.#all(channel)
      .filter((it) => it.thread !== undefined && it.thread === parent?.ts)
      .map((it) => it.post);
  }

  /** Deletes a message, and its thread. */
  delete(channel: string, post: string): void {
    const gone = this.standing(channel).find((it) => it.post === post)?.ts;
    this.channels.set(
      channel,
      this.#all(channel).filter((it) => it.ts !== gone && it.thread !== gone),
    );
  }

  #all(channel: string): readonly Standing[] {
    return this.channels.get(channel) ?? [];
  }

  async post({ channel, thread }: PostLocation, message: Message, post: string): Promise<MessageTs> {
    return this.#call('post', channel, () => {
      this.#checkThread(channel, thread);
      const code = this.refuseMessage(post, message);
      if (code) throw new SlackCallError(code, 'refused');
      const at = this.#clock.now();
      const ts = MessageTs.parse((at / 1_000 + ++this.#count / 1_000_000).toFixed(6));
      this.channels.set(channel, [
        ...this.#all(channel),
        { ts, post, message, at, ...(thread ? { thread } : {}) },
      ]);
      return ts;
    });
  }

  async update(channel: ChannelId, ts: MessageTs, message: Message): Promise<void> {
    return this.#call('update', channel, () => {
      const standing = this.#all(channel);
      if (!standing.some((it) => it.ts === ts)) throw new SlackCallError('message_not_found', 'refused');
      this.channels.set(
        channel,
        standing.map((it) => (it.ts === ts ? { ...it, message } : it)),
      );
    });
  }

  async openDirect(user: string): Promise<ChannelId> {
    return this.#call('openDirect', user, () => ChannelId.parse(`D${user}`));
  }

  async checkToken(): Promise<void> {
    return this.#call('checkToken', '', () => undefined);
  }

  #checkThread(channel: string, thread: MessageTs | undefined): void {
    if (thread && !this.standing(channel).some((it) => it.ts === thread))
      throw new SlackCallError('thread_not_found', 'refused');
  }

  async history({ channel, thread }: PostLocation, { oldest, latest }: HistoryWindow, cursor?: string) {
    return this.#call('history', channel, () => {
      this.#checkThread(channel, thread);
      const messages = this.#all(channel)
        .filter((it) => it.thread === thread && Number(it.ts) >= Number(oldest))
        .filter((it) => !latest || Number(it.ts) <= Number(latest))
        .toReversed();
      const from = Number(cursor ?? 0);
      const next = from + this.pageSize;
      return {
        messages: messages.slice(from, next).map(({ ts, post }) => ({ ts, post })),
        ...(next < messages.length ? { next: String(next) } : {}),
      };
    });
  }

  async #call<T>(method: Method, channel: string, effect: () => T): Promise<T> {
    this.calls.push({ method, channel, at: this.#clock.now() });
    const code = this.closed.get(channel);
    if (code) throw new SlackCallError(code, 'refused');
    const place = this.faults.findIndex((it) => it.method === method);
    const [fault] = place < 0 ? [] : this.faults.splice(place, 1);
    if (fault?.when === 'before') throw fault.error();
    const result = effect();
    if (fault) throw fault.error();
    return result;
  }
}
