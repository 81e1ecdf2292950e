/** A list in the document that follows a list of data: what stays is left alone, so focus, scrolling and typing survive. */

export interface DrawnItem<T> {
  readonly node: HTMLElement;
  /** The same thing changed. */
  update(item: T): void;
}

interface Entry<T> {
  item: T;
  readonly drawn: DrawnItem<T>;
}

export class KeyedList<T> {
  readonly #parent: HTMLElement;
  readonly #keyOf: (item: T) => string;
  readonly #draw: (item: T) => DrawnItem<T>;
  readonly #isSame: (a: T, b: T) => boolean;
  #entries = new Map<string, Entry<T>>();

  constructor(
    parent: HTMLElement,
    given: {
      readonly keyOf: (item: T) => string;
      readonly draw: (item: T) => DrawnItem<T>;
      /** Nothing to redraw; by default when both are the same as JSON. */
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
      // Moving a node would take its focus away: those that stand right are passed over.
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
