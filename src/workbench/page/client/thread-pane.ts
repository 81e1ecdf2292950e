/** The thread on the right: a message, its replies, and its own composer. */
import type { ShownMessage } from '../protocol.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { Composer } from './composer.ts';
import { getPageElement } from './dom.ts';
import { MessageList } from './message-list.ts';
import { buildMessageRows } from './message-rows.ts';
import type { PageContext } from './page-context.ts';
import { channelLabel, findCurrentChannel, timeFormatterForState } from './store.ts';

export class ThreadPane {
  readonly composer: Composer;
  readonly #desk: PageContext;
  readonly #list: MessageList;
  readonly #pane = getPageElement('thread');
  readonly #refreshOnce = coalesceAsyncRuns(() => this.#fetch());
  #shown = '';

  constructor(desk: PageContext, close: () => void) {
    this.#desk = desk;
    this.#list = new MessageList(getPageElement('thread-scroller'), { desk }, () => {});
    this.composer = new Composer(desk, 'Reply in the thread', () => this.#list.scrollToNewest());
    getPageElement('thread-composer').append(this.composer.node);
    getPageElement('thread-close').addEventListener('click', close);
  }

  get isOpen(): boolean {
    return this.#desk.store.state.thread !== undefined;
  }

  /** Shows the thread of the state, if any. */
  async open(): Promise<void> {
    const { state } = this.#desk.store;
    const { thread, as, channel: id } = state;
    this.#pane.hidden = thread === undefined;
    const key = `${as} ${id} ${thread}`;
    if (thread === undefined || key === this.#shown) return;
    this.#shown = key;
    this.#list.show([]);
    this.#list.scrollToNewest();
    const channel = findCurrentChannel(state);
    getPageElement('thread-place').textContent = channel ? channelLabel(channel) : '';
    this.composer.showTarget({
      key,
      channel: id,
      thread,
      placeholder: 'Reply…',
      ...(channel?.archived ? { closed: 'This channel is archived.' } : {}),
      ...(channel?.isMember === false ? { closed: "You're not in this channel." } : {}),
    });
    await this.#refreshOnce();
    this.composer.focus();
  }

  /** Call it when the thread changed. */
  async refresh(): Promise<void> {
    if (this.isOpen) await this.#refreshOnce();
  }

  /** Call it after closing the pane: the next opening redraws it. */
  markClosed(): void {
    this.#shown = '';
  }

  async #fetch(): Promise<void> {
    const { thread, as, channel } = this.#desk.store.state;
    if (thread === undefined) return;
    try {
      const messages = await this.#desk.api.fetchThread(channel, thread);
      if (this.#shown !== `${as} ${channel} ${thread}`) return;
      this.#show(messages);
    } catch (thrown) {
      if (thrown instanceof Error) this.#desk.showToast(thrown.message, 'problem');
      this.#desk.store.updateState({ thread: undefined });
    }
  }

  #show(messages: readonly ShownMessage[]): void {
    const { dayKey } = timeFormatterForState(this.#desk.store.state);
    const rows = buildMessageRows(messages, dayKey).filter(({ kind }) => kind === 'message');
    this.#list.show(rows);
  }
}
