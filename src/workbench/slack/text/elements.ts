/** Buttons, menus and inputs, each as a few characters. */
import type { Json } from '../objects.ts';
import { listOf, objectOf, objectsOf, textOf } from '../reading.ts';
import { type NameOf, plainMrkdwn, unescapeEntities } from './mrkdwn.ts';
import { harmless } from './wrap.ts';

/** The words of a `plain_text` or `mrkdwn` object. */
export function plainWords(value: unknown, nameOf: NameOf): string {
  const { type, text } = objectOf(value);
  const words = textOf(text) ?? '';
  return type === 'mrkdwn' ? plainMrkdwn(words, nameOf) : unescapeEntities(words);
}

function options(element: Json, nameOf: NameOf, shape: (chosen: boolean) => string): string {
  const { initial_option: one, initial_options: several } = element;
  const chosen = [one, ...listOf(several)].map((each) => objectOf(each)['value']);
  return objectsOf(element['options'])
    .map((each) => `${shape(chosen.includes(each['value']))} ${plainWords(each['text'], nameOf)}`)
    .join('  ');
}

function menu(element: Json, nameOf: NameOf): string {
  const { initial_option: one, initial_options: several, initial_users: people } = element;
  const chosen = [one, ...listOf(several)].map((each) => plainWords(objectOf(each)['text'], nameOf));
  const named = listOf(people).map((id) => `@${nameOf(textOf(id) ?? '') ?? String(id)}`);
  const words =
    [...chosen, ...named].filter((each) => each !== '').join(', ') ||
    plainWords(element['placeholder'], nameOf);
  return `[${words || 'Choose'} ▾]`;
}

function input(element: Json, nameOf: NameOf): string {
  const fields = ['initial_value', 'initial_date', 'initial_time', 'initial_date_time'];
  const value = fields.map((field) => element[field]).find((each) => each !== undefined);
  if (typeof value === 'string' || typeof value === 'number') return `[${value || '          '}]`;
  const hint = plainWords(element['placeholder'], nameOf);
  return hint ? `[          ] (${hint})` : '[          ]';
}

function feedback(element: Json, nameOf: NameOf): string {
  const sides = [element['positive_button'], element['negative_button']];
  return sides.map((each) => `[${plainWords(objectOf(each)['text'], nameOf)}]`).join(' ');
}

function overflow(element: Json, nameOf: NameOf): string {
  const choices = objectsOf(element['options']).map((each) => plainWords(each['text'], nameOf));
  return `[… ${choices.join(' | ')}]`;
}

const KINDS: Readonly<Record<string, (element: Json, nameOf: NameOf) => string>> = {
  image: (element) => `(image: ${textOf(element['alt_text']) ?? ''})`,
  plain_text: plainWords,
  mrkdwn: plainWords,
  feedback_buttons: feedback,
  overflow,
  checkboxes: (element, nameOf) => options(element, nameOf, (chosen) => (chosen ? '[x]' : '[ ]')),
  radio_buttons: (element, nameOf) => options(element, nameOf, (chosen) => (chosen ? '(•)' : '( )')),
};

function kindOf(type: string): (element: Json, nameOf: NameOf) => string {
  const button = (element: Json, nameOf: NameOf) => `[${plainWords(element['text'], nameOf)}]`;
  if (type.endsWith('button')) return button;
  return KINDS[type] ?? (type.endsWith('select') ? menu : input);
}

/** One line, where it is no text; `[Bid]` for a button, `[… Mute | Copy link]` for an overflow menu. */
export function renderElement(element: Json, nameOf: NameOf): string {
  const type = textOf(element['type']) ?? '';
  const words = harmless(kindOf(type)(element, nameOf));
  return type === 'mrkdwn' ? words : words.replaceAll('\n', ' ');
}
