/** Finds buttons by action, independent of their labels. */

import {
  isJsonObject,
  objectOrEmpty,
  objectsInList,
  stringOrUndefined,
} from '../../src/workbench/slack/json-reading.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/objects.ts';

export interface FoundButton {
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  readonly label: string;
  /** The confirmation dialog. */
  readonly confirm: unknown;
}

/** Buttons with an action id on a message or a view, in order. */
export function buttonsOf(
  on: Pick<SlackMessage | SlackView, 'blocks'>,
  actionId: string,
): readonly FoundButton[] {
  return on.blocks.flatMap((block) => {
    const { accessory } = block;
    const elements = [...objectsInList(block['elements']), ...(isJsonObject(accessory) ? [accessory] : [])];
    return elements
      .filter((it) => it['action_id'] === actionId)
      .map((it) => ({
        actionId,
        blockId: block.block_id,
        value: stringOrUndefined(it['value']) ?? '',
        label: stringOrUndefined(objectOrEmpty(it['text'])['text']) ?? '',
        confirm: it['confirm'],
      }));
  });
}
