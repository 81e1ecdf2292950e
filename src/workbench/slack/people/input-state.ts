/** A person's input, as in `state.values` and in actions. */

import { listInteractiveElements } from '../blocks/assign-block-ids.ts';
import { listOfferedOptions } from '../blocks/composition.ts';
import { isJsonObject, objectOrEmpty, stringOrUndefined } from '../json-reading.ts';
import type { Block, JsonObject } from '../objects.ts';
import type { InputValues } from '../simulated-slack.ts';

type Given = InputValues[string];

/** The field for each element's value, and the field for its initial value. */
const KINDS: Readonly<Record<string, readonly [field: string, initial: string]>> = {
  plain_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  email_text_input: ['value', 'initial_value'],
  url_text_input: ['value', 'initial_value'],
  rich_text_input: ['rich_text_value', 'initial_value'],
  file_input: ['files', ''],
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  radio_buttons: ['selected_option', 'initial_option'],
  multi_static_select: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  checkboxes: ['selected_options', 'initial_options'],
  users_select: ['selected_user', 'initial_user'],
  multi_users_select: ['selected_users', 'initial_users'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations'],
  channels_select: ['selected_channel', 'initial_channel'],
  multi_channels_select: ['selected_channels', 'initial_channels'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  datetimepicker: ['selected_date_time', 'initial_date_time'],
};

/** An element's value by block ID and action ID. */
export type InputState = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** Values that a person can choose besides those in the blocks. */
export interface SuggestedOptionsAndFiles {
  /** Options that the app suggested, by `action_id`. */
  readonly offered: (actionId: string) => readonly JsonObject[];
  /** An uploaded file in Slack's format; undefined if it doesn't exist. */
  readonly file: (id: string) => JsonObject | undefined;
}

function describeFile(id: string, known: SuggestedOptionsAndFiles): JsonObject {
  const file = known.file(id);
  if (!file) throw new Error(`there's no file ${id}; upload it first`);
  return file;
}

function pickOption(element: JsonObject, given: string | number, offered: readonly JsonObject[]): JsonObject {
  const all = [...listOfferedOptions(element), ...offered];
  const wanted = String(given);
  const found =
    all.find((option) => option['value'] === wanted) ??
    all.find((option) => objectOrEmpty(option['text'])['text'] === wanted);
  if (found) return found;
  const choices = all.map((option) => String(option['value'])).join(', ');
  throw new Error(`"${wanted}" isn't an option of ${String(element['action_id'])}; options: ${choices}`);
}

/** The fields for the current value, such as `selected_option`. */
export function selectedValueFields(
  element: JsonObject,
  given: Given,
  known: SuggestedOptionsAndFiles,
): JsonObject {
  const type = stringOrUndefined(element['type']) ?? '';
  const field = type === 'overflow' ? 'selected_option' : KINDS[type]?.[0];
  if (field === undefined) throw new Error(`a ${type} can't be filled in`);
  const offered = known.offered(stringOrUndefined(element['action_id']) ?? '');
  const several = field.endsWith('s');
  if (given === null) return { [field]: several ? [] : null };
  if (field === 'selected_options')
    return { [field]: [given].flat().map((each) => pickOption(element, each, offered)) };
  if (field === 'files') return { files: [given].flat().map((id) => describeFile(String(id), known)) };
  if (several) return { [field]: [given].flat().map(String) };
  if (typeof given === 'object') throw new Error(`a ${type} takes one value, not a list`);
  if (field === 'selected_option') return { [field]: pickOption(element, given, offered) };
  if (field === 'selected_date_time') return { [field]: Number(given) };
  if (field === 'rich_text_value') return { [field]: richTextOf(String(given)) };
  return { [field]: String(given) };
}

function richTextOf(text: string): JsonObject {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [section] };
}

function initial(element: JsonObject): JsonObject | undefined {
  const kind = KINDS[stringOrUndefined(element['type']) ?? ''];
  if (!kind) return undefined;
  const [field, from] = kind;
  const empty = field.endsWith('s') ? [] : null;
  return { type: element['type'], [field]: element[from] ?? empty };
}

/**
 * All values: the blocks' initial values, remembered input, and new input. @throws Error for a name that
 * isn't a field
 */
export function buildInputState(
  blocks: readonly Block[],
  remembered: InputState,
  filled: InputValues,
  known: SuggestedOptionsAndFiles,
): InputState {
  const unused = new Set(Object.keys(filled));
  const state: Record<string, Record<string, JsonObject>> = {};
  for (const { block, element } of listInteractiveElements(blocks)) {
    const begin = initial(element);
    const actionId = stringOrUndefined(element['action_id']) ?? '';
    if (!begin) continue;
    const before = remembered[block.block_id]?.[actionId];
    const name = [`${block.block_id}.${actionId}`, actionId, block.block_id].find((each) => each in filled);
    const given = name === undefined ? undefined : filled[name];
    if (name !== undefined) unused.delete(name);
    const kept = isJsonObject(before) && before['type'] === begin['type'] ? before : begin;
    const value =
      given === undefined ? kept : { type: begin['type'], ...selectedValueFields(element, given, known) };
    state[block.block_id] = { ...state[block.block_id], [actionId]: value };
  }
  if (unused.size > 0) throw new Error(`there's no field called ${[...unused].join(', ')}`);
  return state;
}
