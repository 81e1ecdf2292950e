/** A button that opens a menu: arrow keys, Home, End, letters, Enter, Escape. */
import { createDomElement, createUniqueDomId, type DomChild } from './dom.ts';
import { nextMarkedIndex } from './options.ts';
import { createPopup } from './popup.ts';

export interface MenuItem {
  readonly label: string;
  readonly description?: string;
  /** Set for items of which exactly one is chosen. */
  readonly isChosen?: boolean;
  readonly picture?: Node;
  onSelect(): void;
}

export interface MenuAppearance {
  /** The button's label for screen readers, if its content isn't enough. */
  readonly label?: string;
  readonly className: string;
  readonly title?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly menuLabel: string;
}

function drawItem(item: MenuItem, close: () => void): HTMLElement {
  const isChoice = item.isChosen !== undefined;
  return createDomElement(
    'button',
    {
      type: 'button',
      class: 'menu-item',
      role: isChoice ? 'menuitemradio' : 'menuitem',
      'aria-checked': isChoice ? String(item.isChosen) : undefined,
      tabindex: -1,
      onclick: () => {
        close();
        item.onSelect();
      },
    },
    item.picture,
    createDomElement(
      'span',
      { class: 'menu-words' },
      createDomElement('span', { class: 'menu-label' }, item.label),
      item.description !== undefined && createDomElement('span', { class: 'menu-more' }, item.description),
    ),
  );
}

/** Calls `itemsOf` at each opening. Returns a span with the button and its menu. */
export function createMenu(
  content: readonly DomChild[],
  look: MenuAppearance,
  itemsOf: () => readonly MenuItem[],
): { readonly node: HTMLElement; readonly button: HTMLButtonElement } {
  const menuId = createUniqueDomId('menu');
  const button = createDomElement(
    'button',
    {
      type: 'button',
      class: look.className,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-controls': menuId,
      'aria-label': look.label,
      title: look.title,
      ...Object.fromEntries(Object.entries(look.data ?? {}).map(([name, value]) => [`data-${name}`, value])),
    },
    ...content,
  );
  const panel = createDomElement('div', {
    class: 'popup menu',
    id: menuId,
    role: 'menu',
    'aria-label': look.menuLabel,
  });
  const node = createDomElement('span', { class: 'menu-anchor' }, button, panel);
  const popup = createPopup(button, panel, {
    align: 'end',
    onClose: () => button.setAttribute('aria-expanded', 'false'),
  });
  const items = () => [...panel.querySelectorAll<HTMLElement>('.menu-item')];
  const closeBack = () => {
    popup.close();
    button.focus();
  };
  const open = (last = false) => {
    panel.replaceChildren(...itemsOf().map((item) => drawItem(item, closeBack)));
    popup.open();
    button.setAttribute('aria-expanded', 'true');
    const chosen = panel.querySelector<HTMLElement>('[aria-checked="true"]');
    (chosen ?? items().at(last ? -1 : 0))?.focus();
  };
  const move = (by: number) => {
    const all = items();
    all[
      nextMarkedIndex(
        all.findIndex((each) => each.matches(':focus')),
        by,
        all.length,
      )
    ]?.focus();
  };
  const jump = (letter: string) => {
    const all = items();
    const at = all.findIndex((each) => each.matches(':focus'));
    const inOrder = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    inOrder.find((each) => each.textContent.trim().toLowerCase().startsWith(letter))?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => items()[0]?.focus(),
    End: () => items().at(-1)?.focus(),
    Escape: closeBack,
    Tab: closeBack,
  };
  button.addEventListener('click', () => (popup.isOpen ? popup.close() : open()));
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    event.stopPropagation();
    open(event.key === 'ArrowUp');
  });
  panel.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const run = keys[event.key];
    if (run) {
      event.preventDefault();
      run();
    } else if (event.key.length === 1 && event.key !== ' ') jump(event.key.toLowerCase());
  });
  return { node, button };
}
