/** Where people write: it grows with the text, completes commands, and keeps unsent text for each target. */
import type { PageCommand } from '../protocol.ts';
import { completeCommand, completedCommandText, decideHowToSendText } from './completion.ts';
import { createDomElement, createIcon, createUniqueDomId } from './dom.ts';
import { nextMarkedIndex } from './options.ts';
import type { PageContext } from './page-context.ts';

export interface ComposerTarget {
  /** Identifies the unsent text: a channel or a thread of one person. */
  readonly key: string;
  readonly channel: string;
  readonly thread?: string;
  readonly placeholder: string;
  /** Why the person can't write here. */
  readonly closed?: string;
}

const MOST_PIXELS = 220;

export class Composer {
  readonly node: HTMLElement;
  readonly #desk: PageContext;
  readonly #onSent: () => void;
  readonly #text: HTMLTextAreaElement;
  readonly #form: HTMLFormElement;
  readonly #closed = createDomElement('p', { class: 'composer-closed', hidden: true });
  readonly #list = createDomElement('div', {
    class: 'completion',
    role: 'listbox',
    hidden: true,
    'aria-label': 'Commands',
  });
  readonly #usage = createDomElement('div', { class: 'usage', hidden: true, 'aria-live': 'polite' });
  readonly #drafts = new Map<string, string>();
  #place: ComposerTarget | undefined;
  #matches: readonly PageCommand[] = [];
  #mark = -1;
  #last = '';

  constructor(desk: PageContext, label: string, onSent: () => void) {
    this.#desk = desk;
    this.#onSent = onSent;
    const listId = createUniqueDomId('commands');
    this.#list.id = listId;
    this.#text = createDomElement('textarea', {
      rows: 1,
      'aria-label': label,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      role: 'combobox',
      'aria-expanded': 'false',
      autocomplete: 'off',
      enterkeyhint: 'send',
    });
    const send = createDomElement(
      'button',
      { type: 'submit', class: 'send', 'aria-label': 'Send', title: 'Send (Enter)' },
      createIcon('send'),
    );
    const slash = createDomElement(
      'button',
      {
        type: 'button',
        class: 'tool',
        'aria-label': 'Commands',
        title: 'Commands',
        onclick: () => this.insertText('/gig '),
      },
      createIcon('slash'),
    );
    this.#form = createDomElement('form', { class: 'composer-box' }, slash, this.#text, send);
    this.node = createDomElement(
      'div',
      { class: 'composer' },
      this.#list,
      this.#usage,
      this.#form,
      this.#closed,
    );
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    this.#text.addEventListener('input', () => this.#changed());
    this.#text.addEventListener('keydown', (event) => this.#key(event));
    this.#text.addEventListener('blur', () => this.#showMatches([]));
  }

  focus(): void {
    this.#text.focus();
  }

  /** Inserts words that the person can continue. */
  insertText(words: string): void {
    this.#text.value = words;
    this.#text.focus();
    this.#changed();
  }

  /** Saves the old target's unsent text and restores the new one's. */
  showTarget(place: ComposerTarget): void {
    const isOther = this.#place?.key !== place.key;
    if (isOther && this.#place) this.#drafts.set(this.#place.key, this.#text.value);
    this.#place = place;
    this.#text.placeholder = place.placeholder;
    this.#form.hidden = place.closed !== undefined;
    this.#closed.hidden = place.closed === undefined;
    this.#closed.textContent = place.closed ?? '';
    if (!isOther) return;
    this.#text.value = this.#drafts.get(place.key) ?? '';
    this.#fit();
    this.#showMatches([]);
    this.#usage.hidden = true;
  }

  #fit(): void {
    this.#text.style.height = 'auto';
    this.#text.style.height = `${Math.min(this.#text.scrollHeight, MOST_PIXELS)}px`;
  }

  #changed(): void {
    this.#fit();
    const commands = this.#desk.store.state.world?.commands ?? [];
    const { matches, typing } = completeCommand(this.#text.value, commands);
    this.#showMatches(this.#place?.thread === undefined ? matches : []);
    this.#usage.hidden = typing === undefined;
    if (typing)
      this.#usage.replaceChildren(
        ...typing.usage.map((line) => createDomElement('code', {}, line)),
        createDomElement('span', {}, typing.summary),
      );
  }

  #showMatches(matches: readonly PageCommand[]): void {
    this.#matches = matches;
    this.#list.hidden = matches.length === 0;
    this.#text.setAttribute('aria-expanded', String(matches.length > 0));
    this.#list.replaceChildren(...matches.map((each) => this.#drawMatch(each)));
    this.#setMark(matches.length > 0 ? 0 : -1);
  }

  #drawMatch(command: PageCommand): HTMLElement {
    const [first = `/gig ${command.word}`] = command.usage;
    return createDomElement(
      'div',
      {
        class: 'completion-item',
        role: 'option',
        id: createUniqueDomId('command'),
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => this.#take(command),
      },
      createDomElement('code', {}, first),
      createDomElement('span', {}, command.summary),
    );
  }

  #setMark(at: number): void {
    this.#mark = at;
    for (const [index, node] of [...this.#list.children].entries()) {
      node.classList.toggle('marked', index === at);
      node.setAttribute('aria-selected', String(index === at));
    }
    const marked = this.#list.children[at];
    marked?.scrollIntoView({ block: 'nearest' });
    if (marked) this.#text.setAttribute('aria-activedescendant', marked.id);
    else this.#text.removeAttribute('aria-activedescendant');
  }

  #take(command: PageCommand): void {
    this.#text.value = completedCommandText(command);
    this.#changed();
    this.#showMatches([]);
    this.#text.focus();
  }

  /** True when the open list used the key. */
  #keyInList(event: KeyboardEvent): boolean {
    const command = this.#matches[this.#mark];
    if (this.#matches.length === 0) return false;
    if (event.key === 'ArrowDown') this.#setMark(nextMarkedIndex(this.#mark, 1, this.#matches.length));
    else if (event.key === 'ArrowUp') this.#setMark(nextMarkedIndex(this.#mark, -1, this.#matches.length));
    else if (event.key === 'Escape') this.#showMatches([]);
    else if (command && event.key === 'Tab') this.#take(command);
    else if (command && event.key === 'Enter' && !this.#isTyped(command)) this.#take(command);
    else return false;
    return true;
  }

  #isTyped(command: PageCommand): boolean {
    return this.#text.value.trim().toLowerCase() === completedCommandText(command).trim();
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing || event.shiftKey) return;
    if (this.#keyInList(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void this.#send();
    } else if (event.key === 'ArrowUp' && this.#text.value === '' && this.#last !== '') {
      event.preventDefault();
      this.insertText(this.#last);
      this.#showMatches([]);
    }
  }

  async #send(): Promise<void> {
    const place = this.#place;
    if (!place || place.closed !== undefined) return;
    const typed = this.#text.value;
    const { channel, thread } = place;
    const sending = decideHowToSendText(typed, thread !== undefined);
    if (sending.kind === 'nothing') return;
    if (sending.kind === 'refused') {
      this.#desk.showToast(sending.why, 'problem');
      return;
    }
    this.#clear();
    this.#last = typed.trim();
    this.#onSent();
    const { text } = sending;
    const where = sending.kind === 'say' && thread !== undefined ? { channel, thread } : { channel };
    const answer = await this.#desk.performAction({ kind: sending.kind, text, ...where });
    // Unsent text is never lost, even when the person has moved to another place.
    if (!answer.ok) this.#giveBack(place, typed);
  }

  #clear(): void {
    this.#text.value = '';
    this.#changed();
  }

  #giveBack(place: ComposerTarget, typed: string): void {
    if (this.#place?.key !== place.key) this.#drafts.set(place.key, typed);
    else if (this.#text.value === '') this.insertText(typed);
  }
}
