/** The form with response times, as an admin opens and fills it in. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { pressButton } from './buttons.ts';
import { type FilledForm, openedForm, openSettings } from './settings-form.ts';
import type { World } from './world.ts';

/** On, all day and every day, with 10 + 10 minutes and claims of an hour. */
export const ROUND_THE_CLOCK: FilledForm = {
  'response-on': ['on'],
  'work-days': ['1', '2', '3', '4', '5', '6', '7'],
  'hours-from': null,
  'hours-to': null,
};

export async function openResponseForm(world: World, channel: string, user = 'ada') {
  await openSettings(world, channel, user);
  await pressButton(world, { view: openedForm(world, user) }, 'Response Times', user);
  await world.pass(2 * SECOND);
  return openedForm(world, user);
}

/** @throws when a field is rejected */
export async function setResponse(world: World, channel: string, values: FilledForm): Promise<void> {
  const view = await openResponseForm(world, channel);
  const { errors } = await world.slack.submitView({ user: 'ada', view, values });
  expect(errors).toEqual({});
  await world.pass(2 * SECOND);
  const left = world.slack.view('ada');
  if (left) await world.slack.closeView({ user: 'ada' });
  await world.pass(SECOND);
}
