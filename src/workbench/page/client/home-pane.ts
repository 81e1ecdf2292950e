/** The app's Home: a view without a dialog. */
import { BlockList } from './blocks.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { createDomElement, getPageElement } from './dom.ts';
import type { PageContext } from './page-context.ts';
import { ElementSurface } from './surface.ts';

export class HomePane {
  readonly #desk: PageContext;
  readonly #pane = getPageElement('home');
  readonly #refreshOnce = coalesceAsyncRuns(() => this.#fetch());
  #shown = '';
  #blocks: BlockList | undefined;

  constructor(desk: PageContext) {
    this.#desk = desk;
  }

  /** Opens the tab as a person does: the app gets the event and publishes its view. */
  async open(): Promise<void> {
    await Promise.all([this.#desk.performAction({ kind: 'open-home' }), this.#refreshOnce()]);
  }

  async refresh(): Promise<void> {
    if (this.#desk.store.state.tab === 'home') await this.#refreshOnce();
  }

  async #fetch(): Promise<void> {
    const { as } = this.#desk.store.state;
    try {
      const view = await this.#desk.api.fetchHome();
      if (as !== this.#desk.store.state.as) return;
      if (view === null) return this.#showNothing();
      const key = `${as} ${view.id}`;
      if (key !== this.#shown || !this.#blocks) {
        const place = createDomElement('div', { class: 'blocks' });
        this.#pane.replaceChildren(place);
        this.#blocks = new BlockList(place, new ElementSurface(this.#desk, { view: view.id }));
        this.#shown = key;
      }
      this.#blocks.show(view.blocks, this.#pane);
    } catch (thrown) {
      if (thrown instanceof Error) this.#desk.showToast(thrown.message, 'problem');
    }
  }

  #showNothing(): void {
    this.#shown = '';
    const app = this.#desk.store.state.world?.app ?? 'The app';
    this.#pane.replaceChildren(
      createDomElement(
        'div',
        { class: 'empty' },
        createDomElement('h2', {}, 'Nothing here yet'),
        createDomElement('p', {}, `${app} is loading its Home.`),
      ),
    );
  }
}
