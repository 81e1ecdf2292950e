/** Interactive elements as data, for the browser's native controls. Pure. */

import {
  isJsonObject,
  listOrEmpty,
  objectOrEmpty,
  objectsInList,
  stringOrUndefined,
} from '../../slack/json-reading.ts';
import type { JsonObject } from '../../slack/objects.ts';
import { MAX_FILE_BYTES } from '../file-size.ts';
import type { ShownConfirm, ShownElement, ShownOption } from '../protocol.ts';
import { safeLinkUrl } from './mrkdwn.ts';
import { type HtmlRenderContext, textObjectHtml, textObjectToPlainText } from './text-objects.ts';

/** The people and channels for elements that choose among them. */
export interface PickableEntities {
  readonly people: readonly ShownOption[];
  readonly channels: readonly ShownOption[];
}

const TYPES: Readonly<Record<string, ShownElement['type']>> = {
  button: 'button',
  workflow_button: 'button',
  icon_button: 'button',
  overflow: 'overflow',
  static_select: 'select',
  users_select: 'select',
  channels_select: 'select',
  conversations_select: 'select',
  external_select: 'external-select',
  multi_external_select: 'multi-external-select',
  multi_static_select: 'multi-select',
  multi_users_select: 'multi-select',
  multi_channels_select: 'multi-select',
  multi_conversations_select: 'multi-select',
  radio_buttons: 'radio',
  checkboxes: 'checkboxes',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'date-time',
  plain_text_input: 'text',
  email_text_input: 'text',
  url_text_input: 'text',
  number_input: 'number',
  file_input: 'file',
  image: 'image',
};

function showOption(option: JsonObject, paper: HtmlRenderContext): ShownOption {
  const url = safeLinkUrl(stringOrUndefined(option['url']) ?? '');
  return {
    text: textObjectToPlainText(option['text'], paper),
    value: stringOrUndefined(option['value']) ?? '',
    ...(option['description'] === undefined
      ? {}
      : { description: textObjectToPlainText(option['description'], paper) }),
    ...(url === undefined ? {} : { url }),
  };
}

function showConfirm(element: JsonObject, paper: HtmlRenderContext): Pick<ShownElement, 'confirm'> {
  const confirm = element['confirm'];
  if (!isJsonObject(confirm)) return {};
  return {
    confirm: {
      title: textObjectToPlainText(confirm['title'], paper),
      html: textObjectHtml(confirm['text'], paper),
      confirm: textObjectToPlainText(confirm['confirm'], paper),
      deny: textObjectToPlainText(confirm['deny'], paper),
      danger: confirm['style'] === 'danger',
    } satisfies ShownConfirm,
  };
}

/** The options: the app's own, people or channels. */
function showOptions(
  element: JsonObject,
  paper: HtmlRenderContext,
  choices: PickableEntities,
): Partial<ShownElement> {
  const type = stringOrUndefined(element['type']) ?? '';
  if (type.endsWith('users_select')) return { options: choices.people };
  if (/(?:channels|conversations)_select$/u.test(type)) return { options: choices.channels };
  const show = (list: unknown) => objectsInList(list).map((each) => showOption(each, paper));
  const groups = objectsInList(element['option_groups']).map((group) => ({
    label: textObjectToPlainText(group['label'], paper),
    options: show(group['options']),
  }));
  const initial = [element['initial_option'], ...listOrEmpty(element['initial_options'])].filter(
    isJsonObject,
  );
  // Before the app is asked, an external select offers only its initial options.
  if (type.endsWith('external_select')) return { options: show(initial) };
  return {
    ...(element['options'] === undefined ? {} : { options: show(element['options']) }),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

const INITIALS = ['value', 'date', 'time', 'date_time', 'user', 'channel', 'conversation'];
const INITIAL_LISTS = ['users', 'channels', 'conversations'];

function currentOf(element: JsonObject): Pick<ShownElement, 'current'> {
  const several = element['initial_options'];
  if (several !== undefined)
    return { current: objectsInList(several).map((each) => stringOrUndefined(each['value']) ?? '') };
  const list = INITIAL_LISTS.map((name) => element[`initial_${name}`]).find(Array.isArray);
  if (list) return { current: list.map(String) };
  const one = objectOrEmpty(element['initial_option'])['value'];
  const given = [one, ...INITIALS.map((name) => element[`initial_${name}`])].find(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  return given === undefined ? {} : { current: String(given) };
}

function numbersOf(element: JsonObject): Partial<ShownElement> {
  const number = (name: string) => (typeof element[name] === 'number' ? element[name] : undefined);
  const text = (name: string) => stringOrUndefined(element[name]);
  const found = {
    minLength: number('min_length'),
    maxLength: number('max_length'),
    maxSelected: number('max_selected_items'),
    min: text('min_value'),
    max: text('max_value'),
    maxFiles: number('max_files'),
    fileTypes: Array.isArray(element['filetypes']) ? element['filetypes'].map(String) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Slack's default when the app sets none. */
const MIN_QUERY = 3;

function textsOf(element: JsonObject, paper: HtmlRenderContext): Partial<ShownElement> {
  const url = safeLinkUrl(stringOrUndefined(element['url']) ?? '');
  const { style, value, accessibility_label: spoken, placeholder } = element;
  return {
    ...(typeof spoken === 'string' ? { accessibilityLabel: spoken } : {}),
    ...(style === 'primary' || style === 'danger' ? { style } : {}),
    ...(typeof value === 'string' ? { value } : {}),
    ...(url === undefined ? {} : { url }),
    ...(placeholder === undefined ? {} : { placeholder: textObjectToPlainText(placeholder, paper) }),
  };
}

/** An element of a block, with all data that its control needs. */
export function buildShownElement(
  element: JsonObject,
  blockId: string,
  paper: HtmlRenderContext,
  choices: PickableEntities,
): ShownElement {
  const type = stringOrUndefined(element['type']) ?? '';
  const file = stringOrUndefined(objectOrEmpty(element['slack_file'])['id']);
  return {
    type: Object.hasOwn(TYPES, type) ? (TYPES[type] ?? 'unknown') : 'unknown',
    actionId: stringOrUndefined(element['action_id']) ?? '',
    blockId,
    label:
      type === 'image'
        ? (stringOrUndefined(element['alt_text']) ?? '')
        : textObjectToPlainText(element['text'], paper),
    ...textsOf(element, paper),
    ...(file === undefined ? {} : { url: `/files/${encodeURIComponent(file)}` }),
    ...showOptions(element, paper, choices),
    ...currentOf(element),
    ...numbersOf(element),
    ...(type.endsWith('external_select')
      ? {
          minQuery: typeof element['min_query_length'] === 'number' ? element['min_query_length'] : MIN_QUERY,
        }
      : {}),
    ...(type === 'file_input' ? { maxBytes: MAX_FILE_BYTES } : {}),
    ...(element['multiline'] === true ? { multiline: true } : {}),
    ...(element['focus_on_load'] === true ? { focus: true } : {}),
    ...showConfirm(element, paper),
  };
}
