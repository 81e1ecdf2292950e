import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { ProposalId } from '../../src/ids.ts';
import { PLAIN, profile, proposal } from './mirror-server.ts';
import { byId, MirrorWorld } from './mirror-world.ts';

const id = (n: number) => ProposalId.parse(n);

function world(seeded: number): MirrorWorld {
  const made = new MirrorWorld();
  made.server.seed(seeded);
  made.start();
  return made;
}

async function copied(seeded: number): Promise<MirrorWorld> {
  const made = world(seeded);
  await made.copied();
  return made;
}

function expectSame(made: MirrorWorld): void {
  expect(byId(made.wholes())).toEqual(byId(made.server.all()));
}

describe('the first copy', () => {
  it('begins with the newest page and ends with all data, in one request per page', async () => {
    const made = world(1_234);
    await made.answer();
    expect([...made.mirror.listNewestFirst()].map((each) => each.id)).toEqual(
      Array.from({ length: 100 }, (_, n) => 1_234 - n),
    );
    await made.copied();
    expectSame(made);
    expect(made.server.answered).toHaveLength(13);
    expect(made.mirror.getByApplicationUid('uid-17')?.id).toBe(17);
    expect(made.mirror.get(id(1_234))?.coverLetter).toBe('Letter 1234');
  });

  it('of 20,000 proposals, with new ones meanwhile, takes no more requests than pages and 2 %', async () => {
    const made = world(20_000);
    for (let n = 0; n < 195; n++) {
      await made.answer();
      // Ten pages a minute, a new proposal every five.
      made.clock.moveBy(6 * SECOND);
      if (n % 50 === 0) made.server.arrive(1);
    }
    await made.copied();
    expectSame(made);
    expect(made.server.answered.length).toBeLessThanOrEqual(204);
    expect((await made.sync())?.copy?.requests).toBe(made.server.answered.length);
  }, 120_000);

  it('neither skips nor repeats more than a page when new proposals push the pages along', async () => {
    const made = world(1_000);
    for (let n = 0; n < 10; n++) {
      await made.answer();
      made.server.arrive(30);
    }
    await made.copied();
    expectSame(made);
    // 1,300 proposals at the end: 13 pages, the newest once more, and the one where it meets earlier reads.
    expect(made.server.answered.length).toBeLessThanOrEqual(18);
  });

  it('goes on after a crash at any moment, and repeats no more than a page', async () => {
    for (let commit = 0; commit < 12; commit++) {
      for (const when of ['before', 'after'] as const) {
        const made = world(1_000);
        made.crashAtCommit = { left: commit, when };
        for (let n = 0; n < 12 && !made.life.isDead; n++) await made.answer();
        await made.restart();
        await made.copied();
        expectSame(made);
        expect(made.server.answered.length).toBeLessThanOrEqual(11);
      }
    }
  });

  it('hands over nothing of the past', async () => {
    const made = world(300);
    await made.answer();
    made.server.change(id(300));
    made.server.arrive(3);
    await made.copied();
    await made.calm(HOUR);
    expectSame(made);
    expect(made.handed).toEqual([]);
    expect(made.heard.length).toBeGreaterThanOrEqual(303);
  });

  it('of an empty profile is complete, and what comes later is news', async () => {
    const made = await copied(0);
    expect(made.mirror.estimateProgress()).toMatchObject([{ state: 'complete', held: 0, total: 0 }]);
    made.clock.moveBy(MINUTE);
    made.server.arrive(1);
    await made.calm(3 * MINUTE);
    expect(made.handed.map(({ now }) => now.id)).toEqual([1]);
  });

  it('tells how far it is and how long it takes at the present pace', async () => {
    const made = world(2_500);
    made.usedByOthers = 4;
    expect(made.mirror.estimateProgress()).toEqual([]);
    await made.settle();
    expect(made.mirror.estimateProgress()).toMatchObject([{ profile, state: 'waiting', held: 0 }]);
    await made.answer();
    // 24 pages are left, and 24 background slots a minute; four requests count, two of them the mirror's own.
    expect(made.mirror.estimateProgress()).toMatchObject([
      { state: 'copying', held: 100, total: 2_500, leftMs: Math.ceil((24 / (24 - 2)) * MINUTE) },
    ]);
    await made.copied();
    expect(made.mirror.estimateProgress()).toMatchObject([{ state: 'complete', held: 2_500, total: 2_500 }]);
  });
});

