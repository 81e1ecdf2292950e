/** Inputs for text and numbers, with the length that is left once it gets short. */
import type { ShownElement } from '../../protocol.ts';
import { make, newId } from '../dom.ts';
import { noteLength } from '../remaining.ts';
import { valueIn } from '../typed.ts';
import { marks, type Place } from './place.ts';

type Input = HTMLInputElement | HTMLTextAreaElement;

function fitHeight(input: Input): void {
  if (!(input instanceof HTMLTextAreaElement)) return;
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight + 2}px`;
}

export function drawText(element: ShownElement, place: Place): HTMLElement {
  const { surface } = place;
  const { placeholder, minLength, maxLength } = element;
  const isNumber = element.type === 'number';
  const noteId = newId('length');
  const described = [place.describedBy, noteId].filter(Boolean).join(' ');
  const shared = { ...marks(element, place), 'aria-describedby': described, class: 'control', placeholder };
  const input: Input = element.multiline
    ? make('textarea', { ...shared, rows: 3 })
    : make('input', {
        ...shared,
        type: 'text',
        inputmode: isNumber ? 'decimal' : undefined,
        autocomplete: 'off',
      });
  input.value = String(valueIn(element, surface.typed) ?? '');
  // Not `maxlength`: that would cut what is pasted without a word.
  const note = make('div', { class: 'length-note', id: noteId, 'aria-live': 'polite' });
  const tell = () => {
    const bounds = {
      ...(minLength === undefined ? {} : { minLength }),
      ...(maxLength === undefined ? {} : { maxLength }),
    };
    const said = isNumber ? undefined : noteLength(input.value.length, bounds);
    note.textContent = said?.words ?? '';
    note.classList.toggle('wrong', said?.isWrong === true);
  };
  const read = () => (input.value === '' ? null : input.value);
  input.addEventListener('input', () => {
    surface.fill(element, read());
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
  if (element.multiline) surface.desk.browser.frame(() => fitHeight(input));
  return make('div', { class: 'text-input' }, input, note);
}
