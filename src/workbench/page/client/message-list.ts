/** The message list: only changes are redrawn, and the reader keeps their scroll position. */
import { createDomElement } from './dom.ts';
import { KeyedDomList } from './keyed-list.ts';
import { MessageView, type MessageViewContext } from './message.ts';
import type { MessageListRow } from './message-rows.ts';
import { nextMarkedIndex } from './options.ts';
import { timeFormatterForState } from './store.ts';

/** Within this distance of the end, in pixels, the reader follows the newest messages. */
const NEAR = 64;

function isSameRow(a: MessageListRow, b: MessageListRow): boolean {
  if (a.kind !== 'message' || b.kind !== 'message') return a.kind === b.kind && a.kind !== 'day';
  return a.message === b.message && a.follows === b.follows;
}

export class MessageList {
  readonly #scroller: HTMLElement;
  readonly #room: MessageViewContext;
  readonly #list: KeyedDomList<MessageListRow>;
  readonly #node = createDomElement('ol', { class: 'messages' });
  #sticks = true;
  #lastTop = 0;
  #rows: readonly MessageListRow[] = [];

  /** `onMove`: the reader scrolled, or the content grew. */
  constructor(scroller: HTMLElement, room: MessageViewContext, onMove: () => void) {
    this.#scroller = scroller;
    this.#room = room;
    this.#list = new KeyedDomList<MessageListRow>(this.#node, {
      keyOf: ({ key }) => key,
      draw: (row) => this.#draw(row),
      isSame: isSameRow,
    });
    scroller.append(this.#node);
    scroller.addEventListener('scroll', () => {
      // Growing content also scrolls: only a smaller `scrollTop` means that the reader scrolled up.
      if (this.#distance() < NEAR) this.#sticks = true;
      else if (scroller.scrollTop < this.#lastTop) this.#sticks = false;
      this.#lastTop = scroller.scrollTop;
      onMove();
    });
    // Images load late, and a phone's keyboard takes up space.
    const watch = new ResizeObserver(() => {
      if (this.#sticks) this.scrollToNewest();
    });
    watch.observe(this.#node);
    watch.observe(scroller);
    this.#node.addEventListener('keydown', (event) => this.#walk(event));
    this.#node.addEventListener('focusin', (event) => this.#rove(event));
  }

  get isAtNewest(): boolean {
    return this.#sticks;
  }

  get isNearOldest(): boolean {
    return this.#scroller.scrollTop < 600;
  }

  scrollToNewest(): void {
    this.#sticks = true;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  show(rows: readonly MessageListRow[]): void {
    const anchor = this.#sticks ? undefined : this.#anchor();
    this.#rows = rows;
    this.#list.show(rows);
    this.#keepReachable();
    if (this.#sticks) this.scrollToNewest();
    else if (anchor) this.#scroller.scrollTop += anchor.node.getBoundingClientRect().top - anchor.top;
  }

  /** Highlights a changed message for a moment; the CSS skips the animation for reduced motion. */
  flashMessage(ts: string): void {
    const node = this.#list.get(ts);
    node?.classList.remove('changed');
    this.#room.desk.browser.onNextFrame(() => node?.classList.add('changed'));
  }

  focusMessage(ts: string): void {
    this.#list.get(ts)?.focus();
  }

  /** Scrolls up to a message above the visible area. */
  scrollToMessage(ts: string): void {
    const node = this.#list.get(ts);
    const edge = this.#scroller.getBoundingClientRect().top;
    if (!node || node.getBoundingClientRect().top >= edge) return;
    this.#sticks = false;
    node.scrollIntoView({ block: 'start', behavior: 'instant' });
  }

  focusNewest(): void {
    const last = this.#messages().at(-1);
    last?.focus();
  }

  #distance(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  /** The first visible message, whose position is kept. */
  #anchor(): { node: HTMLElement; top: number } | undefined {
    const edge = this.#scroller.getBoundingClientRect().top;
    const rows = this.#rows.flatMap(({ key }) => this.#list.get(key) ?? []);
    let [from, to] = [0, rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > edge) to = middle;
      else from = middle + 1;
    }
    const node = rows[from];
    return node && { node, top: node.getBoundingClientRect().top };
  }

  #draw(row: MessageListRow) {
    if (row.kind === 'message') {
      const view = new MessageView(row, this.#room);
      return {
        node: view.node,
        update: (next: MessageListRow) => next.kind === 'message' && view.update(next),
      };
    }
    const words = createDomElement('span', {}, 'New');
    const node = createDomElement('li', { class: `divider ${row.kind}` }, words);
    const show = (next: MessageListRow) => {
      const { state } = this.#room.desk.store;
      if (next.kind === 'day')
        words.textContent = timeFormatterForState(state).dayName(next.at, state.world?.now ?? 0);
    };
    show(row);
    return { node, update: show };
  }

  #messages(): readonly HTMLElement[] {
    return [...this.#node.querySelectorAll<HTMLElement>(':scope > .message')];
  }

  /** One message is in the Tab order; arrow keys reach the others. */
  #keepReachable(): void {
    if (this.#node.querySelector(':scope > .message[tabindex="0"]')) return;
    this.#messages().at(-1)?.setAttribute('tabindex', '0');
  }

  #rove(event: Event): void {
    const { target } = event;
    const message = target instanceof Element ? target.closest('.message') : null;
    if (!message || message.getAttribute('tabindex') === '0') return;
    for (const each of this.#node.querySelectorAll('.message[tabindex="0"]'))
      each.setAttribute('tabindex', '-1');
    message.setAttribute('tabindex', '0');
  }

  #walk(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || !(event.target instanceof Element) || !event.target.matches('.message')) return;
    event.preventDefault();
    const all = this.#messages();
    const at = all.findIndex((each) => each.matches(':focus'));
    if (at + by < 0 || at + by >= all.length) return;
    all[nextMarkedIndex(at, by, all.length)]?.focus();
  }
}
