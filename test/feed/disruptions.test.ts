/** Stops, full disks, lost answers and wrong clocks: nothing is lost, and nothing is paid for twice. */
import { describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { ann, channel, FeedWorld, keysFrom, openFeed } from './feed-world.ts';

/** A clock that runs ahead. */
function ahead(clock: ManualClock, ms: number): ManualClock {
  return new ManualClock(clock.now() + ms);
}

describe('a stop', () => {
  it('waits for the answers under way and puts them on record', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(5);
    let answer = () => {};
    it.market.held.set(
      7,
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    it.market.publish(7, 'one');
    await it.pass(12);
    let stopped = false;
    const stopping = it.stop().then(() => {
      stopped = true;
    });
    await it.pass(3);
    expect(stopped).toBe(false);
    answer();
    await stopping;
    expect(await it.posted('C1')).toEqual(['one']);
    expect(await it.spent('C1')).toBe(1);
  });
});

describe('a full disk', () => {
  it('delays what comes, loses nothing, and counts no credit twice', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(5);
    for (const key of keysFrom(1, 12)) {
      it.market.publish(7, key);
      it.disk.failNext();
      await it.pass(11);
    }
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 12));
    expect(it.market.totalCharged).toBe(12);
    expect(await it.spent('C1')).toBeLessThanOrEqual(12);
  });
});

describe('answers that get lost after they were charged', () => {
  const published = (it: FeedWorld, from: number, to: number) => {
    for (const key of keysFrom(from, to))
      it.market.publish(7, key, { url: `https://market.example/jobs/~0${key.slice(1)}` });
  };

  it('never spend more than the budget; what they cost is learned without spending', async () => {
    const it = await openFeed({ budget: 30 });
    await it.subscribe('C1', 7);
    published(it, 1, 3);
    await it.pass(20);
    expect(await it.spent('C1')).toBe(3);
    it.market.lostAnswers = 40;
    for (let from = 4; from < 60; from += 4) {
      published(it, from, from + 3);
      await it.pass(40);
      expect(it.market.totalCharged).toBeLessThanOrEqual(30);
    }
    it.market.lostAnswers = 0;
    await it.pass(600);
    expect(await it.spent('C1')).toBe(it.market.totalCharged);
    const account = await it.disk.read((tx) => it.credits.readAccountState(tx, it.clock.now()));
    expect(account).toMatchObject({ byChannels: it.market.totalCharged, outside: 0 });
    await it.setBudget('C1', 500);
    it.feed.wake();
    await it.pass(600);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 59));
    expect(await it.spent('C1')).toBe(59);
  });

  it('do not lock a budget for the period, also when the first of them was the first of all', async () => {
    const it = await openFeed({ budget: 40 });
    await it.subscribe('C1', 7);
    it.market.lostAnswers = 30;
    published(it, 1, 8);
    await it.pass(3_600);
    it.market.lostAnswers = 0;
    await it.pass(300);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 8));
  });
});

describe('the very first answer that gets lost', () => {
  it('is made up for where the server takes no page size, too', async () => {
    const it = await openFeed({ ways: { refusesLimit: true } });
    it.market.lostAnswers = 1;
    await it.subscribe('C1', 7);
    await it.pass(60);
    it.market.publish(7, 'one');
    await it.pass(120);
    expect(await it.cards('C1')).toEqual(['one']);
    expect(await it.notices('C1')).toEqual([]);
  });

  it('is no reason to ask on and on where the filter is refused, and its channel is told', async () => {
    const it = await openFeed();
    it.market.lostAnswers = 1;
    await it.subscribe('C1', 7);
    await it.pass(3);
    expect(it.market.lostAnswers).toBe(0);
    let tries = 0;
    const refuse = () => {
      tries++;
      return new MarketplaceError('bad-request', 'none', 'refused', { serverMessage: 'No such cursor' });
    };
    it.market.failures.push(...Array.from({ length: 1_000 }, () => refuse));
    await it.pass(3_600);
    expect(tries).toBeLessThan(20);
    expect(await it.notices('C1')).toMatchObject([{ about: 'feed-failing', code: 'bad-request' }]);
  });
});

describe('a clock that ran ahead and was set right', () => {
  it.each([false, true])(
    'leaves no subscription that begins in a time to come (paused: %s)',
    async (paused) => {
      const it = await openFeed();
      await it.subscribe('C2', 8);
      it.clock.shiftWallClock(2 * 3_600_000);
      await it.subscribe('C1', 7);
      if (paused) await it.subscribe('C2', 7);
      await it.pass(60);
      it.clock.shiftWallClock(-2 * 3_600_000);
      await it.pass(60);
      if (paused) await it.feed.pauseChannelFeed(channel('C1'), ann);
      it.market.publish(7, 'one');
      await it.pass(60);
      if (paused) await it.feed.resumeChannelFeed(channel('C1'), ann);
      await it.pass(60);
      expect(await it.posted('C1')).toEqual(['one']);
      expect(it.market.totalCharged).toBe(1);
    },
  );

  it('silences no filter', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(20);
    await it.stop();
    const wrong = new FeedWorld({
      clock: ahead(it.clock, 400 * 24 * 3_600_000),
      disk: it.disk,
      market: it.market,
    });
    await wrong.start();
    await wrong.pass(60);
    await wrong.stop();
    const right = new FeedWorld({ clock: it.clock, disk: it.disk, market: it.market });
    await right.start();
    it.market.publish(7, 'after');
    await right.pass(120);
    expect(await right.cards('C1')).toEqual(['after']);
    await right.stop();
  });
});
