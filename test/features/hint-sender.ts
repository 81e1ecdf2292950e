/** An outside tool: gets the address from the form as an admin does, and sends hints over real HTTP. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { pressButton } from './buttons.ts';
import { openedForm, openSettings } from './settings-form.ts';
import type { World } from './world.ts';

export interface HintAnswer {
  readonly status: number;
  readonly text: string;
}

export interface SentHint {
  readonly secret?: string;
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
  readonly method?: string;
}

/** The path's secret, as the form shows it. @throws when it shows none */
export function shownSecret(view: SlackView): string {
  const [, secret] = /\/hooks\/(T[\w-]+)/u.exec(JSON.stringify(view.blocks)) ?? [];
  return secret ?? expect.fail('no address in the form');
}

/** Presses Hints in the settings window. */
export async function openHintsForm(world: World, user = 'ada', channel = 'web'): Promise<SlackView> {
  await pressButton(world, { view: await openSettings(world, channel, user) }, 'Hints', user);
  await world.pass(2 * SECOND);
  return openedForm(world, user);
}

export async function sendHint(
  world: World,
  { secret = '', query = '', body, type = 'application/json', method = 'POST' }: SentHint,
): Promise<HintAnswer> {
  const answer = await globalThis.fetch(`${world.address()}/hooks/${secret}${query}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  });
  return { status: answer.status, text: await answer.text() };
}
