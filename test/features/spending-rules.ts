/** A channel's rules for spending, as an admin sets them. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { press } from './bidder.ts';
import { type FilledForm, openSettings } from './settings-form.ts';
import type { World } from './world.ts';

/** @throws when a field is rejected */
export async function setRules(world: World, values: FilledForm, channel = 'web'): Promise<void> {
  const settings = await openSettings(world, channel, 'ada');
  await press(world, 'Spending Rules', { view: settings }, 'ada');
  await world.pass(SECOND);
  const answer = await world.slack.submitView({ user: 'ada', values });
  await world.pass(2 * SECOND);
  expect(answer.errors ?? {}).toEqual({});
  await world.slack.closeView({ user: 'ada', all: true });
}
