/** A channel's settings, as people open them and fill in the form of each part. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { pressButton } from './buttons.ts';
import type { World } from './world.ts';

/** By field; a list for fields with several values. */
export type FilledForm = Readonly<Record<string, string | readonly string[] | null>>;

/** The buttons of the settings window that open these forms, each with its fields. */
const PARTS = {
  Updates: /^(?:level|density)$/u,
  'Quiet Hours': /^(?:quiet|quiet-from|quiet-to|timezone)$/u,
  Mentions: /^mention-/u,
  'Cards and Approvals': /^(?:thread-details|buttons|approval-hours)$/u,
} as const;
export type SettingsPart = keyof typeof PARTS;
const ALL_PARTS = Object.keys(PARTS) as SettingsPart[];

/** The values that belong to each part, in the order of the window. */
export function valuesByPart(values: FilledForm): readonly (readonly [SettingsPart, FilledForm])[] {
  return ALL_PARTS.flatMap((part) => {
    const own = Object.entries(values).filter(([field]) => PARTS[part].test(field));
    return own.length > 0 ? [[part, Object.fromEntries(own)] as const] : [];
  });
}

export function openedForm(world: World, user = 'ada'): SlackView {
  return world.slack.view(user) ?? expect.fail('no modal is open');
}

export async function openSettings(world: World, channel: string, user = 'ada'): Promise<SlackView> {
  await world.gig(channel, 'settings', user);
  await world.pass(SECOND);
  return openedForm(world, user);
}

/** Opens the form of a part, on top of the settings window. */
export async function openPart(world: World, part: SettingsPart, user = 'ada'): Promise<SlackView> {
  await pressButton(world, { view: openedForm(world, user) }, part, user);
  await world.pass(SECOND);
  return openedForm(world, user);
}

async function submit(world: World, values: FilledForm, user: string) {
  const answer = await world.slack.submitView({ user, view: openedForm(world, user), values });
  await world.pass(2 * SECOND);
  return answer;
}

/**
 * Submits the form on top. From the settings window, opens and submits the form of each part that the values
 * belong to; a form with mistakes is closed again.
 */
export async function submitSettings(world: World, values: FilledForm, user = 'ada') {
  if (findPressable(openedForm(world, user), ALL_PARTS[0] ?? '') === undefined)
    return submit(world, values, user);
  const errors: Record<string, string> = {};
  for (const [part, own] of valuesByPart(values)) {
    await openPart(world, part, user);
    const answer = await submit(world, own, user);
    Object.assign(errors, answer.errors);
    if (answer.action === 'errors') await world.slack.closeView({ user });
  }
  const action: 'errors' | 'close' = Object.keys(errors).length > 0 ? 'errors' : 'close';
  return { action, errors };
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
  expect(answer.errors).toEqual({});
  await world.slack.closeView({ user, all: true });
}
