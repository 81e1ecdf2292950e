/** A DOM list that mirrors a data list. Unchanged nodes stay, and so do focus, scrolling and typed text. */

export interface KeyedDomListItem<T> {
  readonly node: HTMLElement;
  /** Shows the same item's new data. */
  update(item: T): void;
}

interface Entry<T> {
  item: T;
  readonly drawn: KeyedDomListItem<T>;
}

export class KeyedDomList<T> {
  readonly #parent: HTMLElement;
  readonly #keyOf: (item: T) => string;
  readonly #draw: (item: T) => KeyedDomListItem<T>;
  readonly #isSame: (a: T, b: T) => boolean;
  #entries = new Map<string, Entry<T>>();

  constructor(
    parent: HTMLElement,
    given: {
      readonly keyOf: (item: T) => string;
      readonly draw: (item: T) => KeyedDomListItem<T>;
      /** Whether a redraw is unnecessary; by default, when both have the same JSON. */
      readonly isSame?: (a: T, b: T) => boolean;
    },
  ) {
    this.#parent = parent;
    this.#keyOf = given.keyOf;
    this.#draw = given.draw;
    this.#isSame = given.isSame ?? ((a, b) => a === b || JSON.stringify(a) === JSON.stringify(b));
  }

  show(items: readonly T[]): void {
    const before = this.#entries;
    const after = new Map<string, Entry<T>>();
    for (const item of items) after.set(this.#keyOf(item), this.#entryFor(item, before));
    for (const [key, { drawn }] of before) if (!after.has(key)) drawn.node.remove();
    let place = this.#parent.firstElementChild;
    for (const { drawn } of after.values()) {
      // Moving a node removes its focus, so nodes in the right place stay.
      if (place === drawn.node) place = place.nextElementSibling;
      else this.#parent.insertBefore(drawn.node, place);
    }
    this.#entries = after;
  }

  get(key: string): HTMLElement | undefined {
    return this.#entries.get(key)?.drawn.node;
  }

  #entryFor(item: T, before: ReadonlyMap<string, Entry<T>>): Entry<T> {
    const old = before.get(this.#keyOf(item));
    if (!old) return { item, drawn: this.#draw(item) };
    if (!this.#isSame(old.item, item)) old.drawn.update(item);
    old.item = item;
    return old;
  }
}
