/** The messages of the open channel: fetched, sorted, and refreshed when they change. */
import type { ShownMessage } from '../protocol.ts';
import { type ArrivedMessage, arrivalAnnouncementText } from './arrival-announcement.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { createElementFromHtml, getPageElement } from './dom.ts';
import { MessageList } from './message-list.ts';
import { buildMessageRows } from './message-rows.ts';
import { compareTs, findPageContaining, MESSAGES_PER_PAGE, mergeMessagePage } from './ordering.ts';
import type { PageContext } from './page-context.ts';
import { channelLabel, findCurrentChannel, timeFormatterForState } from './store.ts';
import { countUnread, findFirstUnreadTs, markChannelSeen } from './unread.ts';

function wordsOf(message: ShownMessage): string {
  const [first] = message.blocks;
  const html = message.html ?? (first && 'html' in first ? first.html : '');
  return createElementFromHtml(html, '').textContent;
}

export class Conversation {
  readonly list: MessageList;
  readonly #desk: PageContext;
  readonly #empty = getPageElement('empty');
  readonly #jump = getPageElement('jump');
  readonly #refreshNewest = coalesceAsyncRuns(() => this.#fetch());
  #messages: readonly ShownMessage[] = [];
  #channel = '';
  #as = '';
  #isLoaded = false;
  #hasAll = false;
  #isFetchingOlder = false;
  #firstNew: string | undefined;
  /** Messages that arrived while the reader was scrolled up. */
  #below = 0;

  constructor(desk: PageContext, openThread: (ts: string) => void) {
    this.#desk = desk;
    this.list = new MessageList(getPageElement('scroller'), { desk, openThread }, () => this.#moved());
    this.#jump.addEventListener('click', () => this.jumpToNewest());
    document.addEventListener('visibilitychange', () => this.markRead());
  }

  /** Opens the channel of the state and clears the previous messages at once. */
  async openChannel(): Promise<void> {
    const { channel, as } = this.#desk.store.state;
    this.#channel = channel;
    this.#as = as;
    this.#messages = [];
    this.#isLoaded = false;
    this.#hasAll = false;
    this.#firstNew = undefined;
    this.#below = 0;
    this.list.scrollToNewest();
    this.#show();
    await this.#refreshNewest();
  }

  /** Handles a change of the message `ts` in the open channel. */
  async refreshMessage(ts: string): Promise<void> {
    const page = findPageContaining(this.#messages, ts);
    if (!page) return;
    const old = this.#messages.find((each) => each.ts === ts);
    await (page.before === undefined ? this.#refreshNewest() : this.#fetch(page.before));
    if (old && !this.#messages.includes(old)) this.list.flashMessage(ts);
  }

  /** Call it after the connection was interrupted. */
  async refresh(): Promise<void> {
    await this.#refreshNewest();
  }

  jumpToNewest(): void {
    this.list.scrollToNewest();
    this.#moved();
  }

  /** Visible messages count as read. */
  markRead(): void {
    const { store, browser } = this.#desk;
    const { state } = store;
    const channel = findCurrentChannel(state);
    const isInSight = this.list.isAtNewest && !document.hidden && state.tab === 'messages' && this.#isLoaded;
    if (!channel || !isInSight || countUnread(state.seen, channel) === 0) return;
    const seen = markChannelSeen(state.seen, channel);
    store.updateState({ seen });
    browser.tab.write(`seen ${state.as}`, JSON.stringify(seen));
  }

  async #fetch(before?: string): Promise<void> {
    const { channel, as } = this.#desk.store.state;
    if (channel === '') return;
    try {
      const page = await this.#desk.api.fetchChannelMessages(channel, before);
      // The person may have switched the channel or the person meanwhile.
      if (channel !== this.#channel || as !== this.#as) return;
      this.#take(page, before);
    } catch (thrown) {
      if (thrown instanceof Error) this.#desk.showToast(thrown.message, 'problem');
    }
  }

  #take(page: readonly ShownMessage[], before: string | undefined): void {
    const last = this.#messages.at(-1)?.ts;
    const isFirst = !this.#isLoaded;
    this.#messages = mergeMessagePage(this.#messages, page, before);
    this.#isLoaded = true;
    if (page.length < MESSAGES_PER_PAGE) this.#hasAll = true;
    else if (this.#messages === page) this.#hasAll = false;
    if (isFirst) this.#noteUnread();
    this.#show();
    const arrived = this.#messages.filter(({ ts }) => last !== undefined && compareTs(ts, last) > 0);
    if (!isFirst && before === undefined) this.#tellArrived(arrived);
    this.#moved();
  }

  #noteUnread(): void {
    const { state } = this.#desk.store;
    const channel = findCurrentChannel(state);
    if (channel) this.#firstNew = findFirstUnreadTs(this.#messages, countUnread(state.seen, channel));
  }

  #tellArrived(arrived: readonly ShownMessage[]): void {
    const { state } = this.#desk.store;
    const channel = findCurrentChannel(state);
    const others = arrived.filter(({ author, byBot }) => byBot || author !== state.world?.as.name);
    if (!this.list.isAtNewest) this.#below += others.length;
    const said: readonly ArrivedMessage[] = others.map((each) => ({
      author: each.author,
      words: wordsOf(each),
    }));
    if (channel && said.length > 0)
      this.#desk.announceToScreenReader(arrivalAnnouncementText(said, channelLabel(channel)));
  }

  #show(): void {
    const { dayKey } = timeFormatterForState(this.#desk.store.state);
    this.list.show(buildMessageRows(this.#messages, dayKey, this.#firstNew));
    this.#empty.hidden = !this.#isLoaded || this.#messages.length > 0;
  }

  #moved(): void {
    if (this.list.isAtNewest) this.#below = 0;
    this.#jump.hidden = this.list.isAtNewest || this.#messages.length === 0;
    const words = this.#below === 1 ? '1 new message' : `${this.#below} new messages`;
    this.#jump.lastElementChild?.replaceChildren(this.#below > 0 ? words : 'Jump to newest');
    this.markRead();
    if (this.list.isNearOldest && !this.list.isAtNewest) void this.#fetchOlder();
  }

  async #fetchOlder(): Promise<void> {
    const oldest = this.#messages[0]?.ts;
    if (this.#hasAll || this.#isFetchingOlder || oldest === undefined) return;
    this.#isFetchingOlder = true;
    await this.#fetch(oldest);
    this.#isFetchingOlder = false;
  }
}
