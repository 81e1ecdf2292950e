/** The heading above the messages: the channel's name, and for the app the tabs Home and Messages. */

import { createIcon, getPageElement } from './dom.ts';
import type { PageContext } from './page-context.ts';
import { findCurrentChannel, type PageState } from './store.ts';

const TABS = ['home', 'messages'] as const;

type Tab = (typeof TABS)[number];

function noteOf(state: PageState): string {
  const channel = findCurrentChannel(state);
  if (!channel) return '';
  if (channel.archived) return 'Archived';
  if (channel.kind === 'im') return 'Only visible to you and the app';
  if (!channel.isMember) return 'Public channel, not joined';
  return channel.kind === 'private' ? 'Private channel' : 'Public channel';
}

export class Heading {
  readonly #desk: PageContext;
  readonly #choose: (tab: Tab) => void;

  constructor(desk: PageContext, choose: (tab: Tab) => void) {
    this.#desk = desk;
    this.#choose = choose;
    for (const tab of TABS) getPageElement(`tab-${tab}`).addEventListener('click', () => choose(tab));
    getPageElement('tabs').addEventListener('keydown', (event) => this.#key(event));
    desk.store.onChange((state) => this.#show(state));
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other: Tab = this.#desk.store.state.tab === 'home' ? 'messages' : 'home';
    this.#choose(other);
    getPageElement(`tab-${other}`).focus();
  }

  #show(state: PageState): void {
    const channel = findCurrentChannel(state);
    if (!channel) return;
    const isApp = channel.kind === 'im';
    const isHome = isApp && state.tab === 'home';
    getPageElement('channel-name').textContent = channel.name;
    getPageElement('channel-icon').replaceChildren(
      createIcon(isApp ? 'gig' : channel.kind === 'private' ? 'lock' : 'hash'),
    );
    getPageElement('channel-note').textContent = noteOf(state);
    getPageElement('tabs').hidden = !isApp;
    getPageElement('home').hidden = !isHome;
    getPageElement('messages-panel').hidden = isHome;
    for (const tab of TABS) {
      const button = getPageElement(`tab-${tab}`);
      button.setAttribute('aria-selected', String(state.tab === tab));
      button.setAttribute('tabindex', state.tab === tab ? '0' : '-1');
    }
    const { world } = state;
    const prefix = isApp ? '' : '#';
    document.title = world ? `${prefix}${channel.name} · ${world.workspace}` : 'Sandbox';
  }
}
