/** Finds buttons by action, independent of their labels, and presses them by label. */
import { expect } from 'vitest';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import {
  isJsonObject,
  objectOrEmpty,
  objectsInList,
  stringOrUndefined,
} from '../../src/workbench/slack/json-reading.ts';
import type { InputValues, SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { World } from './world.ts';

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

/**
 * Presses the button whose label begins so, on a message or a view that may be old, with the input so far.
 * @throws when there is none
 */
export async function pressButton(
  world: World,
  on: { readonly message: SlackMessage } | { readonly view: SlackView },
  label: string,
  user = 'ada',
  values: InputValues = {},
): Promise<void> {
  const found = findPressable('message' in on ? on.message : on.view, label) ?? expect.fail(`no ${label}`);
  if (found.kind !== 'button') return expect.fail(`${label} is no button`);
  const { actionId, blockId, value } = found;
  await world.slack.press({ ...on, user, actionId, blockId, value, values });
}
