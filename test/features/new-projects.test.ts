/** New projects of a filter: each comes once, only where it is wanted, and nobody pays for the past. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

const emptyTest = appTestWith({ empty: true });

const cardsIn = ({ person }: Pick<Desk, 'person'>, channel: string): readonly Message[] =>
  person('ada')
    .reads(channel)
    .filter((it) => it.offers('Details'));

/** Publishes a past of one project a minute. */
function publishPast({ app, market }: Desk, count: number): void {
  market.service.addFilter({ id: 101, name: 'React work' });
  for (let each = 1; each <= count; each++) {
    market.publish({ ...SHOP, title: `Past ${each}` });
    app.clock.moveBy(MINUTE);
  }
}

emptyTest.for([
  ['as described', {}],
  ['in milliseconds, oldest first', { milliseconds: true, oldestFirst: true }],
  ['in milliseconds, and shows no unit on an empty page', { milliseconds: true, silentMarks: true }],
  ['in seconds, and shows no unit on an empty page', { silentMarks: true }],
  ['refusing a time far ahead and `limit`', { refuseFarMarks: true, refuseLimit: true }],
] as const)(
  'each is told once, and none of the past is bought, by a server that counts %s',
  async ([, modes], { desk, market, ada, pass }) => {
    market.service.setModes(modes);
    publishPast(desk, 30);
    await ada.type('/gig subscribe filter 101');
    for (let each = 0; each < 8; each++) {
      market.publish({ ...SHOP, title: `New ${each}` });
      await pass(7 * SECOND);
    }
    await pass(2 * MINUTE);
    const titles = cardsIn(desk, 'web').map(({ text }) => /New \d/u.exec(text)?.[0] ?? '');
    expect(titles.toSorted()).toEqual(Array.from({ length: 8 }, (_, each) => `New ${each}`));
    expect(market.service.consumedCredits().total).toBe(8);
  },
);

appTest('a page has room for as many as the last one showed', async ({ market, pass }) => {
  for (let each = 0; each < 10; each++) market.publish({ ...SHOP, title: `Shop ${each}` });
  await pass(2 * MINUTE);
  const newest = market.requests(PATHS.projects).filter(({ query }) => !query['next_cursor']);
  expect(Number(newest.at(-1)?.query['limit'])).toBeGreaterThan(10);
});

appTest('a project of two filters is one card that names both', async ({ desk, market, ada }) => {
  market.service.addFilter({ id: 102 });
  await ada.type('/gig subscribe filter 102 -wordpress rating:>=4');
  const card = await market.publish({ ...SHOP, client: { rating: 4.8 } }, [101, 102]).cardIn('web');
  await desk.pass(MINUTE);
  for (const name of ['Filters:', 'React work', 'filter 102']) expect(card.text).toContain(name);
  for (const [title, rating] of [
    ['A WordPress theme', 4.9],
    ['A shop', 2.1],
  ] as const)
    market.publish({ ...SHOP, title, client: { rating } }, 102);
  await desk.pass(MINUTE);
  expect(cardsIn(desk, 'web')).toHaveLength(1);
  expect(market.service.consumedCredits().total).toBe(3);
});

appTest(
  'two channels that follow a filter share its reads and its cost',
  async ({ desk, market, ada, pass }) => {
    await ada.type('/gig subscribe filter 101', 'data');
    await pass(30 * SECOND);
    const before = market.requests(PATHS.projects).length;
    for (let each = 0; each < 6; each++) market.publish({ ...SHOP, title: `No. ${each}` });
    await pass(25 * SECOND);
    expect(market.requests(PATHS.projects).length - before).toBeLessThanOrEqual(3);
    for (const channel of ['web', 'data']) {
      expect(cardsIn(desk, channel)).toHaveLength(6);
      expect((await ada.type('/gig budget', channel)).text).toContain('3 of 500 credits');
    }
  },
);

appTest(
  'a verdict comes later, and is that of the filter of its channel',
  async ({ desk, market, ada, pass }) => {
    market.service.setModes({ ignoreLatestPublishedTs: true });
    for (const id of [103, 104]) market.service.addFilter({ id, qualifier: true });
    await ada.type('/gig subscribe filter 103');
    await ada.type('/gig subscribe filter 104 qualified:no', 'data');
    const { project, cardIn } = market.publish(SHOP, [103, 104]);
    const card = await cardIn('web');
    expect(card.text).not.toContain('Fits us');
    market.service.setVerdict(project.id, { decision: 'qualified', reason: 'Fits us' }, [103]);
    market.service.setVerdict(project.id, { decision: 'disqualified', reason: 'Pays too little' }, [104]);
    await pass(20 * MINUTE);
    expect(card.text).toContain('Fits us');
    expect(cardsIn(desk, 'data').map(({ text }) => text)).toEqual([
      expect.stringContaining('Pays too little'),
    ]);
    const updates = desk.slack.apiCalls('chat.update').length;
    await pass(10 * MINUTE);
    expect(desk.slack.apiCalls('chat.update')).toHaveLength(updates);
    expect(market.service.consumedCredits().total).toBe(1);
  },
);

emptyTest('a few of the past come on request, the newest', async ({ desk, market, ada, pass }) => {
  publishPast(desk, 30);
  await ada.type('/gig subscribe filter 101 backfill 10');
  await pass(2 * MINUTE);
  const titles = cardsIn(desk, 'web').map(({ text }) => Number(/Past (\d+)/u.exec(text)?.[1]));
  expect(titles.toSorted((a, b) => a - b)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  expect(market.service.consumedCredits().total).toBe(10);
});

emptyTest('many of the past come after a question, once', async ({ desk, market, ben, pass }) => {
  publishPast(desk, 60);
  const asked = await ben.type('/gig subscribe filter 101 backfill 40 type:fixed');
  for (const words of ['40 past projects', '49 credits', 'type:fixed']) expect(asked.text).toContain(words);
  await pass(2 * MINUTE);
  expect(ben.reads('web')).toEqual([]);
  expect((await ben.type('/gig list')).text).toContain('gets nothing');
  expect(market.service.consumedCredits().total).toBe(0);
  await Promise.all([asked.press('Subscribe'), asked.press('Subscribe')]);
  await pass(20 * MINUTE);
  const said = ben.reads('web').filter(({ text }) => text.includes('subscribed this channel'));
  expect(said.map(({ text }) => text)).toEqual([expect.stringContaining('40 past projects')]);
  const spent = market.service.consumedCredits().total;
  expect(spent).toBeGreaterThan(20);
  expect(spent).toBeLessThanOrEqual(49);
});

appTest('a card stands whatever its project says', async ({ market }) => {
  const card = await market
    .publish({
      ...SHOP,
      title: `<!channel> <https://evil.example|Pay here> \u202Egnp.exe\u0000 ${'x'.repeat(100_000)}`,
      description: `<!here> & <@U123> ${'y'.repeat(100_000)}`,
      skills: ['<!everyone>', '*bold*'],
    })
    .cardIn('web');
  expect(card.text).toContain('<!channel>');
  expect(card.offers('Bid')).toBe(true);
});
