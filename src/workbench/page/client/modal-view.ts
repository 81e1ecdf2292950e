/** One modal: a dialog with the view's blocks, errors at their fields, and its two buttons. */
import type { ShownView } from '../protocol.ts';
import { BlockList } from './blocks.ts';
import { createDomElement, createIcon, createUniqueDomId } from './dom.ts';
import type { PageContext } from './page-context.ts';
import { ElementSurface } from './surface.ts';
import { toPageInputValues } from './unsent-input.ts';

const FIELDS = 'input, textarea, select, [tabindex="0"]';

export class ModalView {
  readonly dialog: HTMLDialogElement;
  readonly #desk: PageContext;
  readonly #surface: ElementSurface;
  readonly #blocks: BlockList;
  readonly #title: HTMLElement;
  readonly #banner = createDomElement('p', { class: 'modal-banner', role: 'alert', hidden: true });
  readonly #body = createDomElement('div', { class: 'modal-body', tabindex: -1 });
  readonly #submit: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #cross: HTMLButtonElement;
  #view: ShownView;
  #isSending = false;

  constructor(desk: PageContext, view: ShownView) {
    this.#desk = desk;
    this.#view = view;
    this.#surface = new ElementSurface(desk, { view: view.id });
    const titleId = createUniqueDomId('title');
    this.#title = createDomElement('h2', { id: titleId });
    const shut = () => void this.close();
    this.#close = createDomElement('button', { type: 'button', class: 'button', onclick: shut });
    this.#submit = createDomElement('button', { type: 'submit', class: 'button primary' });
    this.#cross = createDomElement(
      'button',
      { type: 'button', class: 'tool', 'aria-label': 'Close', onclick: shut },
      createIcon('close'),
    );
    const form = createDomElement(
      'form',
      { novalidate: true },
      createDomElement('header', { class: 'modal-head' }, createIcon('gig'), this.#title, this.#cross),
      this.#banner,
      this.#body,
      createDomElement('footer', { class: 'dialog-buttons' }, this.#close, this.#submit),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    this.dialog = createDomElement('dialog', { class: 'dialog modal', 'aria-labelledby': titleId }, form);
    this.dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void this.close();
    });
    this.#blocks = new BlockList(this.#body, this.#surface);
    this.#show();
  }

  open(): void {
    document.body.append(this.dialog);
    this.dialog.showModal();
    const wanted = this.#view.blocks.find((block) => block.kind === 'input' && block.element.focus);
    const inputs = wanted
      ? this.#fieldOf(wanted.blockId)
      : this.#body.querySelector<HTMLElement>('.input input, .input textarea');
    (inputs ?? this.#body).focus();
    this.#body.scrollTop = 0;
  }

  update(view: ShownView): void {
    if (view.hash === this.#view.hash) return;
    this.#view = view;
    this.showBanner('');
    this.#showErrors({});
    const hadButton = document.activeElement === this.#submit;
    this.#show();
    // The focused button is gone: move the focus to the body.
    if (hadButton && this.#submit.hidden) this.#body.focus();
  }

  /** Shows a banner above the fields; empty words remove it. */
  showBanner(words: string): void {
    this.#banner.textContent = words;
    this.#banner.hidden = words === '';
  }

  async close(): Promise<void> {
    await this.#desk.performAction({ kind: 'close' });
  }

  remove(): void {
    this.dialog.close();
    this.dialog.remove();
  }

  #show(): void {
    const { title, submit, close, blocks } = this.#view;
    this.#title.textContent = title;
    this.#submit.textContent = submit ?? '';
    this.#submit.hidden = submit === undefined;
    this.#close.textContent = close;
    this.#blocks.show(blocks, this.#body);
  }

  #fieldOf(blockId: string): HTMLElement | null {
    const block = this.#body.querySelector(`[data-input="${CSS.escape(blockId)}"]`);
    return block?.querySelector<HTMLElement>(FIELDS) ?? null;
  }

  #showErrors(errors: Readonly<Record<string, string>>): void {
    for (const block of this.#body.querySelectorAll<HTMLElement>('[data-input]')) {
      const words = errors[block.dataset['input'] ?? ''] ?? '';
      const place = block.querySelector<HTMLElement>('.error');
      if (place) {
        place.textContent = words;
        place.hidden = words === '';
      }
      block.classList.toggle('has-error', words !== '');
      for (const field of block.querySelectorAll(FIELDS))
        if (words === '') field.removeAttribute('aria-invalid');
        else field.setAttribute('aria-invalid', 'true');
    }
    const wrong = Object.entries(errors);
    if (wrong.length === 0) return;
    this.showBanner(
      wrong.length === 1 ? '1 field needs your attention.' : `${wrong.length} fields need your attention.`,
    );
    const first = this.#view.blocks.find(({ blockId }) => errors[blockId] !== undefined);
    if (first) this.#fieldOf(first.blockId)?.focus();
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#view.submit === undefined) return;
    this.#isSending = true;
    this.#submit.setAttribute('aria-busy', 'true');
    this.showBanner('');
    await this.#surface.waitForUploads();
    const { id: view } = this.#view;
    const answer = await this.#desk.performAction({
      kind: 'submit',
      view,
      values: toPageInputValues(this.#surface.typed),
    });
    this.#isSending = false;
    this.#submit.removeAttribute('aria-busy');
    if (answer.ok) this.#showErrors(answer.errors ?? {});
  }
}
