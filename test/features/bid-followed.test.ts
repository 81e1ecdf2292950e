/** After a bid its job is read until it ends: each change is told once, whatever fails, dies or waits. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

/** Longer than a job is followed. */
const LONG = 49 * HOUR;
const BIDDING = { status: 'processing' } as const;
const FAILED = { status: 'failed', errorMessage: 'Out of connects' } as const;

/** A bid of ben's on a project of its own, and its job. */
async function bid({ market, person }: Desk, title = 'A shop') {
  const card = await market.publish({ ...SHOP, title }).cardIn('web');
  await sendBid(person('ben'), card, { 'Cover letter': 'Dear client' });
  const { id, createdAt } = market.jobs.at(-1) ?? expect.fail('no job');
  const path = PATHS.bidStatus.replace('*', String(id));
  return {
    id,
    card,
    createdAt,
    path,
    change: (to: Parameters<typeof market.service.updateJob>[1]) => market.service.updateJob(id, to),
    readAt: () => market.requests(path).map(({ at }) => at),
    /** What its thread says after its creation. */
    told: () =>
      card
        .replies()
        .map(({ text }) => text)
        .slice(1),
  };
}

/** Waits until a reading is under way, whose answer waits for `release`. */
async function holdReading({ app, market }: Desk, path: string) {
  const held = market.fail(path, presetFaults.timeoutAfterEffect());
  await app.until('a reading', () => held.hits() > 0, 5 * MINUTE);
  return held;
}

const pausesOf = (times: readonly number[]) => times.slice(1).map((at, place) => at - (times[place] ?? 0));

describe('a job', () => {
  appTest(
    'without a change is read at growing pauses, also over a restart, and shows nothing',
    async ({ desk, slack, pass }) => {
      const job = await bid(desk);
      await pass(4 * MINUTE);
      const updates = slack.apiCalls('chat.update').length;
      await pass(8 * MINUTE);
      await desk.restart();
      await pass(30 * MINUTE);
      const [first = 0, ...more] = job.readAt();
      expect(first - job.createdAt).toBeLessThan(3 * MINUTE);
      const pauses = pausesOf(more);
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
      expect(more.length).toBeGreaterThan(4);
      expect(more.length).toBeLessThan(9);
      expect(job.told()).toEqual([]);
      expect(slack.apiCalls('chat.update')).toHaveLength(updates);
    },
  );

  appTest('that changes late is read at the first pauses again', async ({ desk, pass }) => {
    const job = await bid(desk);
    await pass(HOUR);
    const before = job.readAt().length;
    job.change(BIDDING);
    await pass(35 * MINUTE);
    expect(job.told()).toHaveLength(1);
    const [pause] = pausesOf(job.readAt().slice(before));
    expect(pause).toBeLessThan(MINUTE);
  });

  appTest('without an end is left, which is told once, until a person looks', async ({ desk, ben, pass }) => {
    const job = await bid(desk);
    const leave = async () => {
      await desk.restart(LONG);
      const read = job.readAt().length;
      await desk.restart(HOUR);
      expect(job.readAt()).toHaveLength(read);
      expect(job.card.offers('Refresh')).toBe(true);
    };
    await leave();
    expect(job.told()).toHaveLength(1);
    const before = job.readAt().length;
    await ben.press(job.card, 'Refresh');
    expect(job.card.offers('Refresh')).toBe(false);
    await pass(MINUTE);
    expect(job.readAt()).toHaveLength(before + 2);
    await leave();
    expect(job.told()).toHaveLength(2);
    desk.market.service.turnJobIntoProposal(job.id);
    await ben.press(job.card, 'Refresh');
    expect(job.card.offers('Proposal')).toBe(true);
    expect(job.told()).toHaveLength(4);
  });

  appTest(
    'that is gone is told once each time, and followed if it comes back',
    async ({ desk, ben, pass }) => {
      const job = await bid(desk);
      const look = () => ben.type(`/gig job ${job.id}`);
      const gone = desk.market.fail(job.path, presetFaults.status(404), 99);
      await pass(3 * MINUTE);
      expect(job.told()).toHaveLength(1);
      await look();
      await pass(10 * MINUTE);
      expect(job.told()).toHaveLength(1);
      expect(job.readAt()).toHaveLength(2);
      gone.cancel();
      await look();
      desk.market.fail(job.path, presetFaults.status(404));
      await look();
      expect(job.told()).toHaveLength(2);
      await look();
      job.change(FAILED);
      await pass(10 * MINUTE);
      expect(job.told().slice(2)).toEqual([expect.stringContaining(FAILED.errorMessage)]);
      job.change({ retryCount: 3 });
      await look();
      expect(job.card.text).toContain('3 retries');
      desk.market.fail(job.path, presetFaults.status(404));
      await look();
      expect(job.told()).toHaveLength(3);
    },
  );

  appTest(
    'that a person cannot read now is what it was; one that never was is not found',
    async ({ desk, ben, pass }) => {
      const job = await bid(desk);
      job.change(BIDDING);
      await pass(4 * MINUTE);
      desk.market.fail(job.path, presetFaults.status(500), 9);
      const { text } = await ben.type(`/gig job ${job.id}`);
      expect(text).toContain('A shop');
      expect(text).toContain('Bidding');
      expect(job.told()).toHaveLength(1);
      expect((await ben.type('/gig job 4711')).text).toContain('4711');
    },
  );

  appTest('that was sent is asked for its proposal until that is there', async ({ desk, market, pass }) => {
    const job = await bid(desk);
    const applicationUid = '987';
    job.change({ status: 'completed', applicationUid });
    await pass(10 * MINUTE);
    const [read = 0, ...more] = job.readAt();
    expect(more).toEqual([]);
    const asked = market.requests(`/proposals/by-uid/${applicationUid}`).map(({ at }) => at);
    expect(Math.abs((asked[0] ?? 0) - read)).toBeLessThan(5 * SECOND);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(8);
    const profileId = market.service.addProfile().id;
    market.service.addProposal({ profileId, applicationUid, connects: 16 });
    await pass(30 * MINUTE);
    const facts = [applicationUid, '16 connects'].map((it) => expect.stringContaining(it) as string);
    expect(job.told()).toEqual(facts);
  });

  appTest(
    'whose reading a wrong clock set far ahead is read once it is right',
    async ({ desk, app, pass }) => {
      app.clock.shiftWallClock(12 * HOUR);
      const job = await bid(desk);
      desk.market.fail(job.path, presetFaults.status(401));
      await pass(3 * MINUTE);
      expect(job.readAt()).toHaveLength(1);
      app.clock.shiftWallClock(-12 * HOUR);
      await pass(15 * MINUTE);
      expect(job.readAt().length).toBeGreaterThan(1);
    },
  );
});

