/** Faults of the marketplace: each project arrives once all the same, and people hear what they can help. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, FILTER, PATHS, SHOP } from '../kit/start-desk.ts';

const { projects } = PATHS;
const always = Number.POSITIVE_INFINITY;

/** A second filter, and a second channel that follows the first. */
async function followMore({ market, person, pass }: Desk): Promise<void> {
  const ada = person('ada');
  market.service.addFilter({ id: 102 });
  await ada.type('/gig subscribe filter 102');
  await ada.type(`/gig subscribe filter ${FILTER.id}`, 'data');
  await pass(MINUTE);
}

let published = 0;
const publishSome = ({ market }: Desk, count: number) =>
  Array.from({ length: count }, () => {
    const title = `Project no. ${++published}.`;
    market.publish({ ...SHOP, title }, [101, 102]);
    return title;
  });

/** The titles on a channel's cards. */
const titlesIn = ({ person }: Desk, channel: string) =>
  person('ada')
    .reads(channel)
    .filter((it) => it.offers('Details'))
    .map(({ text }) => /Project no\. \d+\./u.exec(text)?.[0] ?? text)
    .toSorted();

/** What a channel reads besides cards. */
const newsIn = ({ person }: Desk, channel: string) =>
  person('ada')
    .reads(channel)
    .filter((it) => !it.offers('Details'))
    .map(({ text }) => text);

describe('every project arrives once in spite of', () => {
  const groups: Readonly<Record<string, readonly MarketplaceFaultEffect[]>> = {
    refusals: [presetFaults.rateLimited('7'), presetFaults.rateLimited(), presetFaults.status(503)],
    'strange answers': [
      presetFaults.html(),
      presetFaults.wrongJson(),
      presetFaults.errorAfterEffect(),
      { kind: 'huge-body', bytes: 9 * 2 ** 20 },
    ],
    'bad connections': [
      { kind: 'drop', when: 'before' },
      { kind: 'drop', when: 'after' },
      { kind: 'break-body' },
      { kind: 'hold-headers', ms: 4_000 },
      { kind: 'hold-body', ms: 4_000 },
    ],
  };
  const modes = [
    { ignoreLatestPublishedTs: true },
    { refuseLimit: true },
    { extraFields: true, skillsAsArray: true, oldestFirst: true },
    { missingFields: true },
    { nullFields: true },
    { redirectUrls: true },
  ];

  /** Publishes some. They arrive in both channels, and each stands once beside those before. */
  const expectAll = async (desk: Desk, titles: string[]): Promise<void> => {
    const isThere = () => titlesIn(desk, 'data').length >= titles.length;
    titles.push(...publishSome(desk, 3));
    await desk.app.until('the first', isThere, 15 * MINUTE);
    titles.push(...publishSome(desk, 2));
    await desk.app.until('the others', isThere, 15 * MINUTE);
    await desk.pass(MINUTE);
    for (const channel of ['web', 'data']) expect(titlesIn(desk, channel)).toEqual(titles.toSorted());
    expect(desk.market.service.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
  };

  appTest.for(Object.keys(groups))('%s', async (group, { desk, market }) => {
    await followMore(desk);
    const titles: string[] = [];
    for (const fault of groups[group] ?? []) {
      market.fail(projects, fault, 3);
      await expectAll(desk, titles);
      market.service.clearFaults();
    }
  });

  appTest.for(modes)('answers with %j', async (mode, { desk, market }) => {
    await followMore(desk);
    market.service.setModes(mode);
    await expectAll(desk, []);
  });

  appTest('a real limit of 5 a minute, which is found', async ({ desk, app, market }) => {
    await followMore(desk);
    market.service.setRequestsPerMinute(5);
    const titles = publishSome(desk, 4);
    await desk.pass(20 * MINUTE);
    titles.push(...publishSome(desk, 3));
    await desk.pass(10 * MINUTE);
    expect(titlesIn(desk, 'web')).toEqual(titles.toSorted());
    const late = market.service.requests().filter((it) => it.at > app.clock.now() - 9 * MINUTE);
    expect(late.filter((it) => it.status === 429).length).toBeLessThanOrEqual(1);
  });
});

describe('what can’t be helped by waiting a moment', () => {
  const cases = [
    ['the API down', presetFaults.status(500), 'marketplace is returning errors'],
    ['a token refused', presetFaults.status(401), 'rejected the API token'],
    ['an inactive subscription', presetFaults.status(402), 'subscription is inactive'],
  ] as const;

  appTest.for(cases)(
    '%s is heard once, shows in the status, and ends by itself',
    async ([, fault, what], { desk, market, ada, pass }) => {
      await followMore(desk);
      const before = { web: newsIn(desk, 'web').length, data: newsIn(desk, 'data').length };
      market.fail({}, fault, always);
      const titles = publishSome(desk, 2);
      await pass(30 * MINUTE);
      const [news, ...more] = newsIn(desk, 'web').slice(before.web);
      expect(news).toContain(what);
      expect(more).toEqual([]);
      expect(newsIn(desk, 'data').slice(before.data)).toHaveLength(1);
      expect((await ada.type('/gig status')).text).toContain(what);
      market.service.clearFaults();
      titles.push(...publishSome(desk, 1));
      await pass(10 * MINUTE);
      expect(titlesIn(desk, 'web')).toEqual(titles.toSorted());
      expect(newsIn(desk, 'web')).toHaveLength(before.web + 2);
    },
  );

  appTest(
    'an account without credits is heard of once, until a top-up',
    async ({ desk, market, ada, pass }) => {
      await followMore(desk);
      const heard = (channel: string, what: string) =>
        newsIn(desk, channel).filter((text) => text.includes(what)).length;
      market.service.setCredits(0);
      const titles = publishSome(desk, 3);
      await pass(20 * MINUTE);
      expect((await ada.type('/gig status')).text).toContain('out of credits');
      for (const channel of ['web', 'data']) {
        expect(heard(channel, 'the marketplace account has no credits left')).toBe(1);
        expect(heard(channel, 'are back')).toBe(0);
      }
      market.service.topUpCredits(500);
      await pass(2 * MINUTE);
      expect(titlesIn(desk, 'web')).toEqual(titles.toSorted());
      await pass(20 * MINUTE);
      for (const channel of ['web', 'data']) {
        expect(heard(channel, 'the marketplace account has no credits left')).toBe(1);
        expect(heard(channel, 'are back')).toBe(1);
      }
    },
  );
});

appTest(
  'a pause after a 429 is what the status begins with, until it is over',
  async ({ app, market, ada, pass }) => {
    const refusal = market.fail(projects, presetFaults.rateLimited('40'));
    await app.until('a refused poll', () => refusal.hits() > 0);
    const first = async () => (await ada.type('/gig status')).text.split('\n')[0];
    expect(await first()).toMatch(/^:hourglass_flowing_sand:.*\b[34]\d seconds/u);
    await pass(3 * MINUTE);
    expect(await first()).toMatch(/Everything works: 1 feed live/u);
  },
);
