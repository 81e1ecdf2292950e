import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.stop());

/** Runs the app for `turns` turns of the event loop, to any point of its work. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

describe('a kill at any moment', () => {
  it.each([1, 2, 3, 5, 8, 13, 21, 34, 55, 89])(
    'in the middle of polling and posting (%i turns on) loses no project and tells none twice',
    async (count) => {
      world = await startWorld({ seed: count });
      const { marketplace, clock } = world;
      marketplace.addFilter({ id: 101 });
      await world.gig('web', 'subscribe filter 101');
      await world.pass(20 * SECOND);

      const published: string[] = [];
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 3; i++) published.push(marketplace.publishProject(101).ciphertext);
        clock.moveBy((9 + round) * SECOND);
        await turns(count);
        clock.moveBy(SECOND);
        await turns(count);
        await world.crash();
        await world.restart();
      }
      await world.pass(5 * MINUTE);

      expect(world.told('web').toSorted()).toEqual(published.toSorted());
      expect(marketplace.consumedCredits().total).toBe(published.length);
      expect(marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
      const budget = await world.gig('web', 'budget');
      expect(budget).toMatch(new RegExp(`\\b${published.length}\\b`));
    },
  );

  it('while Slack has taken a card but not answered posts it once', async () => {
    world = await startWorld();
    const { marketplace, slack } = world;
    marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const held = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' });
    const project = marketplace.publishProject(101);
    await world.until('the post to be under way', () => held.held > 0, MINUTE);
    await world.crash();
    held.release();
    await world.restart();
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual([project.ciphertext]);
  });

  it('while the marketplace has charged but not answered counts no credit twice', async () => {
    world = await startWorld();
    const { marketplace } = world;
    marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const held = marketplace.injectFault({ path: '/filters/101/projects' }, { kind: 'hold-headers' });
    const told = [marketplace.publishProject(101), marketplace.publishProject(101)].map(
      (it) => it.ciphertext,
    );
    await world.until('the poll to be under way', () => held.hits() > 0, MINUTE);
    await world.crash();
    held.release();
    await world.restart();
    await world.pass(2 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
    told.push(marketplace.publishProject(101).ciphertext);
    await world.pass(2 * MINUTE);
    expect(marketplace.consumedCredits().total).toBe(3);
    expect(await world.gig('web', 'budget')).toMatch(/\b3\b/);
  });
});

it('of a process that is just reconnecting leaves no connection that takes presses', async () => {
  world = await startWorld();
  for (let count = 0; count < 10; count++) {
    world.slack.cutSockets();
    await turns(count);
    await world.crash();
    await world.restart();
    await world.pass(MINUTE);
    expect(world.slack.sockets, `${count} turns after the cut`).toBe(1);
  }
});

describe('Slack in trouble', () => {
  it.each([
    ['a refusal to wait', { kind: 'ratelimited', retryAfterS: 20 }],
    ['a 500 before the message stands', { kind: 'status', status: 500, when: 'before' }],
    ['a 500 after the message stands', { kind: 'status', status: 500, when: 'after' }],
    ['a connection lost before', { kind: 'drop', when: 'before' }],
    ['a connection lost after', { kind: 'drop', when: 'after' }],
    ['an unreadable answer', { kind: 'broken-json', when: 'after' }],
  ] as const)('%s: each card stands once', async (_, effect) => {
    world = await startWorld();
    const { marketplace, slack } = world;
    marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    slack.injectFault('chat.postMessage', effect, 3);
    const told = [1, 2, 3, 4].map(() => marketplace.publishProject(101).ciphertext);
    await world.pass(5 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
  });

  it('an unwritable channel stops, its subscriber is notified, and /gig pause off restarts it', async () => {
    world = await startWorld();
    const { marketplace, slack } = world;
    marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    slack.removeBot('web');
    const first = marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    expect(JSON.stringify(slack.directMessages('ada'))).toContain(slack.channel('web').id);
    slack.inviteBot('web');
    await world.gig('web', 'pause off');
    const second = marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual([first.ciphertext, second.ciphertext]);
  });

  it('cut websockets lose no press', async () => {
    world = await startWorld();
    const { slack } = world;
    slack.refreshSockets();
    await world.until('a new connection', () => slack.sockets > 0, MINUTE);
    expect(await world.gig('web', 'help')).toContain('`lookup`');
  });
});
