/** The marketplace panel of the page, and its change events. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR, SECOND } from '../../../src/clock.ts';
import type { MarketAction, PageEvent } from '../../../src/workbench/page/protocol.ts';
import { startDesk } from '../../kit/start-desk.ts';
import { openPage, type PageWorld } from './page-world.ts';

let page: PageWorld;

beforeEach(async () => {
  const desk = await startDesk({ empty: true });
  desk.market.service.addFilter({ id: 101, name: 'React work' });
  await desk.person('ada').type('/gig subscribe filter 101');
  page = await openPage(desk);
});

afterEach(() => page.stop());

type What = Extract<MarketAction, { kind: 'fault' }>['what'];
const order = (what: What) => page.market({ kind: 'fault', what });
const statuses = () => page.marketplace.requests().map(({ status }) => status);

it('shows what stands in the books', async () => {
  const { id } = page.marketplace.publishProject(101, { title: 'A <b>shop</b>' });
  await page.desk.pass(30 * SECOND);
  const books = await page.books();
  expect(books.projects[0]).toMatchObject({ id, title: 'A <b>shop</b>', filters: ['React work'] });
  expect(books.requests).toMatchObject({ limit: 30 });
  expect(books.requests.used).toBeGreaterThan(0);
  expect(books.credits.remaining).toBe(page.marketplace.creditsRemaining());
  expect(books.seen[0]).toMatchObject({ method: 'GET', path: '/filters/101/projects', status: 200 });
});

it.each([
  ['429', /\b3 .*\b429 .*\b20 s/u, 429],
  ['500', /\b500\b/u, 500],
] as const)(
  '%s strikes the next requests, and is over when it is called off',
  async (what, words, status) => {
    const before = statuses().length;
    expect(await order(what)).toEqual({ ok: true });
    expect((await page.books()).faults).toEqual([expect.stringMatching(words)]);
    await page.desk.pass(15 * SECOND);
    expect(statuses().slice(before)[0]).toBe(status);
    await order('off');
    expect((await page.books()).faults).toEqual([]);
    await page.desk.pass(90 * SECOND);
    expect(statuses().at(-1)).toBe(200);
  },
);

it('calling trouble off leaves how the marketplace answers otherwise', async () => {
  page.marketplace.setModes({ lists: 'data' });
  await order('slow');
  await order('drop');
  await order('lose-effect');
  const { faults } = await page.books();
  expect(faults).toEqual([
    expect.not.stringMatching(/\d/u),
    expect.stringMatching(/\b3 /u),
    expect.stringMatching(/\b5 s /u),
  ]);
  await order('off');
  const { text } = await page.desk.person('ada').type('/gig subscribe filter "React work"');
  expect(text).not.toContain('id');
});

it('makes things come about, and says where nothing can', async () => {
  expect(await page.market({ kind: 'credits', remaining: 3 })).toEqual({ ok: true });
  expect((await page.books()).credits.remaining).toBe(3);
  expect(await page.market({ kind: 'refill' })).toEqual({ ok: true });
  expect((await page.books()).credits.remaining).toBe(page.marketplace.creditsPerPeriod());
  page.life.publishHinted.mockResolvedValueOnce('sent');
  for (const kind of ['hurry', 'publish', 'publish-hinted', 'publish-strange', 'invite', 'run-jobs'] as const)
    expect(await page.market({ kind })).toEqual({ ok: true });
  for (const { mock } of Object.values({ ...page.life, outcome: page.life.hurry }))
    expect(mock.calls).toHaveLength(1);
  expect(await page.market({ kind: 'publish-hinted' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('/gig settings'),
  });
  const nothing = await page.market({ kind: 'outcome' });
  expect(nothing).toMatchObject({ ok: false, problem: expect.any(String) });
});

it('lets an hour pass, once at a time', async () => {
  const before = page.desk.app.clock.now();
  const passing = page.market({ kind: 'pass', minutes: 60 });
  expect(await page.market({ kind: 'pass', minutes: 60 })).toMatchObject({ ok: false });
  expect(await passing).toEqual({ ok: true });
  expect(page.desk.app.clock.now() - before).toBeGreaterThanOrEqual(HOUR);
});

/** A tab's events, until there are enough. */
async function listen(): Promise<{
  response: IncomingMessage;
  until(enough: (heard: readonly PageEvent[]) => boolean): Promise<readonly PageEvent[]>;
}> {
  const [response] = (await once(get(`${page.server.origin}/api/events`), 'response')) as [IncomingMessage];
  let text = '';
  response.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  const heard = () =>
    [...text.matchAll(/^data: (.*)$/gmu)].map(([, data = '']) => JSON.parse(data) as PageEvent);
  return {
    response,
    until: async (enough) => {
      while (!enough(heard())) await once(response, 'data');
      return heard();
    },
  };
}

it('every tab hears that it is to look again, and where; a tab that leaves is forgotten', async () => {
  const tabs = [await listen(), await listen()];
  expect(page.server.openTabCount()).toBe(2);
  const { ts, channel } = page.slack.postAsUser({ user: 'ada', channel: 'web', text: 'hello' });
  for (const tab of tabs) {
    const heard = await tab.until((events) => events.some(({ kind }) => kind === 'message'));
    expect(heard[0]).toEqual({ kind: 'world' });
    expect(heard).toContainEqual({ kind: 'message', channel, ts });
  }
  await page.market({ kind: 'publish' });
  await tabs[0]?.until((events) => events.some(({ kind }) => kind === 'market'));
  tabs[1]?.response.destroy();
  while (page.server.openTabCount() > 1) await new Promise((resolve) => setImmediate(resolve));
  await page.server.close();
  expect(page.server.openTabCount()).toBe(0);
});
