/** The inputs of an open modal by their labels, and a person's input for them. Pure. */

import { objectOrEmpty, objectsInList, stringOrUndefined } from './slack/json-reading.ts';
import type { JsonObject, SlackView } from './slack/objects.ts';
import type { InputValues } from './slack/simulated-slack.ts';

export interface ModalField {
  readonly blockId: string;
  readonly actionId: string;
  readonly label: string;
  readonly element: JsonObject;
  /** A change goes to the app at once, not only with the submission. */
  readonly tells: boolean;
}

export function listModalFields(view: SlackView): readonly ModalField[] {
  return view.blocks
    .filter((block) => block.type === 'input')
    .map((block) => {
      const element = objectOrEmpty(block['element']);
      return {
        blockId: block.block_id,
        actionId: stringOrUndefined(element['action_id']) ?? '',
        label: stringOrUndefined(objectOrEmpty(block['label'])['text']) ?? '',
        element,
        tells: block['dispatch_action'] === true,
      };
    });
}

function plain(words: string): string {
  return words.trim().toLowerCase();
}

/** The input with that block ID or label, else the first whose label begins with the words. */
export function findModalField(view: SlackView, words: string): ModalField | undefined {
  const wanted = plain(words);
  const fields = listModalFields(view);
  return (
    fields.find((field) => field.blockId === words.trim() || plain(field.label) === wanted) ??
    fields.find((field) => wanted !== '' && plain(field.label).startsWith(wanted))
  );
}

/** `Fast lane`, or `Fast lane – daily limit used up` if the option has a description. */
function optionWords(option: JsonObject): string {
  const words = stringOrUndefined(objectOrEmpty(option['text'])['text']) ?? '';
  const more = stringOrUndefined(objectOrEmpty(option['description'])['text']);
  return more === undefined ? words : `${words} – ${more}`;
}

export function listFieldChoices({ element }: ModalField): readonly string[] {
  return objectsInList(element['options']).map(optionWords);
}

function optionValue(element: JsonObject, words: string): string | undefined {
  const options = objectsInList(element['options']);
  const textIn = (option: JsonObject) =>
    plain(stringOrUndefined(objectOrEmpty(option['text'])['text']) ?? '');
  const found =
    options.find((option) => option['value'] === words.trim() || textIn(option) === plain(words)) ??
    options.find((option) => textIn(option).startsWith(plain(words)));
  return found && stringOrUndefined(found['value']);
}

export type ParsedFieldInput =
  | { readonly kind: 'value'; readonly value: InputValues[string] }
  | { readonly kind: 'mistake'; readonly words: string };

function mistake(words: string): ParsedFieldInput {
  return { kind: 'mistake', words };
}

function readOptions(field: ModalField, words: string): ParsedFieldInput {
  const several = (stringOrUndefined(field.element['type']) ?? '').startsWith('multi_');
  const names = several ? words.split(',').filter((each) => each.trim() !== '') : [words];
  const values = names.map((name) => optionValue(field.element, name));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length)
    return mistake(`Options of “${field.label}”: ${listFieldChoices(field).join(' | ') || 'none'}`);
  return { kind: 'value', value: several ? known : (known[0] ?? null) };
}

function readPeople(words: string, idOf: (name: string) => string | undefined): ParsedFieldInput {
  const names = words.split(/[\s,]+/u).filter((name) => name !== '');
  const ids = names.map((name) => idOf(name.replace(/^@/u, '')));
  const known = ids.filter((id) => id !== undefined);
  return known.length < ids.length
    ? mistake(`Some of these people aren't here: ${words}`)
    : { kind: 'value', value: known };
}

const MOMENT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}$/u;

/**
 * Parses a field's typed text into the value for the simulated Slack. `
 * ` starts a new line. People are given by name, several with commas between. A date and time is `2026-12-01
 * 09:30`, in UTC. Empty text clears the field.
 */
export function parseFieldInput(
  field: ModalField,
  words: string,
  idOf: (name: string) => string | undefined,
): ParsedFieldInput {
  const type = stringOrUndefined(field.element['type']) ?? '';
  if (type.endsWith('users_select')) return readPeople(words, idOf);
  if (words.trim() === '') return { kind: 'value', value: null };
  if (field.element['options'] !== undefined) return readOptions(field, words);
  if (type !== 'datetimepicker') return { kind: 'value', value: words.replaceAll('\\n', '\n') };
  if (!MOMENT.test(words.trim())) return mistake('Enter the time in UTC, like 2026-12-01 09:30.');
  return { kind: 'value', value: Date.parse(`${words.trim().replace(' ', 'T')}Z`) / 1_000 };
}
