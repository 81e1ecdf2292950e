/** Finds a button or an overflow option by its words. Pure. */

import { isJsonObject, objectOrEmpty, objectsInList, stringOrUndefined } from './slack/json-reading.ts';
import type { Block, JsonObject, SlackMessage, SlackView } from './slack/objects.ts';

export type Pressable =
  | { readonly kind: 'button'; readonly actionId: string; readonly blockId: string; readonly value: string }
  | { readonly kind: 'option'; readonly actionId: string; readonly blockId: string; readonly option: string };

function wordsIn(value: unknown): string {
  return stringOrUndefined(value) ?? '';
}

function labelOf(element: JsonObject): string {
  return wordsIn(objectOrEmpty(element['text'])['text']);
}

function elementsOf(block: Block): readonly JsonObject[] {
  const accessory = block['accessory'];
  return [...objectsInList(block['elements']), ...(isJsonObject(accessory) ? [accessory] : [])];
}

function fits(label: string, words: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]/gu, '')
      .trim();
  return plain(label) !== '' && plain(label).startsWith(plain(words));
}

function match(block: Block, element: JsonObject, words: string): Pressable | undefined {
  const actionId = wordsIn(element['action_id']);
  if (fits(labelOf(element), words)) {
    return { kind: 'button', actionId, blockId: block.block_id, value: wordsIn(element['value']) };
  }
  const option = objectsInList(element['options']).find((it) => fits(labelOf(it), words));
  return option && { kind: 'option', actionId, blockId: block.block_id, option: wordsIn(option['value']) };
}

/** The first button or option in a message or a view whose text begins with `words`. */
export function findPressable(
  on: Pick<SlackMessage | SlackView, 'blocks'>,
  words: string,
): Pressable | undefined {
  for (const block of on.blocks) {
    for (const element of elementsOf(block)) {
      const found = match(block, element, words);
      if (found) return found;
    }
  }
  return undefined;
}
