/** Interactive elements as data, for native controls of the browser. Pure. */
import type { Json } from '../../slack/objects.ts';
import { isObject, listOf, objectOf, objectsOf, textOf } from '../../slack/reading.ts';
import { MOST_FILE_BYTES } from '../file-size.ts';
import type { ShownConfirm, ShownElement, ShownOption } from '../protocol.ts';
import { safeUrl } from './mrkdwn.ts';
import { drawText, type Paper, wordsOf } from './texts.ts';

/** Who and what can be chosen where an app asks for people or channels. */
export interface Choices {
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

function showOption(option: Json, paper: Paper): ShownOption {
  const url = safeUrl(textOf(option['url']) ?? '');
  return {
    text: wordsOf(option['text'], paper),
    value: textOf(option['value']) ?? '',
    ...(option['description'] === undefined ? {} : { description: wordsOf(option['description'], paper) }),
    ...(url === undefined ? {} : { url }),
  };
}

function showConfirm(element: Json, paper: Paper): Pick<ShownElement, 'confirm'> {
  const confirm = element['confirm'];
  if (!isObject(confirm)) return {};
  return {
    confirm: {
      title: wordsOf(confirm['title'], paper),
      html: drawText(confirm['text'], paper),
      confirm: wordsOf(confirm['confirm'], paper),
      deny: wordsOf(confirm['deny'], paper),
      danger: confirm['style'] === 'danger',
    } satisfies ShownConfirm,
  };
}

/** What can be chosen from: the app's own options, people or channels. */
function showOptions(element: Json, paper: Paper, choices: Choices): Partial<ShownElement> {
  const type = textOf(element['type']) ?? '';
  if (type.endsWith('users_select')) return { options: choices.people };
  if (/(?:channels|conversations)_select$/u.test(type)) return { options: choices.channels };
  const show = (list: unknown) => objectsOf(list).map((each) => showOption(each, paper));
  const groups = objectsOf(element['option_groups']).map((group) => ({
    label: wordsOf(group['label'], paper),
    options: show(group['options']),
  }));
  const initial = [element['initial_option'], ...listOf(element['initial_options'])].filter(isObject);
  // What an external select begins with is all that it can offer before it is asked.
  if (type.endsWith('external_select')) return { options: show(initial) };
  return {
    ...(element['options'] === undefined ? {} : { options: show(element['options']) }),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

const INITIALS = ['value', 'date', 'time', 'date_time', 'user', 'channel', 'conversation'];
const INITIAL_LISTS = ['users', 'channels', 'conversations'];

function currentOf(element: Json): Pick<ShownElement, 'current'> {
  const several = element['initial_options'];
  if (several !== undefined)
    return { current: objectsOf(several).map((each) => textOf(each['value']) ?? '') };
  const list = INITIAL_LISTS.map((name) => element[`initial_${name}`]).find(Array.isArray);
  if (list) return { current: list.map(String) };
  const one = objectOf(element['initial_option'])['value'];
  const given = [one, ...INITIALS.map((name) => element[`initial_${name}`])].find(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  return given === undefined ? {} : { current: String(given) };
}

function numbersOf(element: Json): Partial<ShownElement> {
  const number = (name: string) => (typeof element[name] === 'number' ? element[name] : undefined);
  const text = (name: string) => textOf(element[name]);
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

/** Of Slack, where an app does not say. */
const MIN_QUERY = 3;

function textsOf(element: Json, paper: Paper): Partial<ShownElement> {
  const url = safeUrl(textOf(element['url']) ?? '');
  const { style, value, accessibility_label: spoken, placeholder } = element;
  return {
    ...(typeof spoken === 'string' ? { accessibilityLabel: spoken } : {}),
    ...(style === 'primary' || style === 'danger' ? { style } : {}),
    ...(typeof value === 'string' ? { value } : {}),
    ...(url === undefined ? {} : { url }),
    ...(placeholder === undefined ? {} : { placeholder: wordsOf(placeholder, paper) }),
  };
}

/** An element of a block, with everything that a control needs to stand for it. */
export function showElement(element: Json, blockId: string, paper: Paper, choices: Choices): ShownElement {
  const type = textOf(element['type']) ?? '';
  const file = textOf(objectOf(element['slack_file'])['id']);
  return {
    type: Object.hasOwn(TYPES, type) ? (TYPES[type] ?? 'unknown') : 'unknown',
    actionId: textOf(element['action_id']) ?? '',
    blockId,
    label: type === 'image' ? (textOf(element['alt_text']) ?? '') : wordsOf(element['text'], paper),
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
    ...(type === 'file_input' ? { maxBytes: MOST_FILE_BYTES } : {}),
    ...(element['multiline'] === true ? { multiline: true } : {}),
    ...(element['focus_on_load'] === true ? { focus: true } : {}),
    ...showConfirm(element, paper),
  };
}