describe('a server with habits of its own', () => {
  const habits = [
    { ...PLAIN, order: 'ascending' as const },
    { ...PLAIN, limit: 'refused' as const },
    { ...PLAIN, limit: 30 },
    { ...PLAIN, paging: 'total' as const },
    { ...PLAIN, limit: 30, paging: 'total' as const },
    { ...PLAIN, paging: 'none' as const },
    { ...PLAIN, limit: 30, paging: 'none' as const },
    { ...PLAIN, order: 'ascending' as const, limit: 'refused' as const, paging: 'none' as const },
  ];
  it.each(habits)('is copied and kept up with: %j', async (habit) => {
    const made = new MirrorWorld();
    made.server.habits = habit;
    made.server.seed(350);
    made.start();
    await made.copied();
    expectSame(made);
    made.clock.moveBy(MINUTE);
    made.server.arrive(130);
    made.server.change(id(345));
    await made.calm(25 * HOUR);
    expectSame(made);
    expect(new Set(made.handed.map(({ now }) => now.id)).size).toBe(131);
    expect(made.handed).toHaveLength(131);
  });

  it('that turns no pages comes to an end, with what it showed', async () => {
    const made = new MirrorWorld();
    made.server.habits = { ...PLAIN, turnsPages: false };
    made.server.seed(350);
    made.start();
    await made.copied();
    expect(made.mirror.size).toBe(100);
    expect(made.server.answered.length).toBeLessThan(12);
  });

  it('that lists proposals without a time is copied', async () => {
    const made = new MirrorWorld();
    for (let n = 1; n <= 250; n++) made.server.put(proposal(n, undefined));
    made.start();
    await made.copied();
    expectSame(made);
  });

  it('that imports old proposals later has them found by the next sweeps, silently', async () => {
    const made = await copied(350);
    for (let n = 0; n < 40; n++) made.server.backfill();
    await made.calm(50 * HOUR);
    expectSame(made);
    expect(made.handed).toEqual([]);
  });

  it('that takes proposals back while it is copied loses none of the others', async () => {
    const made = world(1_000);
    for (let n = 0; n < 5; n++) {
      await made.answer();
      for (let gone = 0; gone < 7; gone++) made.server.remove(id(1_000 - n * 20 - gone));
    }
    await made.copied();
    for (const each of made.server.all()) expect(made.mirror.get(each.id)).toEqual(each);
  });
});

describe('keeping up', () => {
  it('reads the newest page every two minutes, and hands each new proposal over once', async () => {
    const made = await copied(250);
    const before = made.server.answered.length;
    made.clock.moveBy(SECOND);
    made.server.arrive(2);
    await made.calm(20 * MINUTE);
    expect(made.server.answered.length - before).toBe(10);
    expect(made.handed.map(({ now, before: was }) => [now.id, was])).toEqual([
      [252, undefined],
      [251, undefined],
    ]);
    expectSame(made);
  });

  it('follows the pages until something is known after a long absence', async () => {
    const made = await copied(500);
    await made.life.stop();
    made.clock.moveBy(3 * DAY);
    made.server.arrive(430);
    made.start();
    const before = made.server.answered.length;
    await made.calm(MINUTE);
    expect(made.server.answered.length - before).toBeGreaterThanOrEqual(5);
    expectSame(made);
    expect(made.handed).toHaveLength(430);
  });

  it('hands a change over with what was before, and one that the daily sweep finds, too', async () => {
    const made = await copied(700);
    made.server.change(id(695));
    made.server.change(id(200));
    await made.calm(3 * MINUTE);
    expect(made.handed).toMatchObject([{ before: { id: 695, viewed: false }, now: { viewed: true } }]);
    await made.calm(DAY);
    expect(made.handed.map(({ now }) => now.id)).toEqual([695, 200]);
    expectSame(made);
  });

  it('sweeps no farther than 60 days back', async () => {
    const made = await copied(3_000);
    await made.calm(25 * HOUR);
    const pages = made.server.answered.map(({ page = 1 }) => page).slice(30);
    // One an hour and none for two days: 1,392 of them are younger than 60 days.
    expect(Math.max(...pages)).toBe(14);
    expect(pages.filter((page) => page > 1)).toHaveLength(13);
  });

  it('goes on with a sweep that a crash broke off', async () => {
    const made = await copied(1_000);
    await made.calm(DAY - 3 * MINUTE);
    const before = made.server.answered.length;
    made.clock.moveBy(4 * MINUTE);
    for (let n = 0; n < 5; n++) await made.answer();
    await made.restart();
    await made.calm(MINUTE);
    const pages = made.server.answered.slice(before).map(({ page = 1 }) => page);
    expect(new Set(pages)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    expect(pages.length).toBeLessThanOrEqual(12);
  });

  it('loses no news to a crash at any step, and repeats it at most once', async () => {
    for (let step = 0; step < 24; step++) {
      const isAllOnDisk = step >= 12;
      const made = await copied(20);
      made.clock.moveBy(SECOND);
      made.server.arrive(1);
      made.server.change(id(20));
      if (step % 12 < 8) made.disk.crashAt = made.disk.steps + 1 + (step % 12);
      else made.crashAtCommit = { left: step % 2, when: step % 12 < 10 ? 'before' : 'after' };
      await made.calm(3 * MINUTE);
      await made.restart(isAllOnDisk ? () => 1 - Number.EPSILON : () => 0);
      await made.calm(5 * MINUTE);
      expectSame(made);
      const told = made.handed.map(({ now }) => now.id);
      expect(new Set(told)).toEqual(new Set([21, 20]));
      expect(told.length).toBeLessThanOrEqual(4);
    }
  });

  it('keeps what was handed over and not kept for another hand-over', async () => {
    const made = await copied(50);
    made.clock.moveBy(SECOND);
    made.server.arrive(1);
    made.disk.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);
    await made.calm(4 * MINUTE);
    expect(made.mirror.get(id(51))).toBeUndefined();
    expect(made.handed.length).toBeGreaterThan(0);
    made.disk.fault = () => undefined;
    const before = made.handed.length;
    await made.calm(10 * MINUTE);
    expectSame(made);
    expect(made.handed.length).toBe(before + 1);
  });

  it('keeps nothing that the hand-over refused, and tries again', async () => {
    const made = await copied(50);
    made.clock.moveBy(SECOND);
    made.server.arrive(1);
    made.failsHandOver = true;
    await made.calm(2 * MINUTE);
    expect(made.mirror.get(id(51))).toBeUndefined();
    await made.calm(10 * MINUTE);
    expect(made.handed.map(({ now }) => now.id)).toEqual([51]);
    expectSame(made);
  });
});
