/** The marketplace's panel: how it stands, what it was asked, and what one may order. */
import type { ShownMarket } from '../protocol.ts';
import { coalesce } from './coalesce.ts';
import type { Desk } from './desk.ts';
import { make, newId, part } from './dom.ts';
import { MarketLists } from './market-lists.ts';
import { END_TROUBLE, type MarketOrder, ORDERS } from './market-orders.ts';
import { timesOf } from './store.ts';
import { fromNow } from './when.ts';

interface Gauge {
  readonly node: HTMLElement;
  show(figure: string, note: string, part: number | undefined, title: string): void;
}

function createGauge(title: string): Gauge {
  const nameId = newId('gauge');
  const figure = make('div', { class: 'figure' });
  const note = make('div', { class: 'figure-note' });
  const bar = make('div', { class: 'bar-fill' });
  const meter = make(
    'div',
    { class: 'bar', role: 'meter', 'aria-labelledby': nameId, 'aria-valuemin': 0, 'aria-valuemax': 100 },
    bar,
  );
  const node = make('div', { class: 'gauge' }, make('h3', { id: nameId }, title), figure, meter, note);
  return {
    node,
    show(text, words, full, hover) {
      figure.textContent = text;
      note.textContent = words;
      note.title = hover;
      meter.hidden = full === undefined;
      const percent = Math.round(100 * Math.min(1, Math.max(0, full ?? 0)));
      bar.style.width = `${percent}%`;
      meter.classList.toggle('high', percent >= 100);
      meter.setAttribute('aria-valuenow', String(percent));
      meter.setAttribute('aria-valuetext', text);
    },
  };
}

export class MarketPane {
  readonly #desk: Desk;
  readonly #said = make('p', { class: 'market-said', role: 'status' });
  readonly #faults = make('ul', { class: 'faults' });
  readonly #end: HTMLElement;
  readonly #credits = createGauge('Project credits');
  readonly #requests = createGauge('Requests in the last 60 s');
  readonly #lists = new MarketLists();
  readonly #refreshOnce = coalesce(() => this.#fetch());

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#end = this.#drawOrder(END_TROUBLE);
    this.#end.classList.add('end-trouble');
    part('market-body').append(
      make('div', { class: 'gauges' }, this.#credits.node, this.#requests.node),
      ...ORDERS.map(({ title, orders }) =>
        make(
          'section',
          { class: 'orders' },
          make('h3', {}, title),
          make('div', { class: 'order-buttons' }, ...orders.map((order) => this.#drawOrder(order))),
        ),
      ),
      make('div', { class: 'market-answers' }, this.#said, this.#faults, this.#end),
      this.#lists.node,
    );
    this.#end.hidden = true;
  }

  async refresh(): Promise<void> {
    await this.#refreshOnce();
  }

  async #fetch(): Promise<void> {
    try {
      this.#show(await this.#desk.api.market());
    } catch (thrown) {
      if (thrown instanceof Error) this.#said.textContent = thrown.message;
    }
  }

  #drawOrder(order: MarketOrder): HTMLElement {
    const press = async (event: Event) => {
      const { currentTarget: button } = event;
      if (!(button instanceof HTMLElement) || button.getAttribute('aria-busy') === 'true') return;
      button.setAttribute('aria-busy', 'true');
      const answer = await this.#desk.api.order(order.act);
      button.removeAttribute('aria-busy');
      this.#said.textContent = answer.ok ? (answer.notice ?? order.done) : answer.problem;
      this.#said.classList.toggle('problem', !answer.ok);
      await this.refresh();
    };
    return make(
      'button',
      { type: 'button', class: 'button small', title: order.hint, onclick: (event) => void press(event) },
      make('span', { class: 'button-label' }, order.label),
    );
  }

  #show(market: ShownMarket): void {
    const { now, credits, requests, faults } = market;
    const times = timesOf(this.#desk.store.state);
    const reset = `renew ${fromNow(credits.resetsAt, now)}`;
    const when = times.momentInFull(credits.resetsAt);
    this.#credits.show(`${credits.remaining.toLocaleString('en')} left`, reset, undefined, when);
    const free = Math.max(0, requests.limit - requests.used);
    this.#requests.show(
      `${requests.used} of ${requests.limit}`,
      `${free} left`,
      requests.limit === 0 ? 0 : requests.used / requests.limit,
      '',
    );
    this.#faults.replaceChildren(...faults.map((fault) => make('li', {}, fault)));
    this.#faults.hidden = faults.length === 0;
    this.#end.hidden = faults.length === 0;
    this.#lists.show(market, times);
  }
}
