/** The Marketplace panel: its state, its requests and its controls. */
import type { ShownMarket } from '../protocol.ts';
import { coalesceAsyncRuns } from './coalesce.ts';
import { createDomElement, createUniqueDomId, getPageElement } from './dom.ts';
import { GuideList } from './guide-list.ts';
import { CLEAR_FAULTS_CONTROL, MARKET_CONTROL_GROUPS, type MarketControl } from './market-controls.ts';
import { MarketLists } from './market-lists.ts';
import type { PageContext } from './page-context.ts';
import { timeFormatterForState } from './store.ts';
import { formatRelativeTime } from './time-format.ts';

interface Gauge {
  readonly node: HTMLElement;
  show(figure: string, note: string, part: number | undefined, title: string): void;
}

function createGauge(title: string): Gauge {
  const nameId = createUniqueDomId('gauge');
  const figure = createDomElement('div', { class: 'figure' });
  const note = createDomElement('div', { class: 'figure-note' });
  const bar = createDomElement('div', { class: 'bar-fill' });
  const meter = createDomElement(
    'div',
    { class: 'bar', role: 'meter', 'aria-labelledby': nameId, 'aria-valuemin': 0, 'aria-valuemax': 100 },
    bar,
  );
  const node = createDomElement(
    'div',
    { class: 'gauge' },
    createDomElement('h3', { id: nameId }, title),
    figure,
    meter,
    note,
  );
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
  readonly #desk: PageContext;
  readonly #said = createDomElement('p', { class: 'market-said', role: 'status' });
  readonly #faults = createDomElement('ul', { class: 'faults' });
  readonly #end: HTMLElement;
  readonly #credits = createGauge('Project credits');
  readonly #requests = createGauge('Requests in 60 s');
  readonly #guide = new GuideList();
  readonly #lists = new MarketLists();
  readonly #refreshOnce = coalesceAsyncRuns(() => this.#fetch());

  constructor(desk: PageContext) {
    this.#desk = desk;
    this.#end = this.#drawOrder(CLEAR_FAULTS_CONTROL);
    this.#end.classList.add('end-trouble');
    getPageElement('market-body').append(
      this.#guide.node,
      createDomElement('div', { class: 'gauges' }, this.#credits.node, this.#requests.node),
      ...MARKET_CONTROL_GROUPS.map(({ title, orders }) =>
        createDomElement(
          'section',
          { class: 'orders' },
          createDomElement('h3', {}, title),
          createDomElement(
            'div',
            { class: 'order-buttons' },
            ...orders.map((order) => this.#drawOrder(order)),
          ),
        ),
      ),
      createDomElement('div', { class: 'market-answers' }, this.#said, this.#faults, this.#end),
      this.#lists.node,
    );
    this.#end.hidden = true;
  }

  async refresh(): Promise<void> {
    await this.#refreshOnce();
  }

  async #fetch(): Promise<void> {
    try {
      this.#show(await this.#desk.api.fetchMarket());
    } catch (thrown) {
      if (thrown instanceof Error) this.#said.textContent = thrown.message;
    }
  }

  #drawOrder(order: MarketControl): HTMLElement {
    const press = async (event: Event) => {
      const { currentTarget: button } = event;
      if (!(button instanceof HTMLElement) || button.getAttribute('aria-busy') === 'true') return;
      button.setAttribute('aria-busy', 'true');
      const answer = await this.#desk.api.performMarketAction(order.act);
      button.removeAttribute('aria-busy');
      this.#said.textContent = answer.ok ? (answer.notice ?? order.done) : answer.problem;
      this.#said.classList.toggle('problem', !answer.ok);
      await this.refresh();
    };
    return createDomElement(
      'button',
      { type: 'button', class: 'button small', title: order.hint, onclick: (event) => void press(event) },
      createDomElement('span', { class: 'button-label' }, order.label),
    );
  }

  #show(market: ShownMarket): void {
    const { now, credits, requests, faults } = market;
    this.#guide.show(market.guide);
    const times = timeFormatterForState(this.#desk.store.state);
    const reset = `renew ${formatRelativeTime(credits.resetsAt, now)}`;
    const when = times.momentInFull(credits.resetsAt);
    this.#credits.show(`${credits.remaining.toLocaleString('en')} left`, reset, undefined, when);
    const free = Math.max(0, requests.limit - requests.used);
    this.#requests.show(
      `${requests.used} of ${requests.limit}`,
      `${free} left`,
      requests.limit === 0 ? 0 : requests.used / requests.limit,
      '',
    );
    this.#faults.replaceChildren(...faults.map((fault) => createDomElement('li', {}, fault)));
    this.#faults.hidden = faults.length === 0;
    this.#end.hidden = faults.length === 0;
    this.#lists.show(market, times);
  }
}