describe('a reading that fails', () => {
  appTest.for([
    ['the server', presetFaults.status(500), 3],
    ['a page of HTML', presetFaults.html(200), 1],
  ] as const)(
    'by %s is no news, no hurry, and holds up no other job',
    async ([, effect, tries], { desk, market, pass }) => {
      const [bad, good] = [await bid(desk, 'Bad'), await bid(desk, 'Good')];
      const fault = market.fail(bad.path, effect, 99);
      good.change(BIDDING);
      await pass(20 * MINUTE);
      expect(good.told()).toHaveLength(1);
      expect(bad.told()).toEqual([]);
      expect(bad.readAt().length / tries).toBeLessThan(8);
      fault.cancel();
      bad.change(FAILED);
      await pass(25 * MINUTE);
      expect(bad.told()).toEqual([expect.stringContaining(FAILED.errorMessage)]);
    },
  );

  appTest('for its token keeps the other jobs waiting', async ({ desk, market, pass }) => {
    for (const title of ['One', 'Two', 'Three']) await bid(desk, title);
    market.fail(PATHS.bidStatus, presetFaults.status(401), 99);
    await desk.app.until('a reading', () => market.requests(PATHS.bidStatus).length > 0);
    await pass(100 * SECOND);
    expect(market.requests(PATHS.bidStatus)).toHaveLength(1);
  });

  appTest('is not repeated before the server said', async ({ desk, market, pass }) => {
    const job = await bid(desk);
    const headers = { 'retry-after': '600' };
    market.fail(job.path, { kind: 'answer', status: 503, json: {}, headers }, 3);
    await pass(20 * MINUTE);
    const [, , last = 0, next = 0] = job.readAt();
    expect(next - last).toBeGreaterThanOrEqual(10 * MINUTE);
  });
});

describe('trouble of our own', () => {
  appTest('a full disk: little is read, and each change is told later', async ({ desk, app, ben, pass }) => {
    const all = [await bid(desk, 'One'), await bid(desk, 'Two')] as const;
    for (const { change } of all) change(BIDDING);
    app.room.full = true;
    await pass(5 * MINUTE);
    expect(desk.market.requests(PATHS.bidStatus).length).toBeLessThan(5);
    const { text } = await ben.type(`/gig job ${all[0].id}`);
    expect(text).toContain('Bidding');
    app.room.full = false;
    await pass(6 * MINUTE);
    for (const { told } of all) expect(told()).toHaveLength(1);
  });

  appTest(
    'a stop while an answer is on its way: it is read at the next start',
    async ({ desk, app, pass }) => {
      const job = await bid(desk);
      job.change(BIDDING);
      await holdReading(desk, job.path);
      await app.end();
      await app.start();
      await pass(MINUTE);
      expect(job.told()).toHaveLength(1);
    },
  );

  appTest('a kill after any of its writes: no news is lost or repeated', async ({ desk, app, pass }) => {
    const job = await bid(desk);
    await pass(6 * MINUTE);
    const { room } = app;
    for (const writes of [0, 1, 2, 3, 4]) {
      job.change(writes % 2 === 0 ? BIDDING : { status: 'scheduled' });
      const held = await holdReading(desk, job.path);
      let written = 0;
      const frozen = new Promise<void>(() => {});
      const until = () => (written++ < writes ? undefined : frozen);
      Object.defineProperty(room, 'until', { configurable: true, get: until });
      held.release();
      await pass(SECOND);
      delete room.until;
      await desk.restart();
      expect(job.told()).toHaveLength(writes + 1);
    }
    expect(job.told().map((it) => /scheduled/iu.test(it))).toEqual([false, true, false, true, false]);
  });
});

describe('an approval', () => {
  const reviewed = appTestWith({ reviews: true });

  reviewed('outweighs a reading that began before it', async ({ desk, ben, pass }) => {
    const job = await bid(desk);
    const held = await holdReading(desk, job.path);
    await ben.press(offering(job.card, 'Approve'), 'Approve');
    held.release();
    await pass(SECOND);
    expect(job.card.offers('Review')).toBe(false);
    expect(job.told().at(-1)).toContain('@ben approved');
  });

  reviewed('that waits for a free slot is sent once, and then read', async ({ desk, market, ben, pass }) => {
    const job = await bid(desk);
    market.fail(PATHS.approve, presetFaults.rateLimited('50'));
    await ben.press(offering(job.card, 'Approve'), 'Approve');
    await pass(2 * MINUTE);
    expect(market.requests(PATHS.approve)).toHaveLength(2);
    expect(job.told().at(-1)).toContain('@ben approved');
  });
});
