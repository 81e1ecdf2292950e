/** Date and time inputs, with the browser's own controls. */
import type { ShownElement } from '../../protocol.ts';
import { createDomElement } from '../dom.ts';
import { timeFormatterForState } from '../store.ts';
import type { TimeFormatter } from '../time-format.ts';
import { currentElementValue, type InputValue } from '../unsent-input.ts';
import { controlAttributes, type ElementContext } from './element-context.ts';

const TYPES = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const;

type Kind = keyof typeof TYPES;

function shown(kind: Kind, value: InputValue, times: TimeFormatter): string {
  if (value === null || value === '') return '';
  return kind === 'date-time' ? times.toLocalInput(Number(value)) : String(value);
}

function read(kind: Kind, text: string, times: TimeFormatter): InputValue {
  if (text === '') return null;
  return kind === 'date-time' ? times.toSeconds(text) : text;
}

export function drawDateTimeInput(element: ShownElement, kind: Kind, place: ElementContext): HTMLElement {
  const { surface } = place;
  const times = timeFormatterForState(surface.desk.store.state);
  let sent = shown(kind, currentElementValue(element, surface.typed), times);
  let isTyping = false;
  const input = createDomElement('input', {
    ...controlAttributes(element, place),
    class: 'control moment',
    type: TYPES[kind],
    min: element.min,
    max: element.max,
    value: sent,
  });

  const send = async () => {
    const { value } = input;
    if (value === sent) return;
    const before = sent;
    sent = value;
    if (await surface.choose(element, read(kind, value, times), input)) return;
    sent = before;
    input.value = before;
  };
  input.addEventListener('change', () => {
    surface.setValue(element, read(kind, input.value, times));
    // While a person types, every digit gives a valid date, such as one in the year 0002: don't send those.
    if (place.sends && !isTyping) void send();
  });
  input.addEventListener('keydown', (event) => {
    isTyping = event.key !== 'Enter';
    if (event.key !== 'Enter' || !place.sends) return;
    event.preventDefault();
    void send();
  });
  input.addEventListener('pointerdown', () => {
    isTyping = false;
  });
  input.addEventListener('blur', () => {
    if (place.sends) void send();
  });
  return input;
}
