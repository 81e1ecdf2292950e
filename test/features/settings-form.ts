/** The settings form, as people open and fill it in. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { pressButton } from './buttons.ts';
import type { World } from './world.ts';

/** By field; a list for fields with several values. */
export type FilledForm = Readonly<Record<string, string | readonly string[] | null>>;

export function openedForm(world: World, user = 'ada'): SlackView {
  return world.slack.view(user) ?? expect.fail('no modal is open');
}

export async function openSettings(world: World, channel: string, user = 'ada'): Promise<SlackView> {
  await world.gig(channel, 'settings', user);
  await world.pass(SECOND);
  return openedForm(world, user);
}

export async function submitSettings(world: World, values: FilledForm, user = 'ada') {
  const view = openedForm(world, user);
  const answer = await world.slack.submitView({ user, view, values });
  await world.pass(2 * SECOND);
  return answer;
}

/** @throws when a field is rejected */
export async function changeSettings(
  world: World,
  channel: string,
  values: FilledForm,
  user = 'ada',
): Promise<void> {
  await openSettings(world, channel, user);
  const answer = await submitSettings(world, values, user);
  expect(answer.action).toBe('close');
}

/** With the input so far. */
export async function addMention(world: World, values: FilledForm = {}, user = 'ada'): Promise<void> {
  await pressButton(world, { view: openedForm(world, user) }, 'Add Mention', user, values);
  await world.pass(SECOND);
}
