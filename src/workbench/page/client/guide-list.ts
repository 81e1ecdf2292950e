/** The guide: what to try next, with done steps ticked. */
import type { ShownGuideStep } from '../protocol.ts';
import { createDomElement, createIcon, getPageElement } from './dom.ts';

const ALL_DONE = "You've tried everything here. docs/sandbox.md lists more.";

/** Only the next step, and one that the person opened, shows its hint. */
export class GuideList {
  readonly node = createDomElement('section', { class: 'guide', hidden: true });
  readonly #strip = getPageElement('next-step');
  #steps: readonly ShownGuideStep[] = [];
  #opened: string | undefined;

  show(steps: readonly ShownGuideStep[]): void {
    if (JSON.stringify(steps) === JSON.stringify(this.#steps)) return;
    this.#steps = steps;
    this.#opened = undefined;
    this.#draw();
  }

  #draw(): void {
    const steps = this.#steps;
    const next = steps.find(({ isDone }) => !isDone);
    const done = steps.filter(({ isDone }) => isDone).length;
    const open = this.#opened ?? next?.label;
    this.node.hidden = steps.length === 0;
    this.node.replaceChildren(
      createDomElement(
        'h3',
        {},
        'Try this',
        createDomElement('span', { class: 'count' }, `${done} of ${steps.length} done`),
      ),
      createDomElement('ol', {}, ...steps.map((step) => this.#drawStep(step, step.label === open))),
      next ? '' : createDomElement('p', { class: 'guide-hint' }, ALL_DONE),
    );
    this.#strip.hidden = next === undefined;
    this.#strip.replaceChildren(
      'Next: ',
      createDomElement('strong', {}, next?.label ?? ''),
      createIcon('down'),
    );
  }

  #drawStep({ label, hint, isDone }: ShownGuideStep, isOpen: boolean): HTMLElement {
    const mark = createDomElement(
      'span',
      { class: 'guide-mark' },
      isDone ? createIcon('check') : undefined,
      createDomElement('span', { class: 'unseen' }, isDone ? 'Done:' : 'To do:'),
    );
    const open = () => {
      this.#opened = isOpen ? '' : label;
      this.#draw();
      const buttons = this.node.querySelectorAll<HTMLElement>('button');
      buttons[this.#steps.findIndex((step) => step.label === label)]?.focus();
    };
    return createDomElement(
      'li',
      { class: `guide-step${isDone ? ' done' : ''}` },
      createDomElement(
        'button',
        { type: 'button', 'aria-expanded': String(isOpen), onclick: open },
        mark,
        createDomElement('span', {}, label),
      ),
      isOpen && createDomElement('p', { class: 'guide-hint' }, hint),
    );
  }
}
