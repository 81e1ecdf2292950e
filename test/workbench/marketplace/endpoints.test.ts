import { expect } from 'vitest';
import { ENDPOINT_COVERAGE } from '../../../src/workbench/marketplace/coverage-endpoints.ts';
import { bodyOf, covers, type Drive } from './drive.ts';
import { SHAPES } from './shapes.ts';

const TEMPLATE = {
  name: 'Calm and exact',
  sender: { organization_id: 0, contractor_uid: '' },
  hourly_rate: { rate: 45 },
  ai: { instructions: 'Four sentences, one question.' },
};

/** Absent by default; in a mode it is there, in three frames. */
async function checkList({ market, get }: Drive, plural: string, item: object): Promise<void> {
  bodyOf(await get(`/${plural}`), 404, SHAPES.error);
  market.setModes({ lists: 'data' });
  expect((await get(`/${plural}`)).body).toEqual({ data: [item] });
  market.setModes({ lists: 'plural' });
  expect((await get(`/${plural}`)).body).toMatchObject({ [plural]: [item] });
  market.setModes({ lists: 'bare' });
  expect((await get(`/${plural}`)).body).toEqual([item]);
  expect(market.consumedCredits().total).toBe(0);
}

covers(ENDPOINT_COVERAGE, {
  'POST /proposal-templates': async (open) => {
    const { market, post } = await open();
    const { id, contractors, label } = market.addOrganization();
    const sender = { organization_id: id, contractor_uid: contractors[0]?.uid };
    const { data } = bodyOf(await post('/proposal-templates', { ...TEMPLATE, sender }), 201, SHAPES.template);
    expect(data).toMatchObject({
      name: 'Calm and exact',
      visibility: 'shared_admins',
      sender: { type: 'agency', name: contractors[0]?.name, organization: label },
      hourly_rate: {
        mode: 'fixed',
        rate: 45,
        smart_rate_min: null,
        rules_count: 0,
        increase_frequency: 'never',
      },
      fixed_price: { type: 'by-job-terms', price: null },
      ab_testing: false,
      cover_letters: { variant_a: null, variant_b: null },
    });
    const rich = {
      ...TEMPLATE,
      sender,
      hourly_rate: {
        mode: 'smart',
        rate: 45,
        smart_rate_min: 30,
        smart_rate_max: 60,
        smart_rate_percent: 90,
      },
      fixed_price: { type: 'by-project', price: 700, min_price: 50 },
      ai: { ...TEMPLATE.ai, template_structure: false, model: 'swift-1' },
      cover_letters: { variant_a: 'Never shown' },
      unknown_field: 1,
    };
    expect(bodyOf(await post('/proposal-templates', rich), 201, SHAPES.template).data).toMatchObject({
      hourly_rate: { mode: 'smart', smart_rate_min: 30, smart_rate_max: 60, smart_rate_percent: 90 },
      fixed_price: { type: 'by-project', price: 700, min_price: null, client_budget_percent: null },
      ai: { model: 'swift-1', template_structure: false },
      cover_letters: null,
    });
    expect(market.templates().map((template) => template.name)).toEqual([TEMPLATE.name, TEMPLATE.name]);
  },

  'GET /proposal-templates/{id}': async (open) => {
    const { market, get } = await open();
    const template = market.addTemplate({ name: 'Warm' });
    const setup = market.addSetup({ biddingTemplate: { id: template.id, name: 'Warm' } });
    const { data } = bodyOf(await get(`/proposal-templates/${template.id}`), 200, SHAPES.template);
    expect(data).toMatchObject({ id: template.id, name: 'Warm' });
    expect(data.auto_bidding_setups).toEqual([{ id: setup.id, name: setup.name }]);
    bodyOf(await get('/proposal-templates/1'), 404, SHAPES.error);
  },

  'GET /proposal-senders': async (open) => {
    const { market, get } = await open();
    const agency = market.addOrganization({ type: 'agency', label: 'North Studio' });
    const freelancer = market.addOrganization({ type: 'freelancer', label: 'Greta Berg' });
    const reply = await get('/proposal-senders');
    expect(reply.body).toEqual({
      data: [
        {
          organization_id: agency.id,
          name: 'North Studio',
          type: 'agency',
          contractors: agency.contractors.map(({ uid, name }) => ({ contractor_uid: uid, name })),
        },
        { organization_id: freelancer.id, name: 'Greta Berg', type: 'freelancer', contractors: [] },
      ],
    });
    market.setModes({ senders: 'organization-name' });
    expect((await get('/proposal-senders')).body).toMatchObject({
      data: [
        ...agency.contractors.map(({ uid, name }) => ({ contractor_uid: uid, name })),
        { organization_id: freelancer.id, organization_name: 'Greta Berg' },
      ],
    });
    market.setModes({ senders: 'org' });
    expect((await get('/proposal-senders')).body).toMatchObject({
      data: [{ org: { id: agency.id } }, { org: { id: freelancer.id } }],
    });
    market.setModes({ senders: 'people' });
    expect((await get('/proposal-senders')).body).toMatchObject({
      data: [{ organization_id: agency.id, people: agency.contractors }, { people: [] }],
    });
  },

  'POST /auto-bidding/jobs/create': async (open) => {
    const { market, clock, post } = await open();
    const filter = market.addFilter();
    const project = market.publishProject(filter.id);
    const setup = market.addSetup({ biddingDelayMinutes: 10 });
    const { success, job } = bodyOf(
      await post('/auto-bidding/jobs/create', {
        setup_id: setup.id,
        marketplace_job_id: project.ciphertext,
        cover_letter: 'Hi 👋',
        answers: [{ question: 'Why?', answer: 'Because.' }],
        bid_amount: 350,
        boost_bid_amount: 12,
      }),
      200,
      SHAPES.createdJob,
    );
    expect(success).toBe(true);
    expect(job).toMatchObject({
      marketplace_job_id: project.ciphertext,
      status: 'scheduled',
      setup_name: setup.name,
      project_id: project.id,
      cover_letter_length: 4,
      answers_count: 1,
      bid_amount: '350.00',
      scheduled_at: new Date(clock.now() + 600_000).toISOString(),
    });
    expect(market.jobs()).toMatchObject([{ id: job.id, coverLetter: 'Hi 👋', boostBidAmount: 12 }]);
  },

  'POST /auto-bidding/jobs/{id}/approve': async (open) => {
    const { market, clock, post } = await open();
    const filter = market.addFilter({ qualifier: true });
    const project = market.publishProject(filter.id);
    market.setVerdict(project.id, { decision: 'disqualified', reason: 'Too cheap' });
    const setup = market.addSetup({ filter, biddingDelayMinutes: 10 });
    const { job } = bodyOf(
      await post('/auto-bidding/jobs/create', { setup_id: setup.id, project_id: project.id }),
      200,
      SHAPES.createdJob,
    );
    expect(job.status).toBe('pending_review');
    clock.moveBy(3_600_000);
    const approved = bodyOf(await post(`/auto-bidding/jobs/${job.id}/approve`), 200, SHAPES.approvedJob);
    expect(approved.job).toMatchObject({
      status: 'scheduled',
      was_ai_disqualified: true,
      qualification_decision: 'disqualified',
      qualification_reason: 'Too cheap',
      approved_by: 'API token',
      scheduled_at: new Date(clock.now() + 600_000).toISOString(),
    });
    bodyOf(await post(`/auto-bidding/jobs/${job.id}/approve`), 400, SHAPES.error);
    bodyOf(await post('/auto-bidding/jobs/1/approve'), 404, SHAPES.error);
  },

  'GET /auto-bidding/jobs/{id}/status': async (open) => {
    const { market, clock, get } = await open();
    const project = market.publishProject(market.addFilter().id);
    const { id } = market.addJob({ projectId: project.id });
    const path = `/auto-bidding/jobs/${id}/status`;
    const waiting = bodyOf(await get(path), 200, SHAPES.jobStatus).job;
    expect(waiting).toMatchObject({ status: 'scheduled', processed_at: '', is_ready_for_processing: false });
    clock.moveBy(3_600_000);
    expect(bodyOf(await get(path), 200, SHAPES.jobStatus).job.is_ready_for_processing).toBe(true);
    market.updateJob(id, { status: 'completed', applicationUid: '1984' });
    expect(bodyOf(await get(path), 200, SHAPES.jobStatus).job).toMatchObject({
      status: 'completed',
      status_title: 'Proposal sent',
      processed_at: new Date(clock.now()).toISOString(),
      marketplace_application_uid: '1984',
      is_ready_for_processing: false,
    });
    bodyOf(await get('/auto-bidding/jobs/1/status'), 404, SHAPES.error);
  },

  'GET /auto-bidding/setups': async (open) => {
    const { market, get } = await open();
    market.addSetup({ name: 'One', status: 'active' });
    market.addSetup({ name: 'Two', status: 'paused', lastRunAt: Date.UTC(2026, 0, 4) });
    const all = bodyOf(await get('/auto-bidding/setups'), 200, SHAPES.setups);
    expect([all.success, all.count]).toEqual([true, 2]);
    expect(all.setups.map(({ status, status_name }) => [status, status_name])).toEqual([
      [1, 'active'],
      [3, 'paused'],
    ]);
    const paused = bodyOf(await get('/auto-bidding/setups?status=paused'), 200, SHAPES.setups);
    expect(paused.setups).toMatchObject([{ name: 'Two', last_run_at: '2026-01-04T00:00:00.000Z' }]);
    bodyOf(await get('/auto-bidding/setups?status=asleep'), 400, SHAPES.error);
  },

  'GET /filters/{id}/projects': async (open) => {
    const { market, get } = await open();
    const filter = market.addFilter();
    for (let count = 0; count < 25; count++) market.publishProject(filter.id);
    const first = bodyOf(await get(`/filters/${filter.id}/projects`), 200, SHAPES.filterProjects);
    expect(first.pagination).toMatchObject({ total: 25, limit: 20, is_last: false });
    expect(first.credits).toMatchObject({ new_projects_consumed: 20, total_projects_returned: 20 });
    const all = bodyOf(await get(`/filters/${filter.id}/projects?limit=100`), 200, SHAPES.filterProjects);
    expect(all.pagination.is_last).toBe(true);
    expect(all.credits).toMatchObject({ new_projects_consumed: 5, total_projects_returned: 25 });
    const known = new Set(market.projects().map((project) => project.url));
    expect(new Set(all.data.map((project) => project.url))).toEqual(known);
    const empty = market.addFilter();
    const none = bodyOf(await get(`/filters/${empty.id}/projects`), 200, SHAPES.filterProjects);
    expect(none.pagination).toEqual({
      total: 0,
      limit: 20,
      is_last: true,
      next_cursor: 0,
      latest_published_ts: 0,
    });
  },

  'GET /results/{id}/projects': async (open) => {
    const { market, get } = await open();
    const filter = market.addFilter();
    for (let count = 0; count < 25; count++) market.publishProject(filter.id);
    const result = market.addResult({ filterId: filter.id });
    const path = `/results/${result.id}/projects`;
    const pages = [1, 2, 3, 4].map(async (page) =>
      bodyOf(await get(`${path}?page=${page}&limit=10`), 200, SHAPES.resultProjects),
    );
    const [one, two, three, four] = await Promise.all(pages);
    expect(one?.pagination).toEqual({ total: 25, page: 1, limit: 10, pages: 3 });
    const urls = [one, two, three].flatMap((page) => page?.data.map((project) => project.url) ?? []);
    expect(new Set(urls).size).toBe(25);
    expect(four?.data).toEqual([]);
    expect(market.consumedCredits().total).toBe(25);
  },

  'GET /projects/lookup': async (open) => {
    const { market, get } = await open();
    const project = market.publishProject(market.addFilter().id, {
      title: 'Rebuild a shop',
      client: { totalSpent: 12_300, hireRate: 0.75, utcOffsetMinutes: 60 },
      budget: { type: 'hourly', fixedAmount: 0, hourlyMin: 30, hourlyMax: 60 },
    });
    const byCiphertext = bodyOf(
      await get(`/projects/lookup?ciphertext=${encodeURIComponent(project.ciphertext)}`),
      200,
      SHAPES.lookup,
    );
    expect(byCiphertext.data).toMatchObject({
      title: 'Rebuild a shop',
      skills: project.skills,
      budget: { type: 'Hourly', amount: '$30 - $60' },
      budgetRaw: { type: 'hourly', hourlyMin: 30, hourlyMax: 60 },
      clientHireRate: 0.75,
      clientDetails: { totalSpent: '$12.3K', countryTimezoneTime: '10:00' },
      publishedTimestamp: Date.UTC(2026, 0, 5, 9) / 1_000,
    });
    expect(byCiphertext.credits).toMatchObject({ new_projects_consumed: 1, total_projects_returned: 1 });
    const byUid = bodyOf(await get(`/projects/lookup?uid=${project.uid}`), 200, SHAPES.lookup);
    expect(byUid.data).toEqual(byCiphertext.data);
    expect(byUid.credits.new_projects_consumed).toBe(0);
    bodyOf(await get('/projects/lookup?uid=1'), 404, SHAPES.error);
  },

  'GET /filters/{id}/results': async (open) => {
    const { market, clock, get } = await open();
    const filter = market.addFilter();
    market.publishProject(filter.id);
    const older = market.addResult({ filterId: filter.id });
    clock.moveBy(60_000);
    const newer = market.addResult({ filterId: filter.id, projectIds: [] });
    const { data, pagination } = bodyOf(
      await get(`/filters/${filter.id}/results`),
      200,
      SHAPES.filterResults,
    );
    expect(data.map(({ id, totalProjects }) => [id, totalProjects])).toEqual([
      [newer.id, 0],
      [older.id, 1],
    ]);
    const empty = `/filters/${market.addFilter().id}/results`;
    expect(bodyOf(await get(empty), 200, SHAPES.filterResults).data).toEqual([]);
    market.setModes({ emptyResultsNotFound: true });
    bodyOf(await get(empty), 404, SHAPES.error);
    expect((await get(`/filters/${filter.id}/results`)).status).toBe(200);
    market.setModes({ emptyResultsNotFound: false });
    expect(pagination).toEqual({ total: 2, page: 1, limit: 20, pages: 1 });
    bodyOf(await get('/filters/1/results'), 404, SHAPES.error);
  },

  'GET /proposals': async (open) => {
    const { market, get } = await open();
    const profile = market.addProfile({ label: 'Design team' });
    for (let count = 0; count < 12; count++) market.addProposal({ profileId: profile.id });
    const { data, pagination } = bodyOf(
      await get(`/proposals?profileId=${profile.id}&limit=10&page=2`),
      200,
      SHAPES.proposals,
    );
    expect(pagination).toEqual({ total: 12, page: 2, limit: 10, pages: 2 });
    expect(data).toHaveLength(2);
    expect(data[0]?.marketplaceProfile).toEqual({ id: profile.id, label: 'Design team', type: 'freelancer' });
    const empty = market.addProfile();
    const none = bodyOf(await get(`/proposals?profileId=${empty.id}`), 200, SHAPES.proposals);
    expect(none).toEqual({ data: [], pagination: { total: 0, page: 1, limit: 20, pages: 0 } });
    bodyOf(await get('/proposals?profileId=1'), 404, SHAPES.error);
  },

  'GET /proposals/{id}': async (open) => {
    const { market, get } = await open();
    const { id } = market.addProposal({ profileId: market.addProfile().id, isHired: false });
    market.updateProposal(id, { isHired: true });
    const { data } = bodyOf(await get(`/proposals/${id}`), 200, SHAPES.proposal);
    expect(data).toMatchObject({ id, isHired: true });
    bodyOf(await get('/proposals/1'), 404, SHAPES.error);
  },

  'GET /proposals/by-uid/{applicationUid}': async (open) => {
    const { market, get } = await open();
    const { id } = market.addProposal({ profileId: market.addProfile().id, applicationUid: 'ab/12' });
    const { data } = bodyOf(await get('/proposals/by-uid/ab%2F12'), 200, SHAPES.proposal);
    expect(data.id).toBe(id);
    bodyOf(await get('/proposals/by-uid/none'), 404, SHAPES.error);
  },

  'GET /invitations': async (open) => {
    const { market, clock, get } = await open();
    const profile = market.addProfile();
    const { id } = market.addInvitation({ profileId: profile.id, statusLabel: 'Pending' });
    clock.moveBy(60_000);
    market.updateInvitation(id, { statusLabel: 'Accepted' });
    const { data } = bodyOf(await get(`/invitations?profileId=${profile.id}`), 200, SHAPES.invitations);
    expect(data).toMatchObject([
      { id, statusLabel: 'Accepted', updatedAt: new Date(clock.now()).toISOString() },
    ]);
  },

  'GET /profiles': async (open) => {
    const drive = await open();
    const { id, label, type } = drive.market.addProfile();
    await checkList(drive, 'profiles', { id, label, type });
  },

  'GET /organizations': async (open) => {
    const drive = await open();
    const { id, label, type } = drive.market.addOrganization();
    await checkList(drive, 'organizations', { id, label, type });
  },

  'GET /filters': async (open) => {
    const drive = await open();
    const { id, name } = drive.market.addFilter();
    await checkList(drive, 'filters', { id, name });
  },
});
