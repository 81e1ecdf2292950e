/** The bar at the top: whose workspace this is, as whom one acts, light or dark, and the marketplace's panel. */
import type { PagePerson } from '../protocol.ts';
import { drawAvatar } from './avatar.ts';
import type { Desk } from './desk.ts';
import { icon, make, part } from './dom.ts';
import { createMenu, type MenuItem } from './menu.ts';
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

/** What was chosen before; to be called before anything is drawn. */
export function applyTheme(machine: Desk['browser']['machine']): void {
  document.documentElement.dataset['theme'] = machine.read(THEME_KEY) ?? 'auto';
}

function createThemeMenu(desk: Desk): HTMLElement {
  const { machine } = desk.browser;
  const choose = (id: string) => {
    machine.write(THEME_KEY, id);
    document.documentElement.dataset['theme'] = id;
  };
  const items = () =>
    THEMES.map(({ id, label }) => ({
      label,
      isChosen: document.documentElement.dataset['theme'] === id,
      run: () => choose(id),
    }));
  const look = {
    className: 'tool',
    label: 'Theme',
    title: 'Theme',
    menuLabel: 'Theme',
  };
  return createMenu([icon('theme')], look, items).node;
}

export class Topbar {
  readonly #desk: Desk;
  readonly #actAs: (person: string) => void;
  readonly #who = make('span', { class: 'who' });

  constructor(
    desk: Desk,
    given: { readonly actAs: (person: string) => void; readonly showKeys: () => void },
  ) {
    this.#desk = desk;
    this.#actAs = given.actAs;
    const keys = make(
      'button',
      {
        type: 'button',
        class: 'tool wide-only',
        'aria-label': 'Keyboard shortcuts',
        title: 'Keyboard shortcuts (?)',
        onclick: given.showKeys,
      },
      icon('keyboard'),
    );
    const people = createMenu(
      [this.#who, icon('down')],
      { className: 'person', menuLabel: 'Act as', title: 'Act as another person' },
      () => this.#people(),
    );
    part('top-tools').append(createThemeMenu(desk), keys, people.node);
    desk.store.onChange((state, before) => {
      if (state.world !== before.world || state.isConnected !== before.isConnected) this.show(state);
    });
  }

  show({ world, isConnected }: PageState): void {
    part('offline').hidden = isConnected;
    if (!world) return;
    part('workspace').textContent = world.workspace;
    const { name, kind } = world.as;
    this.#who.replaceChildren(
      drawAvatar(name, false),
      make(
        'span',
        { class: 'who-words' },
        make('span', { class: 'unseen' }, 'Acting as '),
        make('span', { class: 'who-name' }, name),
        make('span', { class: 'who-kind' }, KINDS[kind]),
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
      run: () => this.#actAs(id),
    }));
  }
}
