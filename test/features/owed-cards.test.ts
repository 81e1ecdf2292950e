/**
 * Cards that a channel gets later: after a pause, a raise or an outage, and those of the past that it asked
 * for.
 */
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

/** The titles of a channel's cards. */
function titlesIn(person: Person, channel: string): readonly string[] {
  const cards = person.reads(channel).filter((it) => it.offers('Details'));
  return cards.map(({ text }) => /New project: ([^·]*) ·/u.exec(text)?.[1] ?? text).toSorted();
}

/** Publishes these for the channel `web` and whoever else follows its filter. */
async function publish(market: Desk['market'], ...titles: readonly string[]): Promise<void> {
  const published = titles.map((title) => market.publish({ ...SHOP, title }));
  for (const each of published) await each.cardIn('web');
}

appTest(
  'a pause keeps back all, and what was muted or ruled out meanwhile stays away',
  async ({ market, ada, pass }) => {
    await ada.type('/gig subscribe filter 101', 'data');
    await publish(market, 'WordPress before');
    await ada.type('/gig pause', 'data');
    await publish(market, 'WordPress theme', 'A logo', 'Wanted');
    const [card] = ada.reads('data').filter((it) => it.offers('Details'));
    if (!card) return expect.fail('no card');
    await (await ada.press(card, 'Mute')).send({ 'What to mute': 'Projects that mention “wordpress' });
    await ada.type('/gig subscribe filter 101 -logo', 'data');
    await pass(2 * MINUTE);
    expect(titlesIn(ada, 'data')).toEqual(['WordPress before']);
    await ada.type('/gig pause off', 'data');
    await pass(2 * MINUTE);
    expect(titlesIn(ada, 'data')).toEqual(['Wanted', 'WordPress before']);
  },
);

appTest(
  'a subscription that ended is owed nothing, also after it began anew',
  async ({ market, ada, pass }) => {
    await ada.type('/gig subscribe filter 101', 'data');
    await ada.type('/gig pause', 'data');
    await publish(market, 'In the pause');
    await (await ada.type('/gig list', 'data')).press('Unsubscribe');
    await ada.type('/gig subscribe filter 101', 'data');
    await ada.type('/gig pause off', 'data');
    await pass(2 * MINUTE);
    await publish(market, 'Afterwards');
    await pass(10 * SECOND);
    expect(titlesIn(ada, 'data')).toEqual(['Afterwards']);
  },
);

appTest('a pause ends by itself, to the second', async ({ app, market, ada, pass }) => {
  const paused = app.clock.now();
  await ada.type('/gig pause 2h');
  market.publish({ ...SHOP, title: 'In the pause' });
  const ends = paused + 2 * HOUR;
  await pass(ends - SECOND - app.clock.now());
  expect(titlesIn(ada, 'web')).toEqual([]);
  await pass(3 * SECOND);
  expect(titlesIn(ada, 'web')).toEqual(['In the pause']);
});

appTest(
  'a channel without a budget gets its cards with a raise that buys a page',
  async ({ market, ada, pass }) => {
    await ada.type('/gig budget 0', 'data');
    await ada.type('/gig subscribe filter 101', 'data');
    await publish(market, 'Owed');
    await pass(MINUTE);
    for (const [budget, titles] of [
      [9, []],
      [10, ['Owed']],
    ] as const) {
      await ada.type(`/gig budget ${budget}`, 'data');
      await pass(MINUTE);
      expect(titlesIn(ada, 'data')).toEqual(titles);
    }
    expect((await ada.type('/gig budget', 'data')).text).toContain('0 of 10 credits');
  },
);

