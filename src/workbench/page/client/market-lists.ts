/** The marketplace's latest requests, projects, jobs, proposals and templates, in folding sections. */
import type { ShownMarket } from '../protocol.ts';
import { createDomElement } from './dom.ts';
import { KeyedDomList, type KeyedDomListItem } from './keyed-list.ts';
import { formatRelativeTime, type TimeFormatter } from './time-format.ts';

/** One line of a list. */
interface Entry {
  readonly key: string;
  readonly head: string;
  readonly words: string;
  readonly tail: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'waits';
}

const MOST = 30;

function drawEntry(first: Entry): KeyedDomListItem<Entry> {
  const node = createDomElement('li', { class: 'entry' });
  const show = ({ head, words, tail, tone }: Entry) => {
    node.replaceChildren(
      ...(head === '' ? [] : [createDomElement('span', { class: 'entry-head' }, head)]),
      createDomElement('span', { class: 'entry-words', title: words }, words),
      ...(tail === '' ? [] : [createDomElement('span', { class: `entry-tail ${tone}` }, tail)]),
    );
  };
  show(first);
  return { node, update: show };
}

class FoldedList {
  readonly node: HTMLDetailsElement;
  readonly #count = createDomElement('span', { class: 'count' });
  readonly #none: HTMLElement;
  readonly #list: KeyedDomList<Entry>;

  constructor(title: string, none: string, isOpen: boolean) {
    const list = createDomElement('ul', { class: 'entries' });
    this.#none = createDomElement('p', { class: 'none' }, none);
    this.node = createDomElement(
      'details',
      { class: 'folded', open: isOpen },
      createDomElement('summary', {}, createDomElement('h3', {}, title), this.#count),
      this.#none,
      list,
    );
    this.#list = new KeyedDomList<Entry>(list, { keyOf: ({ key }) => key, draw: drawEntry });
  }

  show(entries: readonly Entry[]): void {
    this.#count.textContent = String(entries.length);
    this.#none.hidden = entries.length > 0;
    this.#list.show(entries.slice(0, MOST));
  }
}

type Seen = ShownMarket['seen'][number];

function answerTo({ status, lost }: Seen): string {
  if (lost) return 'no response';
  return status === undefined ? '…' : String(status);
}

function toneOf({ status, lost }: Seen): Entry['tone'] {
  if (lost) return 'bad';
  if (status === undefined) return 'waits';
  return status < 300 ? 'good' : 'bad';
}

/** `waiting_for_review` -> `waiting for review`. */
function inWords(state: string): string {
  return state.replaceAll(/[_-]/gu, ' ');
}

export class MarketLists {
  readonly node: HTMLElement;
  readonly #seen = new FoldedList('Recent requests', 'No requests yet.', true);
  readonly #projects = new FoldedList('Projects', 'No projects yet.', true);
  readonly #jobs = new FoldedList('Auto bidding jobs', 'No jobs yet. Press Bid on a card.', false);
  readonly #proposals = new FoldedList('Proposals', 'No proposals yet.', false);
  readonly #templates = new FoldedList('Templates', 'No templates yet. Try /gig template new.', false);

  constructor() {
    const all = [this.#seen, this.#projects, this.#jobs, this.#proposals, this.#templates];
    this.node = createDomElement('div', { class: 'market-lists' }, ...all.map(({ node }) => node));
  }

  show({ now, seen, projects, jobs, proposals, templates }: ShownMarket, { clockTime }: TimeFormatter): void {
    this.#seen.show(
      seen.map((request) => ({
        key: `${request.at} ${request.method} ${request.path}`,
        head: clockTime(request.at),
        words: `${request.method} ${request.path}`,
        tail: answerTo(request),
        tone: toneOf(request),
      })),
    );
    this.#projects.show(
      projects.map(({ id, title, publishedAt, filters }) => ({
        key: String(id),
        head: '',
        words: title,
        tail: [formatRelativeTime(publishedAt, now), ...filters].join(' · '),
        tone: 'plain',
      })),
    );
    const named = (list: readonly { id: number; title: string; state: string }[]) =>
      list.map(({ id, title, state }) => ({
        key: String(id),
        head: `#${id}`,
        words: title,
        tail: inWords(state),
        tone: 'plain' as const,
      }));
    this.#jobs.show(named(jobs.map(({ id, title, status }) => ({ id, title, state: status }))));
    this.#proposals.show(named(proposals));
    this.#templates.show(named(templates.map(({ id, name }) => ({ id, title: name, state: '' }))));
  }
}
