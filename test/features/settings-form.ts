/** A channel's settings, as people open them and fill in the form of each part. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
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
