/** Hints of outside tools: the address, who sees it, what a hint changes, and what it never changes. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

/** The feed reads one filter every 10 s, so each one is read every 80 s or so. */
const SLOW = {
  empty: true,
  requestsPerMinute: 8,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '8', DEFAULT_CHANNEL_BUDGET: '500' },
};
const FILTERS = [101, 102, 103, 104, 105, 106, 107, 108];
const SOON = 25 * SECOND;
const appTest = appTestWith(SLOW);
const quickTest = appTestWith({});

interface SentHint {
  readonly secret?: string;
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
  readonly method?: string;
}

/** Opens the form with the address. */
const openForm = async (admin: Person) => (await admin.type('/gig settings')).press('Hints');

/** The address's secret, as the form shows it. */
function secretIn({ text }: { readonly text: string }): string {
  const [, secret] = /\/hooks\/(T[\w-]+)/u.exec(text) ?? [];
  return secret ?? expect.fail(`no address in: ${text}`);
}

async function send({ app }: Desk, { secret = '', query = '', body, type, method = 'POST' }: SentHint) {
  const answer = await globalThis.fetch(`${app.address()}/hooks/${secret}${query}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type ?? 'application/json' } }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** A channel that follows eight filters, each read once. */
async function begin(desk: Desk) {
  const { market, app } = desk;
  const ada = desk.person('ada');
  for (const id of FILTERS) {
    market.service.addFilter({ id });
    await ada.type(`/gig subscribe filter ${id}`);
  }
  // The first project shows the unit of the marketplace's timestamps, which may take some reads.
  market.publish({ title: 'The first' }, 102);
  await desk.pass(5 * MINUTE);
  const secret = secretIn(await openForm(ada));
  await ada.close();
  const readsOf = (filter: number) => market.requests(`/filters/${filter}/projects`).map((it) => it.at);
  return {
    secret,
    readsOf,
    /** Until filter 101 was just read: its next turn is far away. */
    becomeLast: async () => {
      const before = readsOf(101).length;
      await app.until('a read', () => readsOf(101).length > before, HOUR);
      await desk.pass(11 * SECOND);
    },
    /** Whether filter 101 is read soon. */
    isReadSoon: async () => {
      const before = readsOf(101).length;
      await desk.pass(SOON);
      return readsOf(101).length > before;
    },
  };
}

describe.each(['socket', 'http'] as const)('in %s mode', (mode) => {
  appTestWith({ ...SLOW, mode })(
    'a hint makes its filter the next, at the right address',
    async ({ desk }) => {
      const { secret, becomeLast, isReadSoon } = await begin(desk);
      await becomeLast();
      const wrong = [
        `${secret.slice(0, -4)}AAAA`,
        secret.slice(1),
        `${secret}x`,
        secret.split('-')[0],
        '',
        '%00',
      ];
      for (const it of wrong)
        expect(await send(desk, { secret: it ?? '', query: '?filter=101' })).toEqual({
          status: 404,
          text: 'not found\n',
        });
      expect(await isReadSoon()).toBe(false);
      for (const [method, status] of [
        ['POST', 200],
        ['GET', 200],
        ['PUT', 405],
      ] as const)
        expect((await send(desk, { secret, method })).status).toBe(status);
      const body = JSON.stringify({ event: 'match', data: [{ filter: { id: '101' } }] });
      for (const hint of [
        { query: '?filter=101' },
        { body },
        { body: '{"filter":101}', type: 'text/plain' },
        { body: 'payload=%7B%22filter_id%22%3A%22101%22%7D', type: 'application/x-www-form-urlencoded' },
      ]) {
        await becomeLast();
        expect((await send(desk, { secret, ...hint })).status).toBe(200);
        expect(await isReadSoon()).toBe(true);
      }
    },
  );
});

describe('a hint', () => {
  appTest('is only timing: no read is too early, no card comes twice', async ({ desk, ada }) => {
    const { secret, readsOf, becomeLast } = await begin(desk);
    await becomeLast();
    const from = desk.app.clock.now();
    desk.market.publish({ title: 'Once' });
    for (let second = 0; second < 60; second++) {
      await send(desk, { secret, query: '?filter=101' });
      await desk.pass(SECOND);
    }
    const reads = readsOf(101).filter((at) => at > from);
    expect(reads.length).toBeGreaterThan(2);
    for (const [place, at] of reads.slice(1).entries())
      expect(at - (reads[place] ?? 0)).toBeGreaterThanOrEqual(10 * SECOND);
    expect(ada.reads('web').filter((it) => it.text.includes('Once'))).toHaveLength(1);
  });

  appTest(
    'never reads a filter that no running channel follows; the form tells of it',
    async ({ desk, ada }) => {
      const { secret, readsOf } = await begin(desk);
      desk.market.service.addFilter({ id: 201 });
      await ada.type('/gig subscribe filter 201', 'data');
      await desk.pass(2 * MINUTE);
      await ada.type('/gig pause', 'data');
      await desk.pass(MINUTE);
      const before = readsOf(201).length;
      expect(before).toBeGreaterThan(0);
      expect((await openForm(ada)).text).toContain('none yet');
      await ada.close();
      for (const filter of [201, 999])
        expect((await send(desk, { secret, query: `?filter=${filter}` })).text).toContain(
          'if a channel follows it',
        );
      await desk.pass(4 * MINUTE);
      expect(readsOf(201)).toHaveLength(before);
      expect(readsOf(999)).toEqual([]);
      expect((await openForm(ada)).text).toMatch(/filter 999, which no channel follows now[\s\S]*2 hints/u);
      await ada.close();
      await desk.restart();
      expect((await openForm(ada)).text).toContain('2 hints');
    },
  );

  appTest('spends no credit that the budget would not allow', async ({ desk, market, ada }) => {
    const { secret } = await begin(desk);
    await ada.type('/gig budget 10');
    for (let count = 0; count < 30; count++) market.publish({});
    for (let second = 0; second < 60; second++) {
      await send(desk, { secret, query: '?filter=101' });
      await desk.pass(SECOND);
    }
    expect(market.service.consumedCredits().periods.at(-1)?.charged).toBeLessThanOrEqual(10);
  });

  appTest(
    'in a flood leaves every filter its turns, and the request limit whole',
    async ({ desk, market }) => {
      const { secret, readsOf } = await begin(desk);
      const from = desk.app.clock.now();
      for (let second = 0; second < 150; second++) {
        const many = Array.from({ length: 20 }, () => ({ filter: 5_000 + second }));
        const body = JSON.stringify([{ filter: 101 }, { filter: 102 }, ...many]);
        for (let again = 0; again < 3; again++) expect((await send(desk, { secret, body })).status).toBe(200);
        await desk.pass(SECOND);
      }
      for (const filter of FILTERS) expect(readsOf(filter).filter((at) => at > from)).not.toEqual([]);
      expect(market.service.maxRequestsInAnyMinute()).toBeLessThanOrEqual(8);
    },
  );

  appTest('with a hostile body gets 2xx, and its query counts', async ({ desk }) => {
    const { secret, becomeLast, isReadSoon } = await begin(desk);
    const hostile: readonly SentHint[] = [
      { body: '{"filter": 101' },
      {},
      { body: '\u0000\u0001\ufffd', type: 'application/octet-stream' },
      { body: '['.repeat(100_000) },
      { body: '{"x": 1}', type: 'text/html' },
      { body: JSON.stringify({ filter: 'x'.repeat(200_000) }) },
      { body: JSON.stringify({ x: 'x'.repeat(400_000) }) },
    ];
    await becomeLast();
    for (const hint of hostile) expect((await send(desk, { secret, ...hint })).status).toBe(200);
    expect(await isReadSoon()).toBe(false);
    for (const hint of hostile) {
      await becomeLast();
      expect((await send(desk, { secret, ...hint, query: '?filter=101' })).status).toBe(200);
      expect(await isReadSoon()).toBe(true);
    }
  });
});

describe('the secret', () => {
  quickTest('is rotated once, and survives restarts; the old one stops working', async ({ desk, ada }) => {
    const dan = desk.person('dan', { admin: true });
    const first = await openForm(ada);
    const secret = secretIn(first);
    expect(first.text).toContain(`curl -X POST`);
    // At least 128 random bits, of 6 each.
    expect(secret.split('-').slice(1).join('-').length).toBeGreaterThanOrEqual(22);
    await desk.restart();
    expect((await send(desk, { secret })).status).toBe(200);
    const second = await openForm(dan);
    expect(secretIn(second)).toBe(secret);
    const next = secretIn(await first.press('Rotate Secret'));
    expect(next).not.toBe(secret);
    expect(secretIn(await second.press('Rotate Secret'))).toBe(next);
    for (const _ of ['now', 'after a restart']) {
      expect((await send(desk, { secret })).status).toBe(404);
      expect((await send(desk, { secret: next })).status).toBe(200);
      await desk.restart();
    }
  });

  quickTest(
    'is in the form of workspace admins alone: in no message and no log line',
    async ({ desk, ada, ben }) => {
      const form = await openForm(ada);
      const old = secretIn(form);
      const next = secretIn(await form.press('Rotate Secret'));
      await ada.close();
      for (const secret of [old, next]) await send(desk, { secret, query: '?filter=101' });
      await desk.pass(MINUTE);
      const audit = (await ada.type('/gig audit')).text;
      expect(audit).toContain('rotated the secret for hints');
      expect((await ben.type('/gig settings')).offers('Hints')).toBe(false);
      await ben.close();
      const access = await ada.type('/gig access');
      await access.send({ Admins: ['ben'] });
      await ada.close();
      const settings = await ben.type('/gig settings');
      if (settings.offers('Hints')) await settings.press('Hints');
      const metrics = await (await globalThis.fetch(`${desk.app.address()}/metrics`)).text();
      const seen = [audit, metrics, ...desk.app.logLines, ...ada.reads('web').map((it) => it.text)];
      seen.push(ben.form().text, ...[ada, ben].flatMap((it) => it.inbox().map(({ text }) => text)));
      for (const secret of [old, next])
        expect(seen.filter((it) => it.includes(secret.slice(-32)))).toEqual([]);
      expect(seen.filter((it) => it.includes('/hooks/T'))).toEqual([]);
    },
  );
});
