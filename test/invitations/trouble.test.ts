import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { StorageError } from '../../src/storage/store.ts';
import { failure } from '../fake-marketplace.ts';
import { InvitationWorld } from './world.ts';

async function twoProfiles(): Promise<InvitationWorld> {
  const world = new InvitationWorld();
  await world.start();
  await world.follow('C1', 1);
  await world.follow('C2', 2);
  await world.passMinutes(1);
  return world;
}

const requests = (world: InvitationWorld, profile: number, from: number) =>
  world.asked.slice(from).filter((each) => each.profile === profile).length;

describe('a profile that can’t be read', () => {
  it.each<MarketplaceErrorCode>(['not-found', 'forbidden'])(
    '(%s) is told once in its channels, rests, and holds up no other',
    async (code) => {
      const world = await twoProfiles();
      world.failing.set(1, failure(code));
      world.invite('i1', { of: 1 });
      world.invite('i2', { of: 2 });
      const before = world.asked.length;
      await world.pass(12 * HOUR);
      expect(await world.notices('C1')).toEqual(['profile-failing']);
      expect(await world.notices('C2')).toEqual([]);
      expect(await world.told('C2')).toEqual(['i2']);
      expect(requests(world, 1, before)).toBeLessThan(20);
      expect(requests(world, 2, before)).toBeGreaterThan(300);
      expect((await world.sync())?.trouble).toMatchObject({ code });
    },
  );

  it('is told to be read again when it is, and nothing was lost', async () => {
    const world = await twoProfiles();
    world.failing.set(1, failure('not-found'));
    await world.passMinutes(5);
    world.invite('i1');
    world.failing.clear();
    await world.pass(HOUR);
    expect(await world.notices('C1')).toEqual(['profile-failing', 'profile-recovered']);
    expect(await world.told('C1')).toEqual(['i1']);
    expect((await world.sync())?.trouble).toBeUndefined();
  });

  it('for a moment is told to nobody, and read again soon', async () => {
    const world = await twoProfiles();
    world.failing.set(1, failure('server'));
    await world.passMinutes(3);
    world.failing.clear();
    world.invite('i1');
    await world.passMinutes(3);
    expect(await world.notices('C1')).toEqual([]);
    expect(await world.told('C1')).toEqual(['i1']);
  });

  it('keeps its trouble and its pause over a restart', async () => {
    const world = await twoProfiles();
    world.failing.set(1, failure('not-found'));
    await world.passMinutes(3);
    const before = world.asked.length;
    await world.restart();
    await world.pass(30 * MINUTE);
    expect(requests(world, 1, before)).toBe(0);
    expect(await world.notices('C1')).toHaveLength(1);
  });
});

describe('trouble with the account', () => {
  it('lets every profile rest, at growing pauses', async () => {
    const world = await twoProfiles();
    for (const each of [1, 2]) world.failing.set(each, failure('network'));
    await world.passMinutes(1);
    const before = world.asked.length;
    await world.pass(HOUR);
    expect(world.asked.length - before).toBeLessThan(40);
    world.failing.clear();
    for (const each of [1, 2]) world.invite(`i${each}`, { of: each });
    await world.passMinutes(6);
    expect(await world.told('C1')).toEqual(['i1']);
    expect(await world.told('C2')).toEqual(['i2']);
  });

  it('waits as long as the server asks for, an hour at the most', async () => {
    const world = await twoProfiles();
    for (const each of [1, 2])
      world.failing.set(each, failure('rate-limited', { retryAfterMs: 30 * MINUTE }));
    await world.passMinutes(3);
    const before = world.asked.length;
    await world.pass(25 * MINUTE);
    expect(world.asked.length).toBe(before);
    for (const each of [1, 2]) world.failing.set(each, failure('rate-limited', { retryAfterMs: 9 * DAY }));
    await world.pass(HOUR);
    world.failing.clear();
    world.invite('i1');
    await world.pass(65 * MINUTE);
    expect(await world.told('C1')).toEqual(['i1']);
  });
});

describe('trouble of our own', () => {
  it('a disk that refuses is waited for, and nothing is lost', async () => {
    const world = new InvitationWorld();
    let full = false;
    world.wrap = (disk) => ({
      ...disk,
      transact: (work) => (full ? Promise.reject(new StorageError('full', 'no room')) : disk.transact(work)),
    });
    await world.restart();
    await world.follow('C1');
    await world.passMinutes(1);
    full = true;
    world.invite('i1');
    await world.passMinutes(10);
    full = false;
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(['i1']);
  });

  it('a clock that was set back holds nothing up', async () => {
    const world = await twoProfiles();
    await world.pass(10 * DAY);
    await world.stop();
    // The same store under a clock that is days behind.
    const moved = new InvitationWorld(world.disk);
    expect(moved.clock.now()).toBeLessThan(world.clock.now());
    await moved.start();
    moved.invite('i1', { invitedAt: world.clock.now() });
    await moved.passMinutes(5);
    expect(await moved.told('C1')).toEqual(['i1']);
    const before = moved.asked.length;
    await moved.pass(HOUR);
    expect(moved.asked.length - before).toBeLessThan(80);
  });
});
