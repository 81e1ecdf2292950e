import { expect } from 'vitest';
import { UNSIMULATED_ENDPOINT_COVERAGE } from '../../../src/workbench/marketplace/coverage-endpoints.ts';
import { PROJECT_RULE_COVERAGE } from '../../../src/workbench/marketplace/coverage-rules.ts';
import { bodyOf, covers } from './drive.ts';
import { SHAPES } from './shapes.ts';

covers([...PROJECT_RULE_COVERAGE, ...UNSIMULATED_ENDPOINT_COVERAGE] as const, {
  'list-order': async (open) => {
    const { market, clock, get } = await open();
    const filter = market.addFilter().id;
    const titles = ['first', 'second', 'third'];
    for (const title of titles) {
      market.publishProject(filter, { title });
      clock.moveBy(1_000);
    }
    const result = market.addResult({ filterId: filter }).id;
    const listed = async () => {
      const byFilter = bodyOf(await get(`/filters/${filter}/projects`), 200, SHAPES.filterProjects);
      const byResult = bodyOf(await get(`/results/${result}/projects`), 200, SHAPES.resultProjects);
      return [byFilter, byResult].map(({ data }) => data.map((project) => project.title));
    };
    const newest = titles.toReversed();
    expect(await listed()).toEqual([newest, newest]);
    market.setModes({ oldestFirst: true });
    expect(await listed()).toEqual([titles, titles]);
  },

  'list-cursor': async (open) => {
    const { market, get } = await open();
    const filter = market.addFilter().id;
    const start = Date.UTC(2026, 0, 5, 8);
    // Ten seconds of one project each, then five in one second across the page's end, then ten more.
    const ages = [
      ...Array.from({ length: 10 }, (_, at) => at),
      9,
      9,
      9,
      9,
      ...Array.from({ length: 10 }, (_, at) => at + 10),
    ];
    for (const age of ages) market.publishProject(filter, { publishedAt: start - age * 1_000 });
    const page = async (cursor?: number) => {
      const query = cursor === undefined ? '' : `&next_cursor=${cursor}`;
      return bodyOf(await get(`/filters/${filter}/projects?limit=10${query}`), 200, SHAPES.filterProjects);
    };
    const one = await page();
    expect(one.pagination.next_cursor).toBe(start / 1_000 - 9);
    const two = await page(one.pagination.next_cursor);
    const three = await page(two.pagination.next_cursor);
    expect([one, two, three].map(({ pagination }) => pagination.is_last)).toEqual([false, false, true]);
    const urls = [one, two, three].flatMap(({ data }) => data.map((project) => project.url));
    expect(new Set(urls).size).toBe(24);
    expect(urls).toHaveLength(25);
    expect(three.pagination).toMatchObject({ total: 24, next_cursor: start / 1_000 - 19 });

    market.setModes({ lossyCursor: true });
    const lossy = await page();
    const rest = await page(lossy.pagination.next_cursor);
    expect(lossy.pagination.next_cursor).toBe(start / 1_000 - 9);
    expect(rest.pagination.is_last).toBe(true);
    expect(rest.data).toHaveLength(10);

    market.setModes({ lossyCursor: false, oldestFirst: true });
    const oldest = await page();
    expect(oldest.pagination.next_cursor).toBe(start / 1_000 - 9);
    expect((await page(oldest.pagination.next_cursor)).data).toHaveLength(10);
    bodyOf(await get(`/filters/${filter}/projects?next_cursor=soon`), 400, SHAPES.error);
  },

  'list-latest': async (open) => {
    const { market, clock, get } = await open();
    const filter = market.addFilter().id;
    market.publishProject(filter, { title: 'old' });
    const ts = clock.now() / 1_000;
    market.publishProject(filter, { title: 'same second', publishedAt: clock.now() + 900 });
    clock.moveBy(1_000);
    market.publishProject(filter, { title: 'new' });
    const listed = async () => {
      const answer = await get(`/filters/${filter}/projects?latest_published_ts=${ts}`);
      const { data, pagination } = bodyOf(answer, 200, SHAPES.filterProjects);
      expect(pagination).toMatchObject({ total: data.length, latest_published_ts: ts + 1 });
      return data.map((project) => project.title);
    };
    expect(await listed()).toEqual(['new']);
    market.setModes({ inclusiveLatestPublishedTs: true });
    expect(await listed()).toEqual(['new', 'same second', 'old']);
    market.setModes({ inclusiveLatestPublishedTs: false, ignoreLatestPublishedTs: true });
    expect(await listed()).toEqual(['new', 'same second', 'old']);
  },

  qualification: async (open) => {
    const { market, clock, get } = await open();
    const [plain, qualifying] = [market.addFilter().id, market.addFilter({ qualifier: true }).id];
    const project = market.publishProject([plain, qualifying]);
    const read = async (filter: number) => {
      const { data } = bodyOf(await get(`/filters/${filter}/projects`), 200, SHAPES.filterProjects);
      return data[0]?.qualification;
    };
    expect(await read(qualifying)).toBeNull();
    market.setVerdict(project.id, 'pending');
    expect(await read(qualifying)).toEqual({ decision: null, reason: null, processedAt: null });
    clock.moveBy(60_000);
    market.setVerdict(project.id, { decision: 'disqualified', reason: 'Too far away' });
    expect(await read(qualifying)).toEqual({
      decision: 'disqualified',
      reason: 'Too far away',
      processedAt: new Date(clock.now()).toISOString(),
    });
    expect(await read(plain)).toBeNull();
    market.setVerdict(project.id, 'qualified');
    const result = market.addResult({ filterId: qualifying }).id;
    const { data } = bodyOf(await get(`/results/${result}/projects`), 200, SHAPES.resultProjects);
    expect(data[0]?.qualification).toMatchObject({ decision: 'qualified', reason: expect.any(String) });
    market.setModes({ verdictFlags: true });
    const flagged = async () => {
      const { body } = await get(`/filters/${qualifying}/projects`);
      return body;
    };
    expect(await flagged()).toMatchObject({
      data: [{ qualification: { status: 'processed', isQualified: true, reason: expect.any(String) } }],
    });
    market.setVerdict(project.id, 'pending');
    expect(await flagged()).toMatchObject({
      data: [{ qualification: { status: 'queued', isQualified: false, reason: null, processedAt: null } }],
    });
  },

  'lookup-one-of': async (open) => {
    const { market, get } = await open();
    const { uid, ciphertext } = market.publishProject(market.addFilter().id);
    const wrong = ['', `?uid=${uid}&ciphertext=${ciphertext}`, `?ciphertext=${uid}`, '?ciphertext=~abc'];
    for (const query of wrong) bodyOf(await get(`/projects/lookup${query}`), 400, SHAPES.error);
    expect(market.consumedCredits().total).toBe(0);
  },

  'records-by-profile': async (open) => {
    const { market, get } = await open();
    const [mine, other] = [market.addProfile().id, market.addProfile().id];
    const organization = market.addOrganization().id;
    const at = Date.UTC(2026, 0, 2);
    for (const [day, organizationId] of [
      [0, 1],
      [1, organization],
      [2, organization],
    ] as const) {
      const time = at + day * 86_400_000;
      market.addProposal({ profileId: mine, organizationId, submittedAt: time, jobTitle: `day ${day}` });
      market.addInvitation({ profileId: mine, organizationId, invitedAt: time, title: `day ${day}` });
    }
    market.addProposal({ profileId: other });
    market.addInvitation({ profileId: other });
    const titles = async (path: string) => {
      const { body } = await get(path);
      const { data } = body as { data: { title?: string; jobDetails?: { title: string } }[] };
      return data.map((record) => record.title ?? record.jobDetails?.title);
    };
    for (const [path, sort] of [
      ['/proposals', 'submittedAt'],
      ['/invitations', 'invitedAt'],
    ] as const) {
      bodyOf(await get(path), 400, SHAPES.error);
      bodyOf(await get(`${path}?profileId=${mine}&sort=title`), 400, SHAPES.error);
      bodyOf(await get(`${path}?profileId=${mine}&order=desc`), 400, SHAPES.error);
      expect(await titles(`${path}?profileId=${mine}`)).toEqual(['day 2', 'day 1', 'day 0']);
      expect(await titles(`${path}?profileId=${mine}&sort=${sort}&order=ASC`)).toEqual([
        'day 0',
        'day 1',
        'day 2',
      ]);
      const narrowed = `${path}?profileId=${mine}&organizationId=${organization}&order=DESC`;
      expect(await titles(narrowed)).toEqual(['day 2', 'day 1']);
    }
  },

  'template-update': async (open) => {
    const { market, post } = await open();
    const { id } = market.addTemplate();
    bodyOf(await post(`/proposal-templates/${id}`, { name: 'New' }), 404, SHAPES.error);
  },

  events: async (open) => {
    const { get } = await open();
    for (const path of ['/events', '/webhooks']) bodyOf(await get(path), 404, SHAPES.error);
  },
});
