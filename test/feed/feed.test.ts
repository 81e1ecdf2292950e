import { describe, expect, it } from 'vitest';
import { recordProjectAlias } from '../../src/aliases/project-aliases.ts';
import { ann, channel, type FeedWorld, keysFrom, openFeed, team } from './feed-world.ts';

describe('a new subscription', () => {
  it('starts at now, and tells what is published from then on', async () => {
    const it = await openFeed();
    it.market.publish(7, 'before');
    await it.pass(30);
    expect(await it.subscribe('C1', 7)).toMatchObject({ kind: 'subscribed' });
    await it.pass(20);
    it.market.publish(7, 'after');
    await it.pass(30);
    expect(await it.posted('C1')).toEqual(['after']);
    expect(it.market.totalCharged).toBe(1);
  });

  it('posts projects published in the very second it begins or a page is read', async () => {
    const it = await openFeed();
    it.clock.moveBy(200);
    await it.subscribe('C1', 7);
    it.clock.moveBy(300);
    it.market.publish(7, 'same second');
    it.market.publish(7, 'dated in whole seconds', {
      publishedAt: Math.floor(it.clock.now() / 1_000) * 1_000,
    });
    await it.pass(11);
    it.market.publish(7, 'as it was read');
    await it.pass(10.2);
    it.market.publish(7, 'just after');
    await it.pass(60);
    expect((await it.posted('C1')).toSorted()).toEqual([
      'as it was read',
      'dated in whole seconds',
      'just after',
      'same second',
    ]);
  });

  it('tells only what its rules let through', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7, { rules: 'react' });
    await it.pass(5);
    it.market.publish(7, 'good', { title: 'A React app' });
    it.market.publish(7, 'other', { title: 'A logo' });
    await it.pass(30);
    expect(await it.posted('C1')).toEqual(['good']);
    expect(await it.cards('C1', 'suppressed')).toEqual(['other']);
  });

  it('refuses rules that cannot be read', async () => {
    const it = await openFeed();
    expect(await it.subscribe('C1', 7, { rules: 'budget:>lots' })).toMatchObject({ kind: 'wrong-rules' });
    expect(await it.feed.listSubscriptions('C1' as never)).toEqual([]);
  });

  it('follows a filter whose results are not found, and says that nothing confirms it', async () => {
    const it = await openFeed();
    const unknown = { channel: 'C1', filter: 999, rules: '', backfill: 0, by: 'U1' } as never;
    expect(await it.feed.subscribe(unknown)).toMatchObject({ kind: 'subscribed', unconfirmed: 'no-results' });
    expect(await it.feed.listSubscriptions('C1' as never)).toMatchObject([{ filter: { id: 999 } }]);
  });

  it('refuses rules that are too long once they are written out, and could not be read then', async () => {
    const it = await openFeed();
    const rules = (words: number) => `verified:y ${'x'.repeat(words)}`;
    const refused = await it.subscribe('C1', 7, { rules: rules(489) });
    expect(refused).toMatchObject({
      kind: 'wrong-rules',
      mistake: {
        at: 498,
        length: 2,
        message: expect.stringMatching(/\b502\b.*\b500\b/u),
      },
    });
    expect(refused).toMatchSnapshot();
    expect(await it.feed.listSubscriptions(channel('C1'))).toEqual([]);
    expect(await it.subscribe('C1', 7, { rules: rules(487) })).toMatchObject({ kind: 'subscribed' });
    it.market.publish(7, 'one');
    await it.pass(60);
    expect(await it.cards('C1')).toEqual([]);
  });
});

describe('one card a project and channel', () => {
  it('names every filter that found it', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.subscribe('C1', 8);
    await it.pass(10);
    it.market.publish([7, 8], 'both');
    await it.pass(40);
    expect(await it.posted('C1')).toEqual(['both']);
    const view = await it.disk.read((tx) => it.feed.readCardData(tx, 'C1' as never, 'both' as never));
    expect(view?.filters.map((filter) => filter.id).sort()).toEqual([7, 8]);
    expect(it.market.totalCharged).toBe(1);
  });

  it('is told through another filter when the rules of the first withheld it', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7, { rules: 'react' });
    await it.subscribe('C1', 8);
    await it.pass(10);
    it.market.publish([7, 8], 'both');
    await it.pass(40);
    expect(await it.posted('C1')).toEqual(['both']);
  });

  it('is fetched once for two channels, which share the cost', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.subscribe('C2', 7);
    await it.pass(10);
    for (const key of keysFrom(1, 4)) it.market.publish(7, key);
    await it.pass(30);
    expect(await it.posted('C1')).toHaveLength(4);
    expect(await it.posted('C2')).toHaveLength(4);
    expect([await it.spent('C1'), await it.spent('C2')]).toEqual([2, 2]);
  });
});

describe('a project that lists name by its uid and by its ~id', () => {
  it('is one card, and one project on record, once both are known to mean it', async () => {
    const it = await openFeed();
    await it.disk.transact((tx) => recordProjectAlias(tx, team, { uid: 'ab1', ciphertext: '~012' }, 0));
    await it.subscribe('C1', 7);
    await it.subscribe('C1', 8);
    await it.pass(60);
    it.market.publish(7, 'uid:ab1');
    await it.pass(120);
    it.market.publish(8, '~012');
    it.market.publish(8, '~099');
    await it.pass(120);
    expect((await it.cards('C1')).sort()).toEqual(['uid:ab1', '~099']);
  });
});

