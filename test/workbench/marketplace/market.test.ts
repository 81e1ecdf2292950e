import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, openMarketplace } from './drive.ts';

interface ListPage {
  readonly data: readonly { readonly url: string; readonly publishedAt: string }[];
  readonly pagination: { readonly is_last: boolean; readonly next_cursor: number };
}

let drive: Drive;
beforeEach(async () => {
  drive = await openMarketplace();
});
afterEach(() => drive.market.close());

describe('a job that is sent', () => {
  it('becomes a proposal of its project and of what was bid', () => {
    const { market } = drive;
    market.addProfile({ label: 'Somebody else' });
    const profile = market.addProfile({ label: 'North' });
    const organization = market.addOrganization({ label: 'North' });
    const mara = { id: 5_001, fullName: 'Mara Lind' };
    market.addProposal({ profileId: profile.id, freelancer: mara });
    const template = market.addTemplate({
      name: 'Short',
      sender: { name: mara.fullName, type: 'agency', organization: 'North' },
    });
    const biddingTemplate = { id: template.id, name: 'Short' };
    const setup = market.addSetup({ biddingTemplate });
    const project = market.publishProject(market.addFilter().id, {
      budget: { type: 'hourly', hourlyMin: 40, hourlyMax: 55, fixedAmount: 0 },
      connectsPrice: 7,
      clientQuestions: ['Why you?', 'When?'],
    });
    const answers = [{ question: 'Why you?', answer: 'Nine years.' }];
    const bid = { setupId: setup.id, bidAmount: 50, boostBidAmount: 5, coverLetter: 'Mine', answers };
    const job = market.addJob({ projectId: project.id, ...bid });
    const proposal = market.turnJobIntoProposal(job.id);
    expect(proposal).toMatchObject({
      profileId: profile.id,
      organizationId: organization.id,
      freelancer: mara,
      biddingTemplate,
      jobTitle: project.title,
      terms: { hourlyRate: 50, fixedPrice: 0 },
      connects: 12,
      boost: 5,
      coverLetter: 'Mine',
      isInvitation: false,
      isArchived: false,
      answers: [answers[0], { question: 'When?', answer: expect.stringMatching(/./u) }],
    });
    expect(proposal.answers).toHaveLength(2);
    const { applicationUid } = proposal;
    expect(market.jobs()[0]).toMatchObject({ status: 'completed', applicationUid });
  });

  it('takes the rest from the template and the project', () => {
    const { market } = drive;
    const { id: filter } = market.addFilter();
    const template = market.addTemplate({
      cover_letters: { variant_a: 'Of the template', variant_b: null },
    });
    const setup = market.addSetup({ biddingTemplate: { id: template.id, name: 'Short' } });
    const sent = (budget: { type: 'fixed' | 'hourly'; fixedAmount?: number }) => {
      const project = market.publishProject(filter, { budget, clientQuestions: [] });
      const job = market.addJob({ projectId: project.id, setupId: setup.id, coverLetter: '' });
      return { project, proposal: market.turnJobIntoProposal(job.id) };
    };
    const { project, proposal } = sent({ type: 'fixed', fixedAmount: 900 });
    expect(proposal).toMatchObject({
      terms: { fixedPrice: 900, hourlyRate: 0 },
      connects: project.connectsPrice,
      boost: 0,
      coverLetter: 'Of the template',
      answers: [],
    });
    expect(sent({ type: 'hourly' }).proposal.terms).toMatchObject({ fixedPrice: 0, hourlyRate: 40 });
  });
});

describe('the simulated marketplace as a place', () => {
  it('is as started after a reset, at the same address', async () => {
    const { market, clock, get } = drive;
    const filter = market.addFilter().id;
    const first = market.publishProject(filter);
    await get(`/filters/${filter}/projects`);
    market.setModes({ refuseLimit: true });
    market.setCredits(3);
    market.startArrivals({ filterIds: [filter], meanSecondsBetween: 1 });
    market.injectFault({}, { kind: 'drop', when: 'before' }, 9);
    const { baseUrl } = market;
    market.reset();
    clock.moveBy(60_000);
    expect([market.baseUrl, market.requests(), market.projects()]).toEqual([baseUrl, [], []]);
    expect([market.creditsRemaining(), market.consumedCredits().total]).toEqual([10_000, 0]);
    expect((await get(`/filters/${filter}/projects?limit=20`)).status).toBe(404);
    expect(market.publishProject(market.addFilter().id).uid).toBe(first.uid);
  });

  it('keeps the request’s query and body, and counts the busiest minute', async () => {
    const { market, clock, get, post } = drive;
    await get('/auto-bidding/setups?status=active');
    clock.moveBy(59_999);
    await post('/auto-bidding/jobs/create', { setup_id: 1 });
    clock.moveBy(1);
    await get('/auto-bidding/setups');
    expect(market.requests()).toMatchObject([
      { method: 'GET', path: '/auto-bidding/setups', query: { status: 'active' }, body: undefined },
      { method: 'POST', body: { setup_id: 1 } },
      { at: clock.now() },
    ]);
    expect(market.maxRequestsInAnyMinute()).toBe(2);
  });

  it('refuses seeds that name what does not exist', () => {
    const { market } = drive;
    expect(() => market.publishProject(1)).toThrow(RangeError);
    expect(() => market.addProposal({ profileId: 1 })).toThrow(RangeError);
    expect(() => market.updateJob(1, { status: 'failed' })).toThrow(RangeError);
  });
});

