/** Reads messages and views as a person does: text with names for IDs, buttons and fields. */
import { listInteractiveElements } from '../../src/workbench/slack/blocks/assign-block-ids.ts';
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import { objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import type { Block, JsonObject, SlackView } from '../../src/workbench/slack/objects.ts';
import type { SimulatedSlack, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { mrkdwnToPlainText } from '../../src/workbench/slack/text/mrkdwn.ts';
import { renderMessageText, renderViewText } from '../../src/workbench/slack/text.ts';

/** A message or a view; their blocks are what people see. */
export type Shown = { readonly message: SlackMessage } | { readonly view: SlackView };

/** Something that a person sees: a message, a form, Home. It shows its current state, until it is gone. */
export interface Screen {
  /** All text, with `@ada` and `#web` for IDs; with the errors of a form's fields. */
  readonly text: string;
  /** Whether a button, or a choice of a menu, begins with these words. */
  offers(label: string): boolean;
  readonly shown: Shown | undefined;
}

export interface Message extends Screen {
  readonly ts: string;
  /** Replies, oldest first. */
  readonly replies: () => readonly Message[];
}

export function screenOf(
  slack: SimulatedSlack,
  current: () => Shown | undefined,
  errors: readonly string[] = [],
): Screen {
  return {
    get shown() {
      return current();
    },
    get text() {
      const shown = current();
      return [...(shown ? [readText(slack, shown)] : []), ...errors].join('\n');
    },
    offers: (label) => {
      const shown = current();
      return shown !== undefined && findPressable(shown, label) !== undefined;
    },
  };
}

/** A message that follows its edits; after it is deleted, as it was last. */
export function messageAt(slack: SimulatedSlack, first: SlackMessage): Message {
  const { channel, ts } = first;
  const isThis = (it: SlackMessage) => it.ts === ts && it.channel === channel;
  const current = () => slack.message(channel, ts) ?? slack.ephemerals().find(isThis) ?? first;
  const replies = () => slack.thread(channel, ts).slice(1);
  return Object.assign(
    screenOf(slack, () => ({ message: current() })),
    { ts, replies: () => replies().map((it) => messageAt(slack, it)) },
  );
}

/** A message that no Slack has, as people read it. */
export function readDrawn({
  text,
  blocks = [],
}: {
  readonly text: string;
  readonly blocks?: readonly object[];
}) {
  const bare = { attachments: [], unfurls: {}, reactions: [], fileIds: [] };
  const message = { ...bare, text, blocks } as Partial<SlackMessage> as SlackMessage;
  const plain = mrkdwnToPlainText(text, () => undefined);
  return joinLines(`${plain}\n${renderMessageText(message, { width: 5_000 })}`);
}

/** The newest reply with this button. @throws Error when there is none */
export function offering(message: Message, label: string): Message {
  const found = message.replies().findLast((it) => it.offers(label));
  if (found) return found;
  const texts = message.replies().map((it) => it.text);
  throw new Error(`no “${label}” in: ${texts.join('\n')}`);
}

function blocksOf(shown: Shown): readonly Block[] {
  return 'message' in shown ? shown.message.blocks : shown.view.blocks;
}

/** All that people read, each line once: a message's text and its blocks mostly repeat each other. */
function readText(slack: SimulatedSlack, shown: Shown): string {
  const nameOf = (id: string) => [...slack.users(), ...slack.channels()].find((it) => it.id === id)?.name;
  const unwrapped = { width: 5_000, nameOf };
  const all =
    'view' in shown
      ? renderViewText(shown.view, unwrapped)
      : `${mrkdwnToPlainText(shown.message.text, nameOf)}\n${renderMessageText(shown.message, unwrapped)}`;
  return joinLines(all);
}

/** Each line once, without rules, and without the room between two columns. */
function joinLines(text: string): string {
  const lines = text.split('\n').map((it) => it.replace(/─+$/u, '').replace(/ {99,}/gu, ' · '));
  return [...new Set(lines)].join('\n').trim();
}

interface Pressable {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  /** Absent for a choice of a menu. */
  readonly value?: string;
  readonly option?: string;
}

/** The button, or choice of a menu, that these words mean. */
export function findPressable(shown: Shown, words: string): Pressable | undefined {
  const all = listInteractiveElements(blocksOf(shown)).flatMap(({ block, element }): Pressable[] => {
    const at = { actionId: String(element['action_id']), blockId: block.block_id };
    const button = { ...at, label: textOf(element), value: stringOrUndefined(element['value']) ?? '' };
    const options = listOfferedOptions(element);
    return [button, ...options.map((it) => ({ ...at, label: textOf(it), option: String(it['value']) }))];
  });
  return find(all, words);
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

/** @throws Error when there is none */
export function findField(view: SlackView, words: string): Field {
  return findOrThrow(fieldsOf(view), words);
}

/** The value of the option that a person means. @throws Error when there is none */
export function findOption({ element }: Field, words: string): string {
  const options = listOfferedOptions(element).map((it) => ({
    label: textOf(it),
    value: String(it['value']),
  }));
  return findOrThrow(options, words).value;
}

function textOf(element: JsonObject): string {
  return stringOrUndefined(objectOrEmpty(element['text'])['text']) ?? '';
}

/** The one with this label, else the first whose label begins with it; signs and case don't count. */
function find<T extends { readonly label: string }>(all: readonly T[], words: string): T | undefined {
  const lettersOf = (it: string) =>
    it
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]/gu, '')
      .trim();
  const wanted = lettersOf(words);
  return (
    all.find((it) => it.label === words) ??
    all.find((it) => lettersOf(it.label) === wanted) ??
    all.find((it) => lettersOf(it.label).startsWith(wanted))
  );
}

function findOrThrow<T extends { readonly label: string }>(all: readonly T[], words: string): T {
  const found = find(all, words);
  if (found) return found;
  throw new Error(`no “${words}” among ${all.map((it) => it.label).join(' | ')}`);
}
