/** Buttons by what they do, whatever they say. */
import type { Message, View } from '../../src/workbench/slack/objects.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../src/workbench/slack/reading.ts';

export interface FoundButton {
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  readonly label: string;
  /** What is asked before it is pressed. */
  readonly confirm: unknown;
}

/** Those with an action's id on a message or a view, in order. */
export function buttonsOf(on: Pick<Message | View, 'blocks'>, actionId: string): readonly FoundButton[] {
  return on.blocks.flatMap((block) => {
    const { accessory } = block;
    const elements = [...objectsOf(block['elements']), ...(isObject(accessory) ? [accessory] : [])];
    return elements
      .filter((it) => it['action_id'] === actionId)
      .map((it) => ({
        actionId,
        blockId: block.block_id,
        value: textOf(it['value']) ?? '',
        label: textOf(objectOf(it['text'])['text']) ?? '',
        confirm: it['confirm'],
      }));
  });
}