/** Publishes a project for each age in seconds; at most a page's worth of one age. */
function publishAged({ market, clock }: Drive, filter: number, ages: readonly number[]): void {
  for (const [at, age] of ages.entries()) {
    const same = ages.slice(0, at).filter((earlier) => earlier === age).length;
    if (same < 10) market.publishProject(filter, { publishedAt: clock.now() - age * 1_000 });
  }
}

/** All items of the pages, from the first to the last. */
async function pageThrough({ get }: Drive, filter: number): Promise<ListPage['data']> {
  const seen: ListPage['data'][number][] = [];
  let query = '';
  for (;;) {
    const { data, pagination } = (await get(`/filters/${filter}/projects?limit=10${query}`)).body as ListPage;
    seen.push(...data);
    if (pagination.is_last) return seen;
    const next = `&next_cursor=${pagination.next_cursor}`;
    expect(next).not.toBe(query);
    query = next;
  }
}

describe('paging by cursor', () => {
  it('returns and charges every project once, in order, if no second holds more than a page', async () => {
    const seconds = fc.array(fc.nat({ max: 12 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(seconds, fc.boolean(), async (ages, oldestFirst) => {
        const { market } = drive;
        market.reset();
        market.setModes({ oldestFirst });
        const filter = market.addFilter().id;
        publishAged(drive, filter, ages);
        const seen = await pageThrough(drive, filter);
        const projects = market.projects();
        expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(projects.map(({ url }) => url)));
        const times = seen.map(({ publishedAt }) => publishedAt);
        expect(oldestFirst ? times : times.toReversed()).toEqual(times.toSorted());
        expect(market.consumedCredits().total).toBe(projects.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a lively market', () => {
  it('lets projects arrive at the asked rate, in bursts, in several filters, with late verdicts', () => {
    const { market, clock } = drive;
    const filterIds = [market.addFilter({ qualifier: true }).id, market.addFilter().id];
    const stream = market.startArrivals({ filterIds, meanSecondsBetween: 30, burstShare: 0.1 });
    const began = clock.now();
    clock.moveBy(4 * 3_600_000);
    const projects = market.projects();
    // 480 arrivals of 1.45 projects on average.
    expect(projects.length).toBeGreaterThan(550);
    expect(projects.length).toBeLessThan(850);
    expect(projects.every((project) => project.publishedAt > began)).toBe(true);
    const shared = projects.filter((project) => project.filterIds.length === 2).length;
    expect(shared / projects.length).toBeGreaterThan(0.15);
    const instants = new Set(projects.map((project) => project.publishedAt));
    expect(instants.size).toBeLessThan(projects.length);
    expect(new Set(projects.map((project) => project.uid)).size).toBe(projects.length);
    expect(new Set(projects.map((project) => project.title)).size).toBeGreaterThan(40);
    stream.stop();
    clock.moveBy(3_600_000);
    expect(market.projects()).toHaveLength(projects.length);
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  it('decides verdicts after the project arrived', async () => {
    const { market, clock, get } = drive;
    const filter = market.addFilter({ qualifier: true }).id;
    const stream = market.startArrivals({
      filterIds: [filter],
      meanSecondsBetween: 300,
      burstShare: 0,
      meanSecondsToVerdict: 600,
    });
    while (market.projects().length === 0) clock.moveBy(1_000);
    const project = market.projects()[0];
    const verdict = async () => {
      const { body } = await get(`/filters/${filter}/projects?limit=100`);
      const { data } = body as { data: { url: string; qualification: { reason: string | null } | null }[] };
      return data.find((each) => each.url === project?.url)?.qualification;
    };
    expect(await verdict()).toBeNull();
    clock.moveBy(2 * 3_600_000);
    stream.stop();
    expect(await verdict()).toMatchObject({ reason: expect.any(String), processedAt: expect.any(String) });
  });

  it('runs due jobs into proposals where asked', () => {
    const { market, clock } = drive;
    const filter = market.addFilter().id;
    const project = market.publishProject(filter, { title: 'Paint a fence' });
    const job = market.addJob({ projectId: project.id });
    const stream = market.startArrivals({ filterIds: [filter], meanSecondsBetween: 600, runsJobs: true });
    clock.moveBy(2 * 3_600_000);
    stream.stop();
    const settled = market.jobs().find((each) => each.id === job.id);
    expect(settled?.status).toBe('completed');
    expect(market.proposals()).toMatchObject([
      { jobTitle: 'Paint a fence', applicationUid: settled?.applicationUid },
    ]);
  });
});
