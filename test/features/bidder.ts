/** User actions for a bid: press a card's button, fill in the modal, submit. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { PressResult, SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { World } from './world.ts';

export const SETUP = 7;

/** Makes these people a channel's bidders, as ada does it. */
export async function grant(world: World, users: readonly string[], channel = 'web'): Promise<void> {
  await world.gig(channel, 'access');
  await world.pass(SECOND);
  const field = fieldOf(viewOf(world, 'ada'), 'bidders');
  await world.slack.submitView({
    user: 'ada',
    values: { [field]: users.map((user) => world.slack.user(user).id) },
  });
  await world.pass(2 * SECOND);
}

/** The input block with this id prefix. */
export function fieldOf(view: SlackView, name: string): string {
  const block = view.blocks.find((it) => it.block_id === name || it.block_id.startsWith(`${name}:`));
  return block?.block_id ?? expect.fail(`no field ${name} in ${wordsOfView(view)}`);
}

export async function press(
  world: World,
  words: string,
  on: { message: SlackMessage } | { view: SlackView },
  user = 'ben',
  confirm?: 'accept' | 'deny',
): Promise<PressResult> {
  const found =
    findPressable('message' in on ? on.message : on.view, words) ??
    expect.fail(
      `nothing says “${words}” on ${JSON.stringify('message' in on ? on.message.blocks : on.view.blocks)}`,
    );
  const at = {
    ...('message' in on ? { message: on.message } : { view: on.view }),
    user,
    actionId: found.actionId,
    blockId: found.blockId,
    ...(confirm ? { confirm } : {}),
  };
  return found.kind === 'button'
    ? world.slack.press({ ...at, value: found.value })
    : world.slack.chooseOption({ ...at, option: found.option });
}

export function viewOf(world: World, user: string): SlackView {
  return world.slack.view(user) ?? expect.fail(`${user} has no modal open`);
}

/** All text of a view. */
export function wordsOfView(view: SlackView): string {
  return JSON.stringify([view.title, view.blocks]);
}
