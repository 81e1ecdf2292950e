/** Finds what a person means by the words on a button or an overflow's option. Pure. */
import type { Block, Json, Message, View } from './slack/objects.ts';

export type Pressable =
  | { readonly kind: 'button'; readonly actionId: string; readonly blockId: string; readonly value: string }
  | { readonly kind: 'option'; readonly actionId: string; readonly blockId: string; readonly option: string };

function wordsIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function textOf(value: unknown): string {
  return isJson(value) ? wordsIn(value['text']) : '';
}

function elementsOf(block: Block): readonly Json[] {
  const accessory = block['accessory'];
  return [...listOf(block['elements']), ...(isJson(accessory) ? [accessory] : [])];
}

function fits(label: string, words: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]/gu, '')
      .trim();
  return plain(label) !== '' && plain(label).startsWith(plain(words));
}

function match(block: Block, element: Json, words: string): Pressable | undefined {
  const actionId = wordsIn(element['action_id']);
  if (fits(textOf(element['text']), words)) {
    return { kind: 'button', actionId, blockId: block.block_id, value: wordsIn(element['value']) };
  }
  const option = listOf(element['options']).find((it) => fits(textOf(it['text']), words));
  return option && { kind: 'option', actionId, blockId: block.block_id, option: wordsIn(option['value']) };
}

/** The first button or option whose words begin with `words`, in a message or a view. */
export function findPressable(on: Pick<Message | View, 'blocks'>, words: string): Pressable | undefined {
  for (const block of on.blocks) {
    for (const element of elementsOf(block)) {
      const found = match(block, element, words);
      if (found) return found;
    }
  }
  return undefined;
}
