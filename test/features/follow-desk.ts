/** What people who follow projects do and see, in world tests. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
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

/** Asks what the person follows. */
export async function showFollowList(world: World, user: string): Promise<SlackMessage> {
  await follow(world, user, '');
  return world.slack.ephemerals(user, directChannel(world, user)).at(-1) ?? expect.fail('no list');
}
