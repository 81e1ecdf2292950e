/**
 * Slack limits history to one call a minute and 15 messages: the app still finds posts that may have arrived.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { JsonObject } from '../../src/workbench/slack/objects.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.slack.setHistoryLimit('strict');
  await world.gig('web', 'subscribe filter 101');
  await world.gig('data', 'subscribe filter 101');
  await world.pass(30 * SECOND);
});
afterEach(() => world.stop());

/** Loses the answer of the next card in each channel. */
function loseAnswers(when: 'before' | 'after') {
  const isCard = (method: string, args: JsonObject) =>
    method === 'chat.postMessage' && JSON.stringify(args['metadata']).includes('card:');
  return world.slack.injectFault(isCard, { kind: 'drop', when }, 2);
}

function chat(channel: string, count: number): void {
  for (let n = 0; n < count; n++) world.slack.postAsUser({ user: 'ben', channel, text: `words ${n}` });
}

it.each(['before', 'after'] as const)(
  'a card whose answer was lost %s the effect stands once, in a busy channel too',
  async (when) => {
    const lost = loseAnswers(when);
    const { ciphertext } = world.marketplace.publishProject([101]);
    await world.until('both answers are lost', () => lost.used === 2);
    for (const channel of ['web', 'data']) chat(channel, 50);
    await world.pass(25 * MINUTE);
    expect(world.told('web')).toEqual([ciphertext]);
    expect(world.told('data')).toEqual([ciphertext]);
    // Each page is read once: at most 4 for each channel, plus the calls that come too soon.
    const read = world.slack.apiCalls('conversations.history').filter((it) => it.error === undefined);
    expect(read.length).toBeLessThanOrEqual(8);
  },
);

it('goes on after a restart', async () => {
  const lost = loseAnswers('after');
  const { ciphertext } = world.marketplace.publishProject([101]);
  await world.until('both answers are lost', () => lost.used === 2);
  for (const channel of ['web', 'data']) chat(channel, 50);
  await world.pass(3 * MINUTE);
  await world.crash();
  await world.restart();
  await world.pass(25 * MINUTE);
  expect(world.told('web')).toEqual([ciphertext]);
  expect(world.told('data')).toEqual([ciphertext]);
});
