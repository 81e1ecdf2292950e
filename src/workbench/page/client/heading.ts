/** Above the messages: where one is, and of the app the tabs Home and Messages. */
import type { Desk } from './desk.ts';
import { icon, part } from './dom.ts';
import { channelOf, type PageState } from './store.ts';

const TABS = ['home', 'messages'] as const;

type Tab = (typeof TABS)[number];

function noteOf(state: PageState): string {
  const channel = channelOf(state);
  if (!channel) return '';
  if (channel.archived) return 'Archived';
  if (channel.kind === 'im') return 'Only visible to you and the app';
  if (!channel.isMember) return 'Public channel, not joined';
  return channel.kind === 'private' ? 'Private channel' : 'Public channel';
}

export class Heading {
  readonly #desk: Desk;
  readonly #choose: (tab: Tab) => void;

  constructor(desk: Desk, choose: (tab: Tab) => void) {
    this.#desk = desk;
    this.#choose = choose;
    for (const tab of TABS) part(`tab-${tab}`).addEventListener('click', () => choose(tab));
    part('tabs').addEventListener('keydown', (event) => this.#key(event));
    desk.store.onChange((state) => this.#show(state));
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other: Tab = this.#desk.store.state.tab === 'home' ? 'messages' : 'home';
    this.#choose(other);
    part(`tab-${other}`).focus();
  }

  #show(state: PageState): void {
    const channel = channelOf(state);
    if (!channel) return;
    const isApp = channel.kind === 'im';
    const isHome = isApp && state.tab === 'home';
    part('channel-name').textContent = channel.name;
    part('channel-icon').replaceChildren(icon(isApp ? 'gig' : channel.kind === 'private' ? 'lock' : 'hash'));
    part('channel-note').textContent = noteOf(state);
    part('tabs').hidden = !isApp;
    part('home').hidden = !isHome;
    part('messages-panel').hidden = isHome;
    for (const tab of TABS) {
      const button = part(`tab-${tab}`);
      button.setAttribute('aria-selected', String(state.tab === tab));
      button.setAttribute('tabindex', state.tab === tab ? '0' : '-1');
    }
    const { world } = state;
    const prefix = isApp ? '' : '#';
    document.title = world ? `${prefix}${channel.name} · ${world.workspace}` : 'Sandbox';
  }
}
