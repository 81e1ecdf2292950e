/** Connects the parts of the page: what opens what, and what refreshes after a change. */
import type { PageActionResult, PageEvent, PageWorkspace } from '../protocol.ts';
import { type PageActionWithoutPerson, PageApi } from './api.ts';
import type { BrowserApi } from './browser.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { Composer } from './composer.ts';
import { Conversation } from './conversation.ts';
import { getPageElement } from './dom.ts';
import { Drawers, isNarrowViewport } from './drawers.ts';
import { Heading } from './heading.ts';
import { HomePane } from './home-pane.ts';
import { listenForKeys, showKeyboardHelp } from './keyboard.ts';
import { MarketPane } from './market-pane.ts';
import { Modals } from './modals.ts';
import type { PageContext } from './page-context.ts';
import { listenForServerEvents } from './server-events.ts';
import { Sidebar } from './sidebar.ts';
import { channelLabel, findCurrentChannel, PageStateStore } from './store.ts';
import { ThreadPane } from './thread-pane.ts';
import { createAnnouncer, Toasts } from './toasts.ts';
import { Topbar } from './topbar.ts';
import { clampSeenMessageCounts, type SeenMessageCounts } from './unread.ts';

/** Changes in other channels within this time cause one refresh. */
const COUNT_MS = 400;

export class WorkbenchPage {
  readonly #browser: BrowserApi;
  readonly #store: PageStateStore;
  readonly #desk: PageContext;
  readonly #toasts: Toasts;
  readonly #conversation: Conversation;
  readonly #composer: Composer;
  readonly #thread: ThreadPane;
  readonly #modals: Modals;
  readonly #home: HomePane;
  readonly #market: MarketPane;
  readonly #sidebar: Sidebar;
  readonly #drawers: Drawers;
  readonly #refreshWorld = coalesceAsyncRuns(() => this.#fetchWorld());
  #isCounting = false;

