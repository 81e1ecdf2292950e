/** A team that has just installed Gigdesk: two filters, and a channel that the bot isn't in yet. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/objects.ts';
import { posted, startWorld, type World } from './world.ts';

/** Filters 101 and 102; the bot isn't in #sales. */
export async function startSetupWorld(): Promise<World> {
  const world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addFilter({ id: 102, name: 'Design' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  world.slack.addChannel({ name: 'sales', withBot: false });
  return world;
}

/** Ada invites the bot to #sales. Returns the latest welcome there. */
export async function inviteBot(world: World): Promise<SlackMessage> {
  await world.slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' });
  await world.pass(2 * SECOND);
  return posted(world, 'welcome', 'sales').at(-1) ?? expect.fail('no welcome');
}
