/** A Slack for delivery's tests: keeps the messages of its channels, and fails on request. */
import type { Clock } from '../../src/clock.ts';
import { ChannelId, MessageTs } from '../../src/ids.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';
import type { Message } from '../../src/slack/core/routes.ts';
import type { DeliveryPort, HistoryWindow, PostLocation } from '../../src/slack/delivery/web-port.ts';

interface Standing {
  readonly channel: string;
  readonly ts: MessageTs;
  readonly post: string;
  message: Message;
  readonly at: number;
  /** The parent of its thread. */
  readonly thread: MessageTs | undefined;
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

const PAGE_SIZE = 2;

export class FakeSlack implements DeliveryPort {
  messages: readonly Standing[] = [];
  readonly calls: { method: Method; channel: string; at: number }[] = [];
  readonly faults: Fault[] = [];
  /** Every call to one of these channels is rejected with that code. */
  readonly closed = new Map<string, string>();
  /** The code that rejects a message for its own content, in any channel. */
  refuseMessage: (post: string, message: Message) => string | undefined = () => undefined;
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
    return this.#in(channel, undefined);
  }

  /** The posts in the thread of a post. */
  inThread(channel: string, post: string): readonly string[] {
    const parent = this.standing(channel).find((it) => it.post === post);
    return parent ? this.#in(channel, parent.ts).map((it) => it.post) : [];
  }

  /** Deletes a message, and its thread. */
  delete(channel: string, post: string): void {
    const gone = this.standing(channel).find((it) => it.post === post)?.ts;
    this.messages = this.messages.filter((it) => it.ts !== gone && it.thread !== gone);
  }

  #in(channel: string, thread: MessageTs | undefined): readonly Standing[] {
    return this.messages.filter((it) => it.channel === channel && it.thread === thread);
  }

  async post({ channel, thread }: PostLocation, message: Message, post: string): Promise<MessageTs> {
    return this.#call('post', channel, () => {
      this.#checkThread(channel, thread);
      const code = this.refuseMessage(post, message);
      if (code) throw refused(code)();
      const at = this.#clock.now();
      const ts = MessageTs.parse((at / 1_000 + ++this.#count / 1_000_000).toFixed(6));
      this.messages = [...this.messages, { channel, ts, post, message, at, thread }];
      return ts;
    });
  }

  async update(channel: ChannelId, ts: MessageTs, message: Message): Promise<void> {
    return this.#call('update', channel, () => {
      const found = this.messages.find((it) => it.channel === channel && it.ts === ts);
      if (!found) throw refused('message_not_found')();
      found.message = message;
    });
  }

  async openDirect(user: string): Promise<ChannelId> {
    return this.#call('openDirect', user, () => ChannelId.parse(`D${user}`));
  }

  async checkToken(): Promise<void> {
    return this.#call('checkToken', '', () => undefined);
  }

  #checkThread(channel: string, thread: MessageTs | undefined): void {
    if (thread && !this.standing(channel).some((it) => it.ts === thread)) throw refused('thread_not_found')();
  }

  async history({ channel, thread }: PostLocation, { oldest, latest }: HistoryWindow, cursor?: string) {
    return this.#call('history', channel, () => {
      this.#checkThread(channel, thread);
      const end = latest ? Number(latest) : Number.POSITIVE_INFINITY;
      const found = this.#in(channel, thread).filter(
        ({ ts }) => Number(ts) >= Number(oldest) && Number(ts) <= end,
      );
      const from = Number(cursor ?? 0);
      const next = from + PAGE_SIZE;
      const messages = found.toReversed().slice(from, next);
      return { messages, ...(next < found.length ? { next: String(next) } : {}) };
    });
  }

  async #call<T>(method: Method, channel: string, effect: () => T): Promise<T> {
    this.calls.push({ method, channel, at: this.#clock.now() });
    const code = this.closed.get(channel);
    if (code) throw refused(code)();
    const place = this.faults.findIndex((it) => it.method === method);
    const [fault] = place < 0 ? [] : this.faults.splice(place, 1);
    if (fault?.when === 'before') throw fault.error();
    const result = effect();
    if (fault) throw fault.error();
    return result;
  }
}
