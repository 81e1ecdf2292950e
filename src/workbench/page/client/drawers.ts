/** On narrow screens, the channel list and the panels cover the messages, one at a time. */

import { getPageElement } from './dom.ts';
import type { PageContext } from './page-context.ts';
import type { PageState } from './store.ts';

const NARROW = window.matchMedia('(max-width: 900px)');

export function isNarrowViewport(): boolean {
  return NARROW.matches;
}

export class Drawers {
  readonly #desk: PageContext;
  #opener: Element | null = null;

  constructor(desk: PageContext) {
    this.#desk = desk;
    getPageElement('veil').addEventListener('click', () => this.close());
    getPageElement('open-channels').addEventListener('click', () => this.#toggle('channels'));
    NARROW.addEventListener('change', () => this.#lay(desk.store.state));
    desk.store.onChange((state, before) => {
      if (state.drawer === before.drawer) return;
      if (before.drawer === 'none') this.#opener = document.activeElement;
      this.#lay(state);
      this.#moveFocus(state);
    });
    this.#lay(desk.store.state);
  }

  get isOpen(): boolean {
    return isNarrowViewport() && this.#desk.store.state.drawer !== 'none';
  }

  close(): void {
    this.#desk.store.updateState({ drawer: 'none' });
  }

  #toggle(drawer: 'channels' | 'side'): void {
    const { state } = this.#desk.store;
    this.#desk.store.updateState({ drawer: state.drawer === drawer ? 'none' : drawer });
  }

  /** Tab must not reach a closed drawer, or what is under an open one. */
  #lay({ drawer }: PageState): void {
    const narrow = isNarrowViewport();
    document.body.dataset['drawer'] = drawer;
    getPageElement('main').inert = narrow && drawer !== 'none';
    getPageElement('channels').inert = narrow && drawer !== 'channels';
    getPageElement('side').inert = narrow && drawer !== 'side';
    getPageElement('open-channels').setAttribute('aria-expanded', String(narrow && drawer === 'channels'));
  }

  #moveFocus({ drawer }: PageState): void {
    if (!isNarrowViewport()) return;
    if (drawer === 'none') {
      if (this.#opener instanceof HTMLElement && this.#opener.isConnected) this.#opener.focus();
      return;
    }
    const pane = getPageElement(drawer === 'channels' ? 'channels' : 'side');
    const first = pane.querySelector<HTMLElement>('[aria-current="page"], aside:not([hidden]) button');
    first?.focus();
  }
}
