/** Buttons, menus and inputs, each as a few characters. */

import { listOrEmpty, objectOrEmpty, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import { mrkdwnToPlainText, type NameResolver, unescapeEntities } from './mrkdwn.ts';
import { replaceControlCharacters } from './wrap.ts';

/** The text of a `plain_text` or `mrkdwn` object. */
export function renderTextObject(value: unknown, nameOf: NameResolver): string {
  const { type, text } = objectOrEmpty(value);
  const words = stringOrUndefined(text) ?? '';
  return type === 'mrkdwn' ? mrkdwnToPlainText(words, nameOf) : unescapeEntities(words);
}

function options(element: JsonObject, nameOf: NameResolver, shape: (chosen: boolean) => string): string {
  const { initial_option: one, initial_options: several } = element;
  const chosen = [one, ...listOrEmpty(several)].map((each) => objectOrEmpty(each)['value']);
  return objectsInList(element['options'])
    .map((each) => `${shape(chosen.includes(each['value']))} ${renderTextObject(each['text'], nameOf)}`)
    .join('  ');
}

function menu(element: JsonObject, nameOf: NameResolver): string {
  const { initial_option: one, initial_options: several, initial_users: people } = element;
  const chosen = [one, ...listOrEmpty(several)].map((each) =>
    renderTextObject(objectOrEmpty(each)['text'], nameOf),
  );
  const named = listOrEmpty(people).map((id) => `@${nameOf(stringOrUndefined(id) ?? '') ?? String(id)}`);
  const words =
    [...chosen, ...named].filter((each) => each !== '').join(', ') ||
    renderTextObject(element['placeholder'], nameOf);
  return `[${words || 'Choose'} ▾]`;
}

function input(element: JsonObject, nameOf: NameResolver): string {
  const fields = ['initial_value', 'initial_date', 'initial_time', 'initial_date_time'];
  const value = fields.map((field) => element[field]).find((each) => each !== undefined);
  if (typeof value === 'string' || typeof value === 'number') return `[${value || '          '}]`;
  const hint = renderTextObject(element['placeholder'], nameOf);
  return hint ? `[          ] (${hint})` : '[          ]';
}

function feedback(element: JsonObject, nameOf: NameResolver): string {
  const sides = [element['positive_button'], element['negative_button']];
  return sides.map((each) => `[${renderTextObject(objectOrEmpty(each)['text'], nameOf)}]`).join(' ');
}

function overflow(element: JsonObject, nameOf: NameResolver): string {
  const choices = objectsInList(element['options']).map((each) => renderTextObject(each['text'], nameOf));
  return `[… ${choices.join(' | ')}]`;
}

const KINDS: Readonly<Record<string, (element: JsonObject, nameOf: NameResolver) => string>> = {
  image: (element) => `(image: ${stringOrUndefined(element['alt_text']) ?? ''})`,
  plain_text: renderTextObject,
  mrkdwn: renderTextObject,
  feedback_buttons: feedback,
  overflow,
  checkboxes: (element, nameOf) => options(element, nameOf, (chosen) => (chosen ? '[x]' : '[ ]')),
  radio_buttons: (element, nameOf) => options(element, nameOf, (chosen) => (chosen ? '(•)' : '( )')),
};

function kindOf(type: string): (element: JsonObject, nameOf: NameResolver) => string {
  const button = (element: JsonObject, nameOf: NameResolver) =>
    `[${renderTextObject(element['text'], nameOf)}]`;
  if (type.endsWith('button')) return button;
  return KINDS[type] ?? (type.endsWith('select') ? menu : input);
}

/** One line unless it is text; `[Bid]` for a button, `[… Mute | Copy link]` for an overflow menu. */
export function renderElementText(element: JsonObject, nameOf: NameResolver): string {
  const type = stringOrUndefined(element['type']) ?? '';
  const words = replaceControlCharacters(kindOf(type)(element, nameOf));
  return type === 'mrkdwn' ? words : words.replaceAll('\n', ' ');
}