  constructor(browser: BrowserApi, first: { readonly as: string; readonly channel: string }) {
    this.#browser = browser;
    this.#store = new PageStateStore({
      ...first,
      tab: 'messages',
      isMarketOpen: browser.machine.read('market') !== 'closed',
      drawer: 'none',
      seen: {},
      isConnected: true,
    });
    this.#toasts = new Toasts(browser);
    this.#desk = {
      browser,
      store: this.#store,
      api: new PageApi(browser, () => this.#store.state.as),
      performAction: (deed) => this.#act(deed),
      showToast: (words, kind) => this.#tell(words, kind),
      announceToScreenReader: createAnnouncer(browser),
    };
    this.#conversation = new Conversation(this.#desk, (ts) => this.#openThread(ts));
    this.#composer = new Composer(this.#desk, 'Message', () => this.#conversation.jumpToNewest());
    getPageElement('composer').append(this.#composer.node);
    this.#thread = new ThreadPane(this.#desk, () => this.#closeThread());
    this.#modals = new Modals(this.#desk, () => this.#composer.focus());
    this.#home = new HomePane(this.#desk);
    this.#market = new MarketPane(this.#desk);
    this.#sidebar = new Sidebar(this.#desk, (channel) => this.#go(channel));
    this.#drawers = new Drawers(this.#desk);
    new Heading(this.#desk, (tab) => this.#showTab(tab));
    new Topbar(this.#desk, { actAs: (person) => void this.#actAs(person), showKeys: showKeyboardHelp });
    getPageElement('next-step').addEventListener('click', () => this.#toggleMarket());
    getPageElement('open-market').addEventListener('click', () => this.#toggleMarket());
    getPageElement('market-close').addEventListener('click', () => this.#toggleMarket());
    getPageElement('try-help').addEventListener('click', () => this.#composer.insertText('/gig help'));
    getPageElement('skip').addEventListener('click', (event) => {
      event.preventDefault();
      this.#composer.focus();
    });
    this.#showSide();
  }

  async start(): Promise<void> {
    listenForKeys({
      moveToChannel: (by) => this.#sidebar.openAdjacentChannel(by),
      focusComposer: () => this.#composer.insertText('/'),
      jumpToNewest: () => this.#conversation.jumpToNewest(),
      focusMessages: () => this.#conversation.list.focusNewest(),
      closeSide: () => this.#closeSide(),
    });
    await this.#enter();
    listenForServerEvents(this.#browser, {
      onEvent: (event) => this.#hear(event),
      onConnection: (isConnected) => this.#store.updateState({ isConnected }),
    });
    if (!isNarrowViewport()) this.#composer.focus();
  }

  /** Switches to the person of the state and reloads everything. */
  async #enter(): Promise<void> {
    await this.#refreshWorld();
    const { as } = this.#store.state;
    const kept = this.#browser.tab.read(`seen ${as}`);
    this.#store.updateState({ seen: kept === undefined ? {} : (JSON.parse(kept) as SeenMessageCounts) });
    await Promise.all([this.#showChannel(), this.#modals.refresh(), this.#market.refresh()]);
  }

  async #actAs(person: string): Promise<void> {
    if (person === this.#store.state.as) return;
    this.#modals.show([]);
    this.#closeThread();
    // The last announcement may be private to the previous person.
    this.#desk.announceToScreenReader('');
    this.#store.updateState({ as: person, tab: 'messages' });
    await this.#enter();
  }

  async #fetchWorld(): Promise<void> {
    const { as } = this.#store.state;
    try {
      const world = await this.#desk.api.fetchWorkspace();
      if (as === this.#store.state.as) this.#takeWorld(world);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      // The address has a person of an earlier run: let the server pick a person.
      if (as !== '' && !this.#store.state.world) return this.#beginAnew();
      this.#tell(thrown.message, 'problem');
    }
  }

  async #beginAnew(): Promise<void> {
    this.#store.updateState({ as: '' });
    await this.#fetchWorld();
  }

  #takeWorld(world: PageWorkspace): void {
    const { channel } = this.#store.state;
    const isThere = world.channels.some(({ id }) => id === channel);
    const first = world.channels.find(({ isMember, kind }) => isMember && kind !== 'im') ?? world.channels[0];
    const seen = clampSeenMessageCounts(this.#store.state.seen, world.channels);
    this.#store.updateState({ world, seen, as: world.as.id, channel: isThere ? channel : (first?.id ?? '') });
    this.#conversation.markRead();
  }

  #hear(event: PageEvent): void {
    const { state } = this.#store;
    switch (event.kind) {
      case 'message':
        this.#hearMessage(event);
        return;
      case 'views':
        if (event.person === state.as) this.#run(this.#modals.refresh());
        return;
      case 'home':
        if (event.person === state.as) this.#run(this.#home.refresh());
        return;
      case 'market':
        this.#run(this.#market.refresh());
        return;
      case 'world':
        this.#run(this.#refreshAll());
        return;
    }
  }

  #hearMessage({ channel, ts, thread }: Extract<PageEvent, { kind: 'message' }>): void {
    const { state } = this.#store;
    this.#count();
    if (channel !== state.channel) return;
    // A reply changes the reply count of its parent.
    this.#run(this.#conversation.refreshMessage(thread ?? ts));
    if (state.thread === (thread ?? ts)) this.#run(this.#thread.refresh());
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    this.#browser.after(COUNT_MS, () => {
      this.#isCounting = false;
      this.#run(this.#refreshWorld());
    });
  }

  async #refreshAll(): Promise<void> {
    await this.#refreshWorld();
    await Promise.all([
      this.#conversation.refresh(),
      this.#thread.refresh(),
      this.#modals.refresh(),
      this.#home.refresh(),
      this.#market.refresh(),
    ]);
  }

  /** Failures in the background show as a toast instead of an unhandled rejection. */
  #run(work: Promise<void>): void {
    work.catch((thrown: unknown) => {
      if (thrown instanceof Error) this.#tell(thrown.message, 'problem');
    });
  }

  #go(channel: string): void {
    const { state } = this.#store;
    this.#drawers.close();
    if (channel === state.channel) return;
    this.#closeThread();
    this.#store.updateState({ channel, tab: 'messages' });
    this.#run(this.#showChannel());
  }

  async #showChannel(): Promise<void> {
    const { state } = this.#store;
    const channel = findCurrentChannel(state);
    if (!channel) return;
    const address = new URLSearchParams({ as: state.as, channel: channel.id });
    window.history.replaceState(null, '', `?${address}`);
    this.#composer.showTarget({
      key: `${state.as} ${channel.id}`,
      channel: channel.id,
      placeholder: `Message ${channelLabel(channel)}, or / for commands`,
      ...(channel.archived ? { closed: "This channel is archived. You can't post here." } : {}),
      ...(channel.isMember ? {} : { closed: "You can read this channel, but you're not a member." }),
    });
    await this.#conversation.openChannel();
  }

  #showTab(tab: 'messages' | 'home'): void {
    this.#store.updateState({ tab });
    if (tab === 'home') this.#run(this.#home.open());
    else this.#conversation.jumpToNewest();
  }

  #openThread(thread: string): void {
    this.#store.updateState({ thread, drawer: isNarrowViewport() ? 'side' : 'none' });
    this.#showSide();
    this.#run(this.#thread.open());
  }

  #closeThread(): void {
    const { thread } = this.#store.state;
    if (thread === undefined) return;
    this.#store.updateState({ thread: undefined, drawer: 'none' });
    this.#thread.markClosed();
    this.#showSide();
    this.#conversation.list.focusMessage(thread);
  }

  #closeSide(): boolean {
    if (this.#store.state.thread !== undefined) this.#closeThread();
    else if (this.#drawers.isOpen) this.#drawers.close();
    else return false;
    return true;
  }

  #toggleMarket(): void {
    const { state } = this.#store;
    const isShown = isNarrowViewport()
      ? state.drawer === 'side' && state.thread === undefined
      : state.isMarketOpen && state.thread === undefined;
    if (state.thread !== undefined) this.#closeThread();
    if (isNarrowViewport()) this.#store.updateState({ drawer: isShown ? 'none' : 'side' });
    else this.#store.updateState({ isMarketOpen: !isShown });
    this.#browser.machine.write('market', this.#store.state.isMarketOpen ? 'open' : 'closed');
    this.#showSide();
    if (!isShown) this.#run(this.#market.refresh());
  }

  /** One panel at a time: the thread takes precedence over the marketplace. */
  #showSide(): void {
    const { thread, isMarketOpen, drawer } = this.#store.state;
    const isMarketShown = thread === undefined && (isNarrowViewport() ? drawer === 'side' : isMarketOpen);
    getPageElement('thread').hidden = thread === undefined;
    getPageElement('market').hidden = !isMarketShown;
    getPageElement('side').hidden = thread === undefined && !isMarketShown;
    getPageElement('open-market').setAttribute('aria-expanded', String(isMarketShown));
  }

  async #act(deed: PageActionWithoutPerson): Promise<PageActionResult> {
    const answer = await this.#desk.api.performAction(deed);
    if (!answer.ok) this.#tell(answer.problem, 'problem');
    else if (answer.notice !== undefined) this.#tell(answer.notice, 'problem');
    // Without an event connection, no event reports that a modal opened or closed.
    if (!answer.ok || !this.#store.state.isConnected) this.#run(this.#modals.refresh());
    return answer;
  }

  #tell(words: string, kind: 'notice' | 'problem'): void {
    const modal = this.#modals.top;
    if (modal) modal.showBanner(words);
    else this.#toasts.showToast(words, kind);
  }
}
