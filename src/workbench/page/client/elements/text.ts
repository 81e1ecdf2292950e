/** Inputs for text and numbers, with the remaining length once it gets short. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement, createUniqueDomId } from '../dom.ts';
import { remainingLengthNote } from '../remaining-length.ts';
import { currentElementValue } from '../unsent-input.ts';
import { controlAttributes, type ElementContext } from './element-context.ts';

type Input = HTMLInputElement | HTMLTextAreaElement;

function fitHeight(input: Input): void {
  if (!(input instanceof HTMLTextAreaElement)) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight + 2}px`;
}

export function drawTextInput(element: ShownElement, place: ElementContext): HTMLElement {
  const { surface } = place;
  const { placeholder, minLength, maxLength } = element;
  const isNumber = element.type === 'number';
  const noteId = createUniqueDomId('length');
  const described = [place.describedBy, noteId].filter(Boolean).join(' ');
  const shared = {
    ...controlAttributes(element, place),
    'aria-describedby': described,
    class: 'control',
    placeholder,
  };
  const input: Input = element.multiline
    ? createDomElement('textarea', { ...shared, rows: 3 })
    : createDomElement('input', {
        ...shared,
        type: 'text',
        inputmode: isNumber ? 'decimal' : undefined,
        autocomplete: 'off',
      });
  input.value = String(currentElementValue(element, surface.typed) ?? '');
  // Not `maxlength`: it would cut pasted text silently.
  const note = createDomElement('div', { class: 'length-note', id: noteId, 'aria-live': 'polite' });
  const tell = () => {
    const bounds = {
      ...(minLength === undefined ? {} : { minLength }),
      ...(maxLength === undefined ? {} : { maxLength }),
    };
    const said = isNumber ? undefined : remainingLengthNote(input.value.length, bounds);
    note.textContent = said?.words ?? '';
    note.classList.toggle('wrong', said?.isWrong === true);
  };
  const read = () => (input.value === '' ? null : input.value);
  input.addEventListener('input', () => {
    surface.setValue(element, read());
    tell();
    fitHeight(input);
  });
  input.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.isComposing) return;
    const isMeant = element.multiline !== true || event.ctrlKey || event.metaKey;
    if (!place.sends || !isMeant) return;
    event.preventDefault();
    void surface.choose(element, read(), input);
  });
  tell();
  if (element.multiline) surface.desk.browser.onNextFrame(() => fitHeight(input));
  return createDomElement('div', { class: 'text-input' }, input, note);
}
