/** What the channel reads about its people's changes: each once, whatever Slack's rate limit says. */
import { afterEach, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { buttonsOf } from './buttons.ts';
import { expectHealthy } from './healthy.ts';
import { HomeAtHand } from './home-desk.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

const FILTERS = [101, 102, 103] as const;

function timesSaid(what: string): number {
  return world.slack.messages('web').filter((message) => wordsOf(message).includes(what)).length;
}

/** Presses every Unsubscribe button of one list at once. */
async function unsubscribeFromAll(): Promise<void> {
  await world.gig('web', 'list');
  const message = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no list');
  const buttons = buttonsOf(message, actionIds.unsubscribe);
  expect(buttons).toHaveLength(FILTERS.length);
  await Promise.all(
    buttons.map(({ actionId, blockId, value }) =>
      world.slack.press({ actionId, blockId, value, message, user: 'ada' }),
    ),
  );
  await world.pass(1);
}

async function subscribeToAll(): Promise<void> {
  world = await startWorld();
  for (const id of FILTERS) {
    await world.gig('web', `subscribe ${id}`);
    await world.pass(2 * SECOND);
  }
}

it.each([
  ['Slack takes one message a second, and then none for half a minute', async () => undefined],
  [
    'the process dies before the first message',
    async () => {
      await world.crash();
      await world.restart();
    },
  ],
])('each arrives once, though %s', async (_, trouble) => {
  await subscribeToAll();
  world.slack.injectFault('chat.postMessage', { kind: 'ratelimited', retryAfterS: 30 });
  await unsubscribeFromAll();
  await trouble();
  await world.pass(MINUTE);
  for (const id of FILTERS) expect(timesSaid(`unsubscribed this channel from filter ${id}`)).toBe(1);
  expect(await world.gig('web', 'list')).toContain('gets nothing');
  expectHealthy(world);
});

it('tells once of a budget set on Home, though Slack takes no message just then', async () => {
  world = await startWorld();
  await world.gig('web', 'subscribe 101');
  await world.pass(2 * SECOND);
  const home = new HomeAtHand(world);
  await home.open('ada');
  await home.press('ada', 'Set Budget');
  world.slack.injectFault('chat.postMessage', { kind: 'ratelimited', retryAfterS: 30 });
  await world.slack.submitView({ user: 'ada', values: { budget: '40' } });
  await world.pass(MINUTE);
  expect(timesSaid('40 credits')).toBe(1);
  expect(await home.open('ada')).not.toMatch(/couldn't|failed/iu);
  expectHealthy(world);
});
