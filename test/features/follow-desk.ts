/** What people who follow projects do and see, in world tests. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { postOf, type World, wordsOf } from './world.ts';

/** The conversation of a person and the bot. */
export function directChannel({ slack }: Pick<World, 'slack'>, user: string): string {
  slack.directMessages(user);
  const { id } = slack.user(user);
  const found = slack.channels().find(({ kind, members }) => kind === 'im' && members.includes(id));
  return found?.id ?? expect.fail(`no conversation with ${user}`);
}

/** The messages about followed projects that a person got. */
export function followed({ slack }: Pick<World, 'slack'>, user: string): readonly SlackMessage[] {
  return slack.directMessages(user).filter((it) => postOf(it).startsWith('followed'));
}

/** Their words, in one text. */
export function followedWords(world: Pick<World, 'slack'>, user: string): string {
  return followed(world, user).map(wordsOf).join('\n');
}

export async function follow(world: World, user: string, text: string): Promise<string> {
  const answer = await world.gig(directChannel(world, user), `follow ${text}`.trim(), user);
  await world.pass(SECOND);
  return answer;
}

/** Presses on a message that only the person sees, or on one from the bot. */
export async function pressOn(
  world: World,
  user: string,
  message: SlackMessage,
  label: string,
): Promise<void> {
  const found = findPressable(message, label) ?? expect.fail(`no ${label} on: ${wordsOf(message)}`);
  if (found.kind !== 'button') return expect.fail(`${label} is no button`);
  const { actionId, blockId, value } = found;
  await world.slack.press({ message, user, actionId, blockId, value });
  await world.pass(SECOND);
}

/** Opens Notify Me from the list. */
export async function openNotifyMe(world: World, user: string): Promise<SlackView> {
  await follow(world, user, '');
  const list = world.slack.ephemerals(user, directChannel(world, user)).at(-1) ?? expect.fail('no list');
  await world.slack.press({ message: list, user, actionId: actionIds.followSettings });
  await world.pass(SECOND);
  return world.slack.view(user) ?? expect.fail('no form');
}

export type NotifyValues = Readonly<Record<string, string | readonly string[] | null>>;

/** @throws when a field is refused */
export async function saveNotifyMe(world: World, user: string, values: NotifyValues): Promise<void> {
  await openNotifyMe(world, user);
  const answer = await world.slack.submitView({ user, values });
  expect(answer.errors).toEqual({});
  await world.pass(2 * SECOND);
}
