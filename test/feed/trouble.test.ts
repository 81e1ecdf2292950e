import { afterEach, describe, expect, it } from 'vitest';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { ann, channel, FeedWorld, filterId, type WorldOptions } from './feed-world.ts';

let world: FeedWorld | undefined;
afterEach(() => world?.stop());

async function open(options: WorldOptions = {}): Promise<FeedWorld> {
  world = new FeedWorld(options);
  await world.start();
  await world.subscribe('C1', 7);
  await world.subscribe('C2', 8);
  await world.pass(15);
  return world;
}

function failure(code: MarketplaceErrorCode): MarketplaceError {
  const refused = ['unauthorised', 'forbidden', 'subscription-inactive', 'not-found', 'bad-request'];
  return new MarketplaceError(code, refused.includes(code) ? 'none' : 'unknown', 'failed');
}

function breakAll(it: FeedWorld, code: MarketplaceErrorCode): void {
  for (const filter of [7, 8]) it.market.broken.set(filter, failure(code));
}

describe('the marketplace in trouble', () => {
  it('is told once when it lasts, shown in the status, and told once when it is over', async () => {
    const it = await open();
    breakAll(it, 'server');
    await it.pass(100);
    expect(await it.notices('C1')).toEqual([]);
    expect((await it.feed.readFeedStatus()).trouble?.code).toBe('server');
    expect((await it.feed.listSubscriptions(channel('C1')))[0]?.state).toMatchObject({ kind: 'failing' });
    await it.pass(1_000);
    expect(await it.notices('C1')).toMatchObject([{ about: 'feed-failing', code: 'server', filters: [] }]);
    it.market.publish(7, 'meanwhile');
    it.market.broken.clear();
    await it.pass(300);
    expect((await it.feed.readFeedStatus()).trouble).toBeUndefined();
    expect((await it.notices('C1')).map((notice) => notice.about)).toEqual([
      'feed-failing',
      'feed-recovered',
    ]);
    expect((await it.notices('C2')).map((notice) => notice.about)).toEqual([
      'feed-failing',
      'feed-recovered',
    ]);
    expect(await it.posted('C1')).toEqual(['meanwhile']);
  });

  it('is told to be over before what had waited for that, also where it came at once', async () => {
    const it = await open();
    breakAll(it, 'server');
    await it.pass(1_100);
    for (let count = 0; count < 30; count++) it.market.publish(7, `waited ${count}`);
    it.market.broken.clear();
    await it.pass(300);
    const kinds = (await it.posts('C1')).map(({ content }) =>
      content.kind === 'notice' ? content.notice.about : content.kind,
    );
    expect(kinds.slice(0, 2)).toEqual(['feed-failing', 'feed-recovered']);
    expect(kinds.length).toBeGreaterThan(2);
  });

  it('is told of nobody when it passes soon', async () => {
    const it = await open();
    breakAll(it, 'network');
    await it.pass(60);
    it.market.broken.clear();
    await it.pass(200);
    expect(await it.notices('C1')).toEqual([]);
  });

  it('is tried with one poll at a time, at growing pauses', async () => {
    const it = await open();
    let tries = 0;
    it.market.failures.push(
      ...Array.from({ length: 100 }, () => () => {
        tries++;
        return failure('network');
      }),
    );
    await it.pass(600);
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(12);
  });

  it.each(['unauthorised', 'forbidden', 'subscription-inactive'] as const)(
    '%s is told at once',
    async (code) => {
      const it = await open();
      breakAll(it, code);
      await it.pass(30);
      expect(await it.notices('C1')).toMatchObject([{ about: 'feed-failing', code }]);
      it.market.broken.clear();
      await it.pass(400);
      expect((await it.notices('C1')).map((notice) => notice.about)).toEqual([
        'feed-failing',
        'feed-recovered',
      ]);
    },
  );
});

