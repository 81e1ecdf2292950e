/** The stack of modals, mirrored from the server: the topmost is in front. */
import type { ShownView } from '../protocol.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { ModalView } from './modal-view.ts';
import type { PageContext } from './page-context.ts';

export class Modals {
  readonly #desk: PageContext;
  readonly #open = new Map<string, ModalView>();
  readonly #onEmpty: () => void;
  #opener: Element | null = null;
  /** The message that contains `#opener`, in case it is redrawn meanwhile. */
  #message: HTMLElement | undefined;
  /** Asks the server for the open views. */
  readonly refresh: () => Promise<void>;

  /** `onEmpty`: the last modal closed, and the element that had the focus is gone. */
  constructor(desk: PageContext, onEmpty: () => void) {
    this.#desk = desk;
    this.#onEmpty = onEmpty;
    this.refresh = coalesceAsyncRuns(async () => {
      const { as } = desk.store.state;
      const views = await desk.api.fetchViews();
      if (as === desk.store.state.as) this.show(views);
    });
  }

  get top(): ModalView | undefined {
    return [...this.#open.values()].at(-1);
  }

  show(views: readonly ShownView[]): void {
    if (this.#open.size === 0 && views.length > 0) this.#keepOpener();
    const ids = new Set(views.map(({ id }) => id));
    for (const [id, modal] of [...this.#open].toReversed()) {
      if (ids.has(id)) continue;
      modal.remove();
      this.#open.delete(id);
    }
    for (const view of views) {
      const known = this.#open.get(view.id);
      if (known) known.update(view);
      else this.#add(view);
    }
    if (views.length === 0) this.#giveFocusBack();
  }

  #add(view: ShownView): void {
    const modal = new ModalView(this.#desk, view);
    this.#open.set(view.id, modal);
    modal.open();
  }

  #keepOpener(): void {
    this.#opener = document.activeElement;
    this.#message = this.#opener?.closest<HTMLElement>('.message') ?? undefined;
  }

  #giveFocusBack(): void {
    if (this.#opener === null) return;
    const opener = this.#opener;
    const message = this.#message;
    this.#opener = null;
    this.#message = undefined;
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
    else if (message?.isConnected) message.focus({ preventScroll: true });
    else this.#onEmpty();
  }
}
