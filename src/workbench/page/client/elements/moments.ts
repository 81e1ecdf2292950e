/** Dates and times, by the browser's own controls. */
import type { ShownElement } from '../../protocol.ts';
import { make } from '../dom.ts';
import { timesOf } from '../store.ts';
import { type TypedValue, valueIn } from '../typed.ts';
import type { Times } from '../when.ts';
import { marks, type Place } from './place.ts';

const TYPES = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const;

type Kind = keyof typeof TYPES;

function shown(kind: Kind, value: TypedValue, times: Times): string {
  if (value === null || value === '') return '';
  return kind === 'date-time' ? times.toLocalInput(Number(value)) : String(value);
}

function read(kind: Kind, text: string, times: Times): TypedValue {
  if (text === '') return null;
  return kind === 'date-time' ? times.toSeconds(text) : text;
}

export function drawMoment(element: ShownElement, kind: Kind, place: Place): HTMLElement {
  const { surface } = place;
  const times = timesOf(surface.desk.store.state);
  let sent = shown(kind, valueIn(element, surface.typed), times);
  let isTyping = false;
  const input = make('input', {
    ...marks(element, place),
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
    surface.fill(element, read(kind, input.value, times));
    // While digits are typed each of them makes a valid date: the year 0002 is nobody's wish.
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