describe('one filter in trouble', () => {
  it('that is gone concerns its channel alone, and the others go on', async () => {
    const it = await open();
    it.market.broken.set(7, failure('not-found'));
    await it.pass(60);
    it.market.publish(8, 'other');
    await it.pass(30);
    expect(await it.notices('C1')).toMatchObject([
      { about: 'feed-failing', code: 'not-found', filters: [{ id: 7 }] },
    ]);
    expect(await it.notices('C2')).toEqual([]);
    expect(await it.posted('C2')).toEqual(['other']);
  });

  it('that always fails does not stop the others', async () => {
    const it = await open();
    it.market.broken.set(7, failure('unreadable'));
    await it.pass(60);
    it.market.publish(8, 'other');
    await it.pass(60);
    expect(await it.posted('C2')).toEqual(['other']);
    await it.pass(900);
    expect(await it.notices('C1')).toMatchObject([{ about: 'feed-failing', filters: [{ id: 7 }] }]);
    expect(await it.notices('C2')).toEqual([]);
  });

  it('that answers slowly holds up no other', async () => {
    const it = await open();
    it.market.held.set(7, new Promise(() => {}));
    await it.pass(20);
    it.market.publish(8, 'other');
    await it.pass(30);
    expect(await it.posted('C2')).toEqual(['other']);
    it.market.held.clear();
    world = undefined;
  });
});

describe('the end of a trouble', () => {
  it.each([
    ['one filter', () => new Map([[7, failure('not-found')]])],
    ['all', () => new Map([7, 8].map((filter) => [filter, failure('server')]))],
  ])(
    'of %s is told where it still matters: to who paused meanwhile, not to who unsubscribed',
    async (_, broken) => {
      const it = await open();
      for (const where of ['C3', 'C4']) await it.subscribe(where, 7);
      for (const [filter, error] of broken()) it.market.broken.set(filter, error);
      await it.pass(1_000);
      await it.feed.unsubscribe(channel('C3'), filterId(7), ann);
      await it.feed.pauseChannelFeed(channel('C4'), ann);
      it.market.broken.clear();
      await it.pass(2 * 3_600);
      const told = async (where: string) => (await it.notices(where)).map(({ about }) => about);
      expect(await told('C1')).toEqual(['feed-failing', 'feed-recovered']);
      expect(await told('C3')).toEqual(['feed-failing']);
      expect(await told('C4')).toEqual(['feed-failing', 'feed-recovered']);
    },
  );
});

describe('a subscription that can not be checked', () => {
  it('is not made while the marketplace refuses us, and the reason is handed on', async () => {
    const it = await open();
    it.market.broken.set(9, failure('unauthorised'));
    expect(await it.subscribe('C1', 9)).toMatchObject({ kind: 'failed', error: { code: 'unauthorised' } });
    expect(await it.feed.listSubscriptions(channel('C1'))).toHaveLength(1);
  });

  it('is made where nobody answers, and checked by the first read', async () => {
    const it = await open();
    it.market.broken.set(9, failure('network'));
    expect(await it.subscribe('C1', 9)).toMatchObject({ kind: 'subscribed', unconfirmed: 'unchecked' });
    it.market.broken.clear();
    await it.pass(120);
    const views = await it.feed.listSubscriptions(channel('C1'));
    expect(views.map((view) => view.state.kind)).toEqual(['live', 'live']);
  });
});

describe('credits that are gone', () => {
  it('are asked for with a page that still fits', async () => {
    const it = await open({ budget: 500 });
    it.market.remaining = 14;
    for (let each = 0; each < 60; each++) {
      it.market.publish(7, `p${each}`);
      it.clock.moveBy(400);
    }
    await it.pass(60);
    expect(it.market.remaining).toBeLessThan(10);
    expect(await it.posted('C1')).toHaveLength(it.market.totalCharged);
    expect((await it.notices('C1')).map((notice) => notice.about)).toEqual(['account-credits-spent']);
    const { length } = it.market.asked;
    it.market.remaining = 1_000;
    await it.pass(30 * 60);
    expect(it.market.asked.length).toBeGreaterThan(length);
    expect(await it.posted('C1')).toHaveLength(60);
  });
});
