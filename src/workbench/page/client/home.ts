/** The app's Home: a view without a dialog around it. */
import { BlockList } from './blocks.ts';
import { coalesce } from './coalesce.ts';
import type { Desk } from './desk.ts';
import { make, part } from './dom.ts';
import { Surface } from './surface.ts';

export class Home {
  readonly #desk: Desk;
  readonly #pane = part('home');
  readonly #refreshOnce = coalesce(() => this.#fetch());
  #shown = '';
  #blocks: BlockList | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Opens the tab as a person does: the app hears of it, and publishes what it has to show. */
  async open(): Promise<void> {
    await Promise.all([this.#desk.act({ kind: 'open-home' }), this.#refreshOnce()]);
  }

  async refresh(): Promise<void> {
    if (this.#desk.store.state.tab === 'home') await this.#refreshOnce();
  }

  async #fetch(): Promise<void> {
    const { as } = this.#desk.store.state;
    try {
      const view = await this.#desk.api.home();
      if (as !== this.#desk.store.state.as) return;
      if (view === null) return this.#showNothing();
      const key = `${as} ${view.id}`;
      if (key !== this.#shown || !this.#blocks) {
        const place = make('div', { class: 'blocks' });
        this.#pane.replaceChildren(place);
        this.#blocks = new BlockList(place, new Surface(this.#desk, { view: view.id }));
        this.#shown = key;
      }
      this.#blocks.show(view.blocks, this.#pane);
    } catch (thrown) {
      if (thrown instanceof Error) this.#desk.tell(thrown.message, 'problem');
    }
  }

  #showNothing(): void {
    this.#shown = '';
    const app = this.#desk.store.state.world?.app ?? 'The app';
    this.#pane.replaceChildren(
      make(
        'div',
        { class: 'empty' },
        make('h2', {}, 'Nothing here yet'),
        make('p', {}, `${app} is loading its Home.`),
      ),
    );
  }
}
