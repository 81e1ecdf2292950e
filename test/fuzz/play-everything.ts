/** Performs every user action once, to produce requests and texts of every kind. */
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { World } from '../features/world.ts';

export const COMMANDS = [
  'help',
  'list',
  'status',
  'settings',
  'access',
  'audit',
  'budget',
  'budget 400',
  'setups',
  'results 101',
  'lookup ~021',
  'proposals',
  'proposals is:hired letter',
  'stats',
  'digest at 09:00',
  'digest now',
  'subscribe filter 101 budget:>0',
  'subscribe invitations 31',
  'subscribe outcomes 31',
  'list 101',
  'template',
  'template new',
  'template from 61',
  'template drafts',
  'job 1',
  'bid ~021',
  'pause 2h',
  'pause off',
] as const;

type Surface = { readonly message: SlackMessage } | { readonly view: SlackView };

/** All controls of a message or a view, by their labels. */
function labelsOn(blocks: unknown): readonly string[] {
  if (typeof blocks !== 'object' || blocks === null) return [];
  const { type, text } = blocks as { type?: unknown; text?: { text?: unknown } };
  const own = (type === 'button' || type === undefined) && typeof text?.text === 'string' ? [text.text] : [];
  return [...own, ...Object.values(blocks).flatMap(labelsOn)];
}

function labelsOf(on: Surface): readonly string[] {
  return [...new Set(labelsOn('message' in on ? on.message.blocks : on.view.blocks))];
}

async function press(world: World, user: string, on: Surface, label: string): Promise<void> {
  const found = findPressable('message' in on ? on.message : on.view, label);
  const isGone = 'message' in on && world.slack.message(on.message.channel, on.message.ts) === undefined;
  if (!found || isGone) return;
  const { actionId, blockId } = found;
  const at = { ...on, user, actionId, blockId, force: true, confirm: 'accept' } as const;
  if (found.kind === 'button') await world.slack.press({ ...at, value: found.value });
  else await world.slack.chooseOption({ ...at, option: found.option });
  await world.pass(SECOND);
}

/** Presses everything in the open view, submits it unchanged, and closes it. */
async function tryOut(world: World, user: string, most: number): Promise<void> {
  const { slack } = world;
  const first = slack.view(user);
  for (const label of first ? labelsOf({ view: first }).slice(0, most) : []) {
    const view = slack.view(user);
    if (view) await press(world, user, { view }, label);
  }
  if (slack.view(user)?.submit !== undefined) await slack.submitView({ user });
  await world.pass(SECOND);
  for (let left = 5; left > 0 && slack.view(user); left--) {
    await slack.closeView({ user, all: true });
    await world.pass(SECOND);
  }
}

async function pressAll(world: World, user: string, on: Surface, most: number): Promise<void> {
  for (const label of labelsOf(on).slice(0, most)) {
    await press(world, user, on, label);
    await tryOut(world, user, 3);
  }
}

/** Commands, presses on their answers and on cards, forms, shortcuts, links and App Homes. */
export async function playEverything(
  world: World,
  users: readonly string[] = ['ada', 'ben'],
  most = 12,
): Promise<void> {
  const { slack } = world;
  for (const user of users) {
    for (const text of COMMANDS) {
      await slack.runSlashCommand({ user, channel: 'web', text });
      await world.pass(SECOND);
      await tryOut(world, user, Math.min(most, 8));
      const shown = slack.ephemerals(user, 'web').at(-1);
      if (shown) await pressAll(world, user, { message: shown }, Math.min(most, 4));
    }
    for (const message of slack
      .messages('web')
      .filter((it) => it.byBot)
      .slice(0, 6))
      await pressAll(world, user, { message }, most);
    await slack.openHome({ user });
    await world.pass(2 * SECOND);
    const home = slack.home(user);
    if (home) await pressAll(world, user, { view: home }, most);
    const said = slack.postAsUser({
      user,
      channel: 'web',
      text: 'https://www.marketplace.example/jobs/~021',
    });
    await slack.messageShortcut({ user, message: said, callbackId: 'look_up_project' });
    await slack.postLinks({ user, channel: 'web', urls: ['https://www.marketplace.example/jobs/~021'] });
    await world.pass(2 * SECOND);
  }
}