describe('a budget', () => {
  it('of 25 buys exactly 25 of 100 waiting projects; the rest comes after a raise', async () => {
    const it = await openFeed({ budget: 25 });
    await it.subscribe('C1', 7);
    await it.pass(5);
    for (const key of keysFrom(1, 100)) {
      it.clock.moveBy(50);
      it.market.publish(7, key);
    }
    await it.pass(120);
    expect(it.market.totalCharged).toBe(25);
    expect(await it.spent('C1')).toBe(25);
    expect(await it.posted('C1')).toHaveLength(25);
    expect((await it.notices('C1')).map((notice) => notice.about)).toEqual(['budget-low', 'budget-spent']);
    const asked = it.market.asked.length;
    await it.setBudget('C1', 500);
    it.feed.wake();
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 100));
    expect(it.market.totalCharged).toBe(100);
    expect(it.market.asked.length).toBeGreaterThan(asked);
  });

  it('that is gone in one channel owes its cards there, and tells them after a raise', async () => {
    const it = await openFeed();
    await it.setBudget('C1', 0);
    await it.subscribe('C1', 7);
    await it.subscribe('C2', 7);
    await it.pass(5);
    it.market.publish(7, 'one');
    await it.pass(30);
    expect(await it.posted('C1')).toEqual([]);
    expect(await it.cards('C1', 'deferred')).toEqual(['one']);
    expect(await it.posted('C2')).toEqual(['one']);
    await it.setBudget('C1', 50);
    it.feed.wake();
    await it.pass(5);
    expect(await it.posted('C1')).toEqual(['one']);
    expect(await it.spent('C1')).toBe(0);
  });
});

describe('a pause', () => {
  it('stops polls; the backlog comes on resume', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(20);
    await it.feed.pauseChannelFeed('C1' as never, 'UANN' as never);
    const asked = it.market.asked.length;
    for (const key of keysFrom(1, 30)) {
      it.market.publish(7, key);
      await it.pass(20);
    }
    expect(it.market.asked.length - asked).toBeLessThanOrEqual(1);
    expect(await it.feed.resumeChannelFeed('C1' as never, ann)).toBe(true);
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 30));
  });
});

describe('a backfill', () => {
  it('tells the newest of the past, says when it is done, and buys no more than pages need', async () => {
    const it = await openFeed();
    for (const key of keysFrom(1, 40)) {
      it.market.publish(7, key);
      await it.pass(10);
    }
    await it.subscribe('C1', 7, { backfill: 15 });
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(26, 40));
    expect(it.market.totalCharged).toBeLessThanOrEqual(20);
    expect(await it.notices('C1')).toMatchObject([{ about: 'backfill-done', asked: 15, posted: 15 }]);
  });

  async function withPast(): Promise<FeedWorld> {
    const it = await openFeed();
    for (const key of keysFrom(1, 60)) {
      it.market.publish(7, key);
      await it.pass(10);
    }
    return it;
  }

  it('that its channel can not pay for keeps nobody waiting for what is new', async () => {
    const it = await withPast();
    await it.subscribe('C1', 7);
    await it.setBudget('C2', 15);
    await it.subscribe('C2', 7, { backfill: 40 });
    await it.pass(20 * 60);
    for (const key of keysFrom(101, 106)) {
      it.market.publish(7, key);
      await it.pass(120);
      expect(await it.cards('C1')).toContain(key);
      await it.pass(600);
    }
  });

  it('that its channel can not pay for does not hold up another', async () => {
    const it = await withPast();
    await it.setBudget('C1', 0);
    await it.subscribe('C1', 7, { backfill: 40 });
    await it.pass(60);
    await it.subscribe('C2', 7, { backfill: 10 });
    await it.pass(120);
    expect(await it.cards('C2')).toEqual(keysFrom(51, 60));
    expect(await it.spent('C2')).toBe(10);
    await it.setBudget('C1', 500);
    it.feed.wake();
    await it.pass(120);
    expect(await it.cards('C1')).toEqual(keysFrom(21, 60));
  });

  it('that can not be paid leaves alone what a burst left behind', async () => {
    const it = await withPast();
    await it.subscribe('C1', 7);
    await it.setBudget('C2', 0);
    await it.subscribe('C2', 7, { backfill: 40 });
    await it.pass(20 * 60);
    for (const key of keysFrom(101, 160)) it.market.publish(7, key);
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(101, 160));
  });
});

describe('a server that counts milliseconds', () => {
  it('is not taken for one that ignores what is passed, because it was first asked in seconds', async () => {
    const it = await openFeed({ ways: { milliseconds: true } });
    for (const key of keysFrom(1, 30)) {
      it.market.publish(7, key);
      await it.pass(60);
    }
    await it.subscribe('C1', 7);
    await it.pass(60);
    const { length } = it.market.asked;
    for (const key of keysFrom(101, 170)) {
      it.market.publish(7, key);
      it.clock.moveBy(50);
    }
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(keysFrom(101, 170));
    expect(it.market.asked.slice(length).map(({ limit }) => limit)).toContain(100);
    expect(it.market.totalCharged).toBe(70);
  });
});

describe('a new billing period', () => {
  it('charges no project twice that need not be read again', async () => {
    const it = await openFeed();
    await it.subscribe('C1', 7);
    await it.pass(5);
    for (const key of keysFrom(1, 5)) it.market.publish(7, key);
    await it.pass(60);
    expect(it.market.totalCharged).toBe(5);
    it.clock.moveTo(it.market.resetsAt + 1_000);
    it.market.nextPeriod();
    it.market.publish(7, 'p006');
    await it.pass(300);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 6));
    expect(it.market.totalCharged).toBe(6);
  });
});