appTest(
  'a backfill is paid by its channel alone, and holds up nobody',
  async ({ app, market, ada, pass }) => {
    market.service.addFilter({ id: 102 });
    for (let each = 10; each < 40; each++) {
      market.publish({ ...SHOP, title: `Past ${each}` }, 102);
      app.clock.moveBy(10 * SECOND);
    }
    await ada.type('/gig subscribe filter 102');
    await ada.type('/gig budget 5', 'data');
    await ada.type('/gig subscribe filter 102 backfill 15', 'data');
    await pass(10 * MINUTE);
    await market.publish({ ...SHOP, title: 'New' }, 102).cardIn('web');
    expect(titlesIn(ada, 'web')).toEqual(['New']);
    await ada.type('/gig budget 100', 'data');
    await pass(5 * MINUTE);
    const newest = Array.from({ length: 15 }, (_, each) => `Past ${each + 25}`);
    const said = ada.reads('data').map(({ text }) => text);
    expect(said.join('\n')).toMatch(/15 past projects/u);
    const summary = ada.reads('data').find((it) => it.offers('Show Best'));
    for (let presses = 0; presses < 2 && summary; presses++) {
      await ada.press(summary, presses === 0 ? 'Show Best' : 'Show All');
      await pass(MINUTE);
    }
    expect(titlesIn(ada, 'data').filter((title) => title.startsWith('Past'))).toEqual(newest);
    expect(titlesIn(ada, 'web')).toEqual(['New']);
    expect((await ada.type('/gig budget')).text).toMatch(/\b[01] of 500 credits/u);
  },
);

appTest(
  'one filter that answers slowly, or is gone, concerns its channel alone',
  async ({ app, market, ada, pass }) => {
    market.service.addFilter({ id: 102, name: 'Shops' });
    await ada.type('/gig subscribe filter 102', 'data');
    await pass(20 * SECOND);
    const slow = market.fail('/filters/101/projects', { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
    await app.until('a slow read', () => slow.hits() > 0);
    market.publish({ ...SHOP, title: 'Of another' }, 102);
    // The slow read ends after 20 s.
    await pass(15 * SECOND);
    expect(titlesIn(ada, 'data')).toEqual(['Of another']);
    slow.cancel();
    await pass(2 * MINUTE);
    const notices = (channel: string) => ada.reads(channel).filter((it) => !it.offers('Details'));
    const before = [notices('web').length, notices('data').length];
    const gone = market.fail('/filters/101/projects', presetFaults.status(404), Number.POSITIVE_INFINITY);
    await pass(MINUTE);
    market.publish({ ...SHOP, title: 'Of another again' }, 102);
    await pass(20 * SECOND);
    expect(gone.hits()).toBeGreaterThan(0);
    expect(titlesIn(ada, 'data')).toEqual(['Of another', 'Of another again']);
    expect([notices('web').length, notices('data').length]).toEqual([(before[0] ?? 0) + 1, before[1]]);
    expect(notices('web').at(-1)?.text).toContain('React work');
  },
);

appTest(
  'cards are forgotten after 90 days, but not those in use, and none comes again',
  async ({ app, market, ada, ben, pass }) => {
    market.service.setModes({ ignoreLatestPublishedTs: true });
    await publish(market, 'Forgotten', 'In use');
    const sleep = async (days: number) => {
      await app.kill();
      app.clock.moveBy(days * DAY);
      await app.start();
      await pass(MINUTE);
    };
    const [one, other] = ada.reads('web').filter((it) => it.offers('Details'));
    if (!one || !other) return expect.fail('no cards');
    const [forgotten, used] = one.text.includes('Forgotten') ? [one, other] : [other, one];
    await ada.type('/gig pause');
    await sleep(60);
    await ben.press(used, 'Claim');
    await sleep(40);
    await ada.type('/gig pause off');
    await pass(5 * MINUTE);
    expect(titlesIn(ada, 'web')).toEqual(['Forgotten', 'In use']);
    await ben.press(used, 'Release');
    expect(used.offers('Claim')).toBe(true);
    const answer = await ben.press(forgotten, 'Claim');
    expect(answer.text).not.toContain('Claimed by');
  },
);
