/** Changes a channel's settings during `books-play.ts`. */
import { MINUTE } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { type FilledForm, valuesByPart } from './settings-form.ts';
import type { World } from './world.ts';

const DAY_MINUTES = 24 * 60;

function clockText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const inDay = (minute + DAY_MINUTES) % DAY_MINUTES;
  return `${two(Math.floor(inDay / 60))}:${two(inDay % 60)}`;
}

async function change(world: World, channel: string, values: FilledForm): Promise<void> {
  await world.gig(channel, 'settings');
  for (const [part, own] of valuesByPart(values)) {
    // Random faults may fail the opening of the window or of a form: then there is nothing to change.
    const window = world.slack.view('ada');
    if (!window) break;
    const button = findPressable(window, part);
    if (button?.kind !== 'button') break;
    const { actionId, blockId, value } = button;
    await world.slack.press({ user: 'ada', view: window, actionId, blockId, value });
    await world.pass(0);
    const form = world.slack.view('ada');
    if (form?.title === part) await world.slack.submitView({ user: 'ada', view: form, values: own });
    await world.pass(0);
  }
  if (world.slack.view('ada')) await world.slack.closeView({ user: 'ada', all: true });
}

/**
 * Quiet hours from a minute ago until a few minutes from now, with details in threads or not, at random.
 * @returns the settings
 */
export async function changeSomething(world: World, channel: string, upTo: (most: number) => number) {
  const now = Math.floor(world.clock.now() / MINUTE);
  const minutes = 1 + upTo(5);
  const values = {
    quiet: upTo(3) === 0 ? [] : ['daily'],
    'quiet-from': clockText(now - 1),
    'quiet-to': clockText(now + minutes),
    'thread-details': upTo(1) === 0 ? [] : ['details'],
  };
  await change(world, channel, values);
  return `quiet ${values.quiet.join()} for ${minutes} min, ${values['thread-details'].join()}`;
}

export function wake(world: World, channel: string): Promise<void> {
  return change(world, channel, { quiet: [] });
}
