import { expect } from 'vitest';
import {
  ACCESS_RULE_COVERAGE,
  CREDIT_RULE_COVERAGE,
} from '../../../src/workbench/marketplace/coverage-rules.ts';
import { bodyOf, covers } from './drive.ts';
import { SHAPES } from './shapes.ts';

const DAY = 86_400_000;

covers([...ACCESS_RULE_COVERAGE, ...CREDIT_RULE_COVERAGE] as const, {
  token: async (open) => {
    const { market, get } = await open({ requestsPerMinute: 1 });
    bodyOf(await get('/proposal-senders', { 'x-api-token': 'wrong' }), 401, SHAPES.error);
    bodyOf(await get('/proposal-senders', { 'x-api-token': '' }), 401, SHAPES.error);
    expect((await get('/proposal-senders')).status).toBe(200);
    expect(JSON.stringify(market.requests())).not.toContain(market.token);
  },

  https: async (open) => {
    const { market, get } = await open();
    expect(market.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect((await get('/proposal-senders')).status).toBe(200);
  },

  'inactive-subscription': async (open) => {
    const { market, get } = await open();
    market.setInactive(true);
    const { error } = bodyOf(await get('/proposal-senders'), 402, SHAPES.error);
    expect(error).toBe('Subscription inactive');
    market.setInactive(false);
    expect((await get('/proposal-senders')).status).toBe(200);
  },

  'plan-without-api': async (open) => {
    const { market, get } = await open({ plan: 'without-api' });
    bodyOf(await get('/proposal-senders'), 403, SHAPES.error);
    market.setPlan('paid');
    expect((await get('/proposal-senders')).status).toBe(200);
  },

  'not-found': async (open) => {
    const { market, get, post } = await open();
    bodyOf(await get('/filters/1/projects'), 404, SHAPES.error);
    bodyOf(await get('/results/1/projects'), 404, SHAPES.error);
    bodyOf(await get('/nowhere'), 404, SHAPES.error);
    bodyOf(await get('/proposals/'), 404, SHAPES.error);
    bodyOf(await post(`/filters/${market.addFilter().id}/projects`), 404, SHAPES.error);
    bodyOf(await get('/filters/mine/projects'), 400, SHAPES.error);
  },

  'json-bodies': async (open) => {
    const { post } = await open();
    const plain = await post('/auto-bidding/jobs/create', { setup_id: 1 }, { 'content-type': 'text/plain' });
    expect(bodyOf(plain, 400, SHAPES.error).error).toContain('Content-Type');
    expect((await post('/auto-bidding/jobs/create', 'no object')).status).toBe(400);
  },

  'rate-limit': async (open) => {
    const { market, clock, get } = await open({ requestsPerMinute: 30 });
    for (let count = 0; count < 30; count++) {
      expect((await get('/proposal-senders')).status).toBe(200);
      clock.moveBy(1_000);
    }
    const refused = await get('/proposal-senders');
    expect(bodyOf(refused, 429, SHAPES.error)).toEqual({ error: 'Rate limit exceeded' });
    expect(Object.keys(refused.headers).filter((name) => /retry|ratelimit/i.test(name))).toEqual([]);
    clock.moveBy(29_999);
    expect((await get('/proposal-senders')).status).toBe(429);
    clock.moveBy(1);
    expect((await get('/proposal-senders')).status).toBe(200);
    expect((await get('/proposal-senders')).status).toBe(429);
    expect(market.maxRequestsInAnyMinute()).toBe(33);
  },

  'rate-limit-of-five': async (open) => {
    const { market, get } = await open();
    market.setRequestsPerMinute(5);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await get('/proposal-senders')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  },

  'pagination-bounds': async (open) => {
    const { market, get } = await open();
    const filter = market.addFilter().id;
    const result = market.addResult({ filterId: filter }).id;
    const profile = market.addProfile().id;
    const paged = [
      `/results/${result}/projects?`,
      `/filters/${filter}/results?`,
      `/proposals?profileId=${profile}&`,
      `/invitations?profileId=${profile}&`,
    ];
    for (const path of [`/filters/${filter}/projects?`, ...paged]) {
      for (const limit of ['9', '101', '0', '-10', '20.5', 'ten', '']) {
        bodyOf(await get(`${path}limit=${limit}`), 400, SHAPES.error);
      }
      for (const limit of [10, 100]) {
        const { body } = await get(`${path}limit=${limit}`);
        expect(body).toMatchObject({ pagination: { limit } });
      }
      expect((await get(path)).body).toMatchObject({ pagination: { limit: 20 } });
    }
    for (const path of paged) {
      bodyOf(await get(`${path}page=0`), 400, SHAPES.error);
      expect((await get(path)).body).toMatchObject({ pagination: { page: 1 } });
    }
    expect(market.consumedCredits().total).toBe(0);
  },

  timestamps: async (open) => {
    const { market, get } = await open();
    const filter = market.addFilter().id;
    const publishedAt = Date.UTC(2026, 0, 5, 8, 0, 0, 250);
    const project = market.publishProject(filter, { publishedAt });
    const seconds = Math.floor(publishedAt / 1_000);
    const read = async () => bodyOf(await get(`/filters/${filter}/projects`), 200, SHAPES.filterProjects);
    expect((await read()).pagination).toMatchObject({ next_cursor: seconds, latest_published_ts: seconds });
    market.setModes({ milliseconds: true });
    expect((await read()).pagination).toMatchObject({
      next_cursor: publishedAt,
      latest_published_ts: publishedAt,
    });
    const { data } = bodyOf(await get(`/projects/lookup?uid=${project.uid}`), 200, SHAPES.lookup);
    expect([data.publishedTimestamp, data.publishedAt]).toEqual([publishedAt, '2026-01-05T08:00:00.250Z']);
  },

  'nothing-to-tell': async (open) => {
    const { market, get } = await open();
    const project = market.publishProject(market.addFilter().id, {
      budget: { type: 'fixed', fixedAmount: 500, hourlyMin: 0, hourlyMax: 0 },
    });
    const job = market.addJob({ projectId: project.id });
    const status = async () => (await get(`/auto-bidding/jobs/${job.id}/status`)).body;
    const lookup = async () => (await get(`/projects/lookup?uid=${project.uid}`)).body;
    expect(await status()).toMatchObject({ job: { processed_at: '', error_message: '' } });
    expect(await lookup()).toMatchObject({ data: { budgetRaw: { hourlyMin: 0 } } });
    market.setModes({ nullsForEmpty: true });
    expect(await status()).toMatchObject({
      job: { processed_at: null, error_message: null, retry_count: 0 },
    });
    expect(await lookup()).toMatchObject({ data: { budgetRaw: { hourlyMin: null, fixedAmount: 500 } } });
  },

  'credits-once-a-period': async (open) => {
    const { market, get } = await open();
    const [one, two] = [market.addFilter().id, market.addFilter().id];
    const project = market.publishProject([one, two]);
    const result = market.addResult({ filterId: one }).id;
    const consumed = async (path: string) => {
      const { body } = await get(path);
      return (body as { credits: { new_projects_consumed: number } }).credits.new_projects_consumed;
    };
    expect(await consumed(`/filters/${one}/projects`)).toBe(1);
    expect(await consumed(`/filters/${one}/projects`)).toBe(0);
    expect(await consumed(`/filters/${two}/projects`)).toBe(0);
    expect(await consumed(`/results/${result}/projects`)).toBe(0);
    expect(await consumed(`/projects/lookup?uid=${project.uid}`)).toBe(0);
    expect(market.creditsRemaining()).toBe(9_999);
    expect(market.chargedProjects()).toMatchObject([
      { projectId: project.id, path: `/filters/${one}/projects` },
    ]);
  },

  'credits-free-endpoints': async (open) => {
    const { market, get } = await open({ creditsPerPeriod: 0 });
    const filter = market.addFilter().id;
    market.publishProject(filter);
    market.addResult({ filterId: filter });
    const profile = market.addProfile().id;
    const free = [
      `/filters/${filter}/results`,
      `/proposals?profileId=${profile}`,
      `/invitations?profileId=${profile}`,
      '/auto-bidding/setups',
      '/proposal-senders',
    ];
    for (const path of free) expect((await get(path)).status).toBe(200);
    expect(market.consumedCredits().total).toBe(0);
  },

  'credits-all-or-nothing': async (open) => {
    const { market, get } = await open({ creditsPerPeriod: 12 });
    const filter = market.addFilter().id;
    for (let count = 0; count < 15; count++) market.publishProject(filter);
    const page = `/filters/${filter}/projects`;
    const refused = bodyOf(await get(page), 402, SHAPES.depleted);
    expect(refused).toMatchObject({
      credits_needed: 15,
      credits_remaining: 12,
      credits_reset_date: new Date(market.creditsResetAt()).toISOString(),
    });
    expect(refused.message).toMatch(/15.*12/);
    expect([market.consumedCredits().total, market.creditsRemaining()]).toEqual([0, 12]);
    expect((await get(`${page}?limit=10`)).status).toBe(200);
    expect(market.creditsRemaining()).toBe(2);
    expect(bodyOf(await get(page), 402, SHAPES.depleted).credits_needed).toBe(5);
    expect((await get(`${page}?limit=10`)).status).toBe(200);
    market.setModes({ pageWidth: 'returned' });
    expect(bodyOf(await get(`${page}?limit=10`), 402, SHAPES.depleted).credits_needed).toBe(10);
    market.setCredits(15);
    expect((await get(page)).status).toBe(200);
    market.setModes({ pageWidth: 'limit' });
    expect(bodyOf(await get(page), 402, SHAPES.depleted)).toMatchObject({ credits_needed: 20 });
    market.setCredits(0);
    const unseen = market.publishProject(filter);
    const lookup = await get(`/projects/lookup?uid=${unseen.uid}`);
    expect(bodyOf(lookup, 402, SHAPES.depleted)).toMatchObject({ credits_needed: 1, credits_remaining: 0 });
  },

  'credits-smaller-page': async (open) => {
    const { market, get } = await open({ creditsPerPeriod: 15 });
    const filter = market.addFilter().id;
    for (let count = 0; count < 30; count++) market.publishProject(filter);
    bodyOf(await get(`/filters/${filter}/projects?limit=20`), 402, SHAPES.depleted);
    const fits = bodyOf(await get(`/filters/${filter}/projects?limit=15`), 200, SHAPES.filterProjects);
    expect(fits.credits).toMatchObject({ remaining: 0, new_projects_consumed: 15 });
  },

  'credits-period': async (open) => {
    const { market, clock, get } = await open({ creditsPerPeriod: 20 });
    const filter = market.addFilter().id;
    market.publishProject(filter);
    await get(`/filters/${filter}/projects`);
    market.spendCreditsElsewhere(4);
    expect(market.creditsRemaining()).toBe(15);
    const firstReset = market.creditsResetAt();
    clock.moveTo(firstReset - 1);
    expect(market.creditsRemaining()).toBe(15);
    clock.moveTo(firstReset);
    const { credits } = bodyOf(await get(`/filters/${filter}/projects`), 200, SHAPES.filterProjects);
    expect(credits).toMatchObject({
      remaining: 19,
      new_projects_consumed: 1,
      reset_date: new Date(firstReset + 30 * DAY).toISOString(),
    });
    expect(market.consumedCredits()).toMatchObject({
      total: 2,
      periods: [
        { charged: 1, spentOutside: 4, resetsAt: firstReset },
        { charged: 1, spentOutside: 0 },
      ],
    });
  },

  'credits-top-up': async (open) => {
    const { market, clock, get } = await open({ creditsPerPeriod: 20 });
    const filter = market.addFilter().id;
    for (let count = 0; count < 30; count++) market.publishProject(filter);
    const page = `/filters/${filter}/projects?limit=30`;
    bodyOf(await get(page), 402, SHAPES.depleted);
    market.topUpCredits(30);
    const { credits } = bodyOf(await get(page), 200, SHAPES.filterProjects);
    expect(credits).toMatchObject({ remaining: 20, new_projects_consumed: 30 });
    market.topUpCredits(5);
    clock.moveTo(market.creditsResetAt());
    expect(market.creditsRemaining()).toBe(20);
  },

  'credits-trial': async (open) => {
    const { market, clock, get } = await open({ plan: 'trial' });
    expect(market.creditsRemaining()).toBe(50);
    expect(() => market.topUpCredits(1)).toThrow(RangeError);
    clock.moveTo(market.creditsResetAt());
    bodyOf(await get('/proposal-senders'), 402, SHAPES.error);
    expect(market.creditsRemaining()).toBe(50);
  },
});
