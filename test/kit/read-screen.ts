/**
 * Reads messages and views as a person does: their text with names for IDs, their buttons and their fields.
 */
import { listInteractiveElements } from '../../src/workbench/slack/blocks/assign-block-ids.ts';
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import { isJsonObject, objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import type { Block, JsonObject, SlackView } from '../../src/workbench/slack/objects.ts';
import type { SimulatedSlack, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { mrkdwnToPlainText } from '../../src/workbench/slack/text/mrkdwn.ts';

/** A message or a view; their blocks are what people see. */
export type Shown = { readonly message: SlackMessage } | { readonly view: SlackView };

export function blocksOf(shown: Shown): readonly Block[] {
  return 'message' in shown ? shown.message.blocks : shown.view.blocks;
}

/** The fields of a block or an element whose strings people read. */
const WORDS = ['text', 'title', 'alt_text', 'initial_value'];

function lines(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(lines);
  if (!isJsonObject(part)) return [];
  if (Array.isArray(part['rows']))
    return part['rows'].map((row) => [row].flat().map(inline).filter(Boolean).join(' · '));
  if (String(part['type']).startsWith('rich_text_') && part['type'] !== 'rich_text_list')
    return [inline(part)];
  const own = WORDS.map((field) => part[field]).filter((it) => typeof it === 'string');
  const people = [part['initial_user'], part['initial_users']].flat().filter((it) => typeof it === 'string');
  return [
    ...own,
    ...people.map((id) => `<@${id}>`),
    ...Object.values(part).flatMap((it) => (typeof it === 'object' ? lines(it) : [])),
  ];
}

/** Rich text and cells of tables: pieces of one line. */
function inline(part: unknown): string {
  if (Array.isArray(part)) return part.map(inline).join('');
  if (!isJsonObject(part)) return '';
  const { user_id: user, channel_id: channel, timestamp, fallback, text, elements } = part;
  if (typeof user === 'string') return `<@${user}>`;
  if (typeof channel === 'string') return `<#${channel}>`;
  if (typeof timestamp === 'number') return String(fallback);
  return typeof text === 'string' ? text : inline(elements ?? text);
}

/** All that people read, each line once: a message's text and its blocks mostly repeat each other. */
export function readText(slack: SimulatedSlack, shown: Shown): string {
  const head = 'message' in shown ? shown.message.text : shown.view.title;
  const buttons = 'view' in shown ? [shown.view.submit ?? '', shown.view.close ?? ''] : [];
  const nameOf = (id: string) =>
    slack.users().find((it) => it.id === id)?.name ?? slack.channels().find((it) => it.id === id)?.name;
  const plain = mrkdwnToPlainText([head, ...lines(blocksOf(shown)), ...buttons].join('\n'), nameOf);
  return [...new Set(plain.split('\n'))].join('\n').trim();
}

interface Pressable {
  readonly actionId: string;
  readonly blockId: string;
  /** Absent for a choice of a menu. */
  readonly value?: string;
  readonly option?: string;
}

function lettersOf(words: string): string {
  const letters = words.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, '');
  return letters.trim();
}

function labelOf(element: JsonObject): string {
  return lettersOf(stringOrUndefined(objectOrEmpty(element['text'])['text']) ?? '');
}

/** The button, or choice of a menu, with this label; else the first whose label begins with these words. */
export function findPressable(shown: Shown, label: string): Pressable | undefined {
  const wanted = lettersOf(label);
  const all = listInteractiveElements(blocksOf(shown)).flatMap(({ block, element }) => {
    const at = { actionId: String(element['action_id']), blockId: block.block_id };
    const button = { ...at, words: labelOf(element), value: stringOrUndefined(element['value']) ?? '' };
    const options = listOfferedOptions(element).map((it) => ({
      ...at,
      words: labelOf(it),
      option: String(it['value']),
    }));
    return [button, ...options];
  });
  const found = all.find((it) => it.words === wanted) ?? all.find((it) => it.words.startsWith(wanted));
  if (!found) return undefined;
  const { words: _shown, ...pressable } = found;
  return pressable;
}

export interface Field {
  readonly blockId: string;
  readonly element: JsonObject;
  readonly label: string;
}

export function fieldsOf(view: SlackView): readonly Field[] {
  const inputs = view.blocks.filter((block) => block.type === 'input');
  return inputs.map((block) => ({
    blockId: block.block_id,
    element: objectOrEmpty(block['element']),
    label: stringOrUndefined(objectOrEmpty(block['label'])['text']) ?? '',
  }));
}

/** The field with this label, else the first whose label begins with it. @throws Error when there is none */
export function findField(view: SlackView, label: string): Field {
  const fields = fieldsOf(view);
  const found =
    fields.find((it) => it.label === label) ??
    fields.find((it) => lettersOf(it.label).startsWith(lettersOf(label)));
  if (found) return found;
  throw new Error(`no field “${label}” among ${fields.map((it) => it.label).join(' | ')}`);
}

/** The option that a person means, by its whole text or its beginning. @throws Error when there is none */
export function findOption({ label, element }: Field, words: string): string {
  const options = listOfferedOptions(element);
  const textOf = (option: JsonObject) => String(objectOrEmpty(option['text'])['text']);
  const found =
    options.find((it) => textOf(it) === words) ??
    options.find((it) => labelOf(it).startsWith(lettersOf(words)));
  if (found) return String(found['value']);
  throw new Error(`no option “${words}” in “${label}”: ${options.map(textOf).join(' | ')}`);
}

/** What the app filled in: text, or the texts of chosen options. */
export function initialValue({ element }: Field): string {
  const { initial_value: text, initial_option: option, initial_options: options } = element;
  if (typeof text === 'string') return text;
  const chosen = [option, ...(Array.isArray(options) ? options : [])].filter(isJsonObject);
  return chosen.map((it) => String(objectOrEmpty(it['text'])['text'])).join(', ');
}
