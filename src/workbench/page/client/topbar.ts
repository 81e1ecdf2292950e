/** The bar at the top: workspace, current person, theme, and the button for the Marketplace panel. */
import type { PagePerson } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import { createDomElement, createIcon, getPageElement } from './dom.ts';
import { createMenu, type MenuItem } from './menu.ts';
import type { PageContext } from './page-context.ts';
import type { PageState } from './store.ts';

const KINDS: Readonly<Record<PagePerson['kind'], string>> = {
  admin: 'Workspace admin',
  member: 'Full member',
  guest: 'Guest',
  stranger: 'External member',
};

const THEMES = [
  { id: 'auto', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;

const THEME_KEY = 'theme';

/** Applies the saved theme; call it before drawing anything. */
export function applyTheme(machine: PageContext['browser']['machine']): void {
  document.documentElement.dataset['theme'] = machine.read(THEME_KEY) ?? 'auto';
}

function createThemeMenu(desk: PageContext): HTMLElement {
  const { machine } = desk.browser;
  const choose = (id: string) => {
    machine.write(THEME_KEY, id);
    document.documentElement.dataset['theme'] = id;
  };
  const items = () =>
    THEMES.map(({ id, label }) => ({
      label,
      isChosen: document.documentElement.dataset['theme'] === id,
      onSelect: () => choose(id),
    }));
  const look = {
    className: 'tool',
    label: 'Theme',
    title: 'Theme',
    menuLabel: 'Theme',
  };
  return createMenu([createIcon('theme')], look, items).node;
}

export class Topbar {
  readonly #desk: PageContext;
  readonly #actAs: (person: string) => void;
  readonly #who = createDomElement('span', { class: 'who' });

  constructor(
    desk: PageContext,
    given: { readonly actAs: (person: string) => void; readonly showKeys: () => void },
  ) {
    this.#desk = desk;
    this.#actAs = given.actAs;
    const keys = createDomElement(
      'button',
      {
        type: 'button',
        class: 'tool wide-only',
        'aria-label': 'Keyboard shortcuts',
        title: 'Keyboard shortcuts (?)',
        onclick: given.showKeys,
      },
      createIcon('keyboard'),
    );
    const people = createMenu(
      [this.#who, createIcon('down')],
      { className: 'person', menuLabel: 'Act as', title: 'Act as another person' },
      () => this.#people(),
    );
    getPageElement('top-tools').append(createThemeMenu(desk), keys, people.node);
    desk.store.onChange((state, before) => {
      if (state.world !== before.world || state.isConnected !== before.isConnected) this.show(state);
    });
  }

  show({ world, isConnected }: PageState): void {
    getPageElement('offline').hidden = isConnected;
    if (!world) return;
    getPageElement('workspace').textContent = world.workspace;
    const { name, kind } = world.as;
    this.#who.replaceChildren(
      drawAvatar(name, false),
      createDomElement(
        'span',
        { class: 'who-words' },
        createDomElement('span', { class: 'unseen' }, 'Acting as '),
        createDomElement('span', { class: 'who-name' }, name),
        createDomElement('span', { class: 'who-kind' }, KINDS[kind]),
      ),
    );
  }

  #people(): readonly MenuItem[] {
    const { world } = this.#desk.store.state;
    return (world?.people ?? []).map(({ id, name, kind }) => ({
      label: name,
      description: KINDS[kind],
      picture: drawAvatar(name, false),
      isChosen: id === world?.as.id,
      onSelect: () => this.#actAs(id),
    }));
  }
}
