import { describe, expect, it } from 'vitest';
import { Mortal } from '../mortal.ts';
import { settle } from '../pass-time.ts';
import { FeedWorld, keysFrom } from './feed-world.ts';

async function live(commits: number, after: boolean, budget: number): Promise<FeedWorld> {
  let mortal = new Mortal();
  const world = new FeedWorld({ budget, wrap: (disk) => mortal.wrap(disk) });
  await world.start();
  await world.subscribe('C1', 7);
  await world.subscribe('C2', 7, { rules: '-boring' });
  await world.subscribe('C2', 8);
  await world.pass(15);
  await world.stop();
  for (const key of keysFrom(1, 24)) {
    world.market.publish(key < 'p010' ? [7, 8] : 7, key);
    world.clock.moveBy(300);
  }
  world.market.publish(8, 'p025', { title: 'boring' });
  mortal = new Mortal(commits, after);
  await world.restart();
  await world.pass(25);
  mortal.dead = true;
  await settle();
  mortal = new Mortal();
  await world.restart();
  await world.pass(70);
  return world;
}

describe('killed at any commit and started again', () => {
  it.each([false, true])('tells each project once and counts each credit once (after: %s)', async (after) => {
    for (let commits = 0; commits < 9; commits++) {
      const world = await live(commits, after, 500);
      expect(await world.cards('C1')).toEqual(keysFrom(1, 24));
      expect(await world.cards('C2')).toEqual(keysFrom(1, 25));
      expect(await world.posted('C1')).toHaveLength(24);
      expect(world.market.totalCharged).toBe(25);
      const { account, spent } = await booksOf(world);
      expect(spent + account.outside).toBeLessThanOrEqual(25);
      expect(spent).toBe(account.byChannels);
      await world.stop();
    }
  });

  it('never spends more than a budget holds', async () => {
    for (let commits = 0; commits < 9; commits++) {
      const world = await live(commits, false, 12);
      expect(await world.spent('C1')).toBeLessThanOrEqual(12);
      expect(await world.spent('C2')).toBeLessThanOrEqual(12);
      expect(world.market.totalCharged).toBeLessThanOrEqual(24);
      await world.stop();
    }
  });
});

async function booksOf(world: FeedWorld) {
  const account = await world.disk.read((tx) => world.credits.readAccountState(tx, world.clock.now()));
  const spent = (await world.spent('C1')) + (await world.spent('C2'));
  return { account, spent };
}
