/** Results of each marketplace call. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { failure, json, serveFile } from './wire-server.ts';

const { server, client } = serveFile();
let market: MarketplaceClient;
beforeEach(async () => {
  ({ market } = await client());
  server.answer(json({ data: [] }));
});

const options = { lane: 'person' } as const;
const id = (value: number) => value as never;

const credits = {
  remaining: 80,
  reset_date: '2026-02-01T00:00:00Z',
  new_projects_consumed: 1,
  total_projects_returned: 1,
};
const paging = { total: 41, page: 2, limit: 20, pages: 3 };
const listed = { title: 'Shop', url: 'https://m.example/jobs/~021', qualification: null };

describe('what each call brings back', () => {
  test('filterProjects: projects, cursor and credits; a bad item costs only itself', async () => {
    const pagination = {
      total: 3,
      limit: 20,
      is_last: false,
      next_cursor: 1767600000,
      latest_published_ts: '1767603600',
    };
    server.answer(json({ data: [listed, { title: 'No url' }, null], pagination, credits }));
    expect(await market.fetchFilterProjects(id(5), { limit: 20 }, options)).toMatchObject({
      projects: [{ key: '~021', title: 'Shop' }],
      unreadable: 2,
      isLast: false,
      nextCursor: 1767600000,
      latestPublishedTs: 1767603600,
      credits: { remaining: 80, consumed: 1, resetsAt: Date.UTC(2026, 1, 1) },
    });
  });

  test('projects survive unreadable credits: the worst case is assumed and marked', async () => {
    server.answer(json({ data: [listed], credits }));
    await market.fetchFilterProjects(id(5), { limit: 20 }, options);
    server.answer(json({ data: [listed, { ...listed, url: 'https://m.example/jobs/~022' }], credits: null }));
    const page = await market.fetchFilterProjects(id(5), { limit: 20 }, options);
    expect(page.projects).toHaveLength(2);
    expect(page.credits).toEqual({ remaining: 78, consumed: 2, assumed: 'both' });
  });

  test('a filter page that may have been charged isn’t requested again: it could cost more', async () => {
    server.answer(json({ error: 'Oops' }, 500), json({ data: [listed], credits }));
    const error = await failure(market.fetchFilterProjects(id(5), { limit: 10 }, { lane: 'feed' }));
    expect(error).toMatchObject({ code: 'server', effect: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });

  test('an answer to a second try says that the first may have been charged, too', async () => {
    server.answer(json({ error: 'Oops' }, 500), json({ data: listed, credits }));
    const answer = await market.lookUpProject({ ciphertext: '~021' }, options);
    expect(answer.credits).toMatchObject({ consumed: 1, remaining: 80, repeated: true });
  });

  test('resultProjects: with page-based paging', async () => {
    server.answer(json({ data: [listed], pagination: paging, credits }));
    const page = await market.fetchResultProjects(id(6), {}, options);
    expect(page).toMatchObject({ projects: [{ key: '~021' }], unreadable: 0, paging });
  });

  test('lookup: one project in full', async () => {
    server.answer(json({ data: { ...listed, jobType: 'Hourly', connectsPrice: 12 }, credits }));
    const { project, credits: charged } = await market.lookUpProject({ uid: '77' }, options);
    expect(project).toMatchObject({ key: '~021', jobType: 'Hourly', connectsPrice: 12 });
    expect(charged).toMatchObject({ consumed: 1 });
  });

  test('of a list that refuses a size: the documented one, unless the answer names another', async () => {
    const refused = json({ error: 'Unknown parameter: limit' }, 400);
    server.answer(refused, json({ data: [], pagination: { total: 41 } }));
    const page = await market.fetchProposals({ profile: id(4), page: 1, limit: 50 }, options);
    expect(page.paging).toMatchObject({ limit: 20, total: 41 });
  });

  test('lists without charge: items and paging', async () => {
    server.answer(
      json({
        data: [{ id: 1, createdAt: '2026-01-05T09:00:00Z', totalProjects: 4 }, {}],
        pagination: paging,
      }),
    );
    expect(await market.fetchFilterResults(id(5), {}, options)).toEqual({
      items: [{ id: 1, createdAt: Date.UTC(2026, 0, 5, 9), totalProjects: 4 }],
      unreadable: 1,
      paging,
    });
    server.answer(json({ data: [{ id: 8, isViewed: true }], pagination: paging }));
    const proposals = await market.fetchProposals({ profile: id(4) }, options);
    expect(proposals.items).toMatchObject([{ id: 8, viewed: true, hired: false }]);
    server.answer(json({ data: [{ invitationUid: 'i1', title: 'Join us' }], pagination: paging }));
    const invitations = await market.fetchInvitations({ profile: id(4) }, options);
    expect(invitations.items).toMatchObject([{ uid: 'i1', title: 'Join us' }]);
  });

  test('createJob, approveJob and jobStatus: the job in each view', async () => {
    const job = { id: 9, marketplace_job_id: '~021', status: 'pending', setup_id: 3, bid_amount: '45.50' };
    server.answer(json({ success: true, message: 'Created', job }));
    expect(await market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options)).toEqual({
      message: 'Created',
      job: { id: 9, marketplaceJobId: '~021', status: 'pending', setup: 3, bidAmount: '45.50' },
    });
    server.answer(json({ success: true, job: { ...job, was_ai_disqualified: true, approved_by: 'Ann' } }));
    expect((await market.approveJob(id(9), options)).job).toMatchObject({
      wasAiDisqualified: true,
      approvedBy: 'Ann',
    });
    server.answer(json({ success: true, job: { ...job, status: 'new word', retry_count: 2 } }));
    expect(await market.fetchJobStatus(id(9), options)).toMatchObject({ status: 'new word', retryCount: 2 });
  });

  test.each([200, 400, 409])(
    'a refusal in the body with status %i names the job, and is no success',
    async (status) => {
      server.answer(json({ success: false, error: 'Already exists', job_id: 31, job: { id: 31 } }, status));
      const error = await failure(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
      expect(error).toMatchObject({
        code: 'bad-request',
        effect: 'none',
        details: { jobId: 31, serverMessage: 'Already exists', status },
      });
    },
  );

  test.each([200, 400])(
    'success: false with a job and a message, status %i: both are kept',
    async (status) => {
      const job = { id: 31, marketplace_job_id: '~021', status: 'skipped', setup_id: 3 };
      server.answer(json({ success: false, message: 'The daily limit is reached', job }, status));
      const error = await failure(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
      expect(error).toMatchObject({
        effect: 'none',
        details: {
          jobId: 31,
          job: { id: 31, status: 'skipped' },
          serverMessage: 'The daily limit is reached',
        },
      });
    },
  );

  test('error and message of a refused job are both kept', async () => {
    const body = { success: false, error: 'Skipped', message: 'The daily limit is reached', job_id: 31 };
    server.answer(json(body, 400));
    const error = await failure(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
    expect(error.details.serverMessage).toBe('Skipped: The daily limit is reached');
  });

  test('a success that holds only the id of a job keeps that id', async () => {
    server.answer(json({ success: true, message: 'Created', job_id: 31 }));
    const error = await failure(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
    expect(error).toMatchObject({ code: 'unreadable', effect: 'unknown', details: { jobId: 31 } });
  });

  test('a created job that cannot be read has an unknown effect', async () => {
    server.answer(json({ success: true, job: {} }));
    const error = await failure(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
    expect(error).toMatchObject({ code: 'unreadable', effect: 'unknown' });
  });

  test('setups: by the name of their status, the number where there is no name', async () => {
    const setups = [
      { id: 1, name: 'A', status: 1, status_name: 'active', filter: { id: 5, name: 'F' } },
      { id: 2, status: 7 },
    ];
    server.answer(json({ success: true, count: 2, setups }));
    expect(await market.fetchBiddingSetups(options)).toEqual([
      { id: 1, name: 'A', status: 'active', filter: { id: 5, name: 'F' } },
      { id: 2, name: 'Setup 2', status: '7' },
    ]);
  });

  test('a template refused comes back with a message for each field', async () => {
    const fields = {
      'hourly_rate.rate': 'must be between 3 and 999',
      'ai.model': ['unknown model', 'or two'],
    };
    server.answer(json({ error: 'Validation failed', fields }, 400));
    const input = {
      name: 'x',
      sender: { organizationId: id(9) },
      hourlyRate: { rate: 1 },
      ai: { instructions: 'x' },
    };
    expect((await failure(market.createProposalTemplate(input, options))).details).toEqual({
      status: 400,
      serverMessage: 'Validation failed',
      fields: { 'hourly_rate.rate': 'must be between 3 and 999', 'ai.model': 'unknown model; or two' },
    });
  });

  test('depleted credits come back with their numbers', async () => {
    server.answer(
      json(
        {
          error: 'Insufficient credits',
          message: 'You need 20 and have 12',
          credits_needed: 20,
          credits_remaining: 12,
          credits_reset_date: '2026-02-01T00:00:00Z',
        },
        402,
      ),
    );
    expect(await failure(market.fetchFilterProjects(id(5), { limit: 20 }, options))).toMatchObject({
      code: 'credits-depleted',
      effect: 'none',
      details: { creditsNeeded: 20, creditsRemaining: 12, creditsResetAt: Date.UTC(2026, 1, 1) },
    });
  });

  test.each([
    [
      'a list',
      [{ organization_id: 9, name: 'Acme', type: 'agency', contractors: [{ uid: 'c1', name: 'Ann' }] }],
    ],
    [
      'data',
      {
        data: [
          { id: 9, label: 'Acme', type: 'agency', members: [{ contractor_uid: 'c1', fullName: 'Ann' }] },
        ],
      },
    ],
    [
      'one row a contractor',
      {
        data: [
          {
            organizationId: 9,
            organization: { name: 'Acme', type: 'agency' },
            contractorUid: 'c1',
            name: 'Ann',
          },
          {},
        ],
      },
    ],
    [
      'groups',
      {
        data: {
          agencies: [
            { organization_id: 9, name: 'Acme', type: 'agency', freelancers: [{ id: 'c1', name: 'Ann' }] },
          ],
        },
      },
    ],
    [
      'a row that names the organization beside its id',
      {
        data: [
          {
            organization_id: 9,
            organization_name: 'Acme',
            type: 'agency',
            contractor_uid: 'c1',
            contractor_name: 'Ann',
          },
        ],
      },
    ],
    [
      'people with their organization',
      { people: [{ uid: 'c1', full_name: 'Ann', org: { id: 9, name: 'Acme', type: 'agency' } }] },
    ],
    [
      'organizations with people',
      { data: [{ org: { id: 9, title: 'Acme' }, type: 'agency', people: [{ uid: 'c1', name: 'Ann' }] }] },
    ],
    [
      'an organization that is a name alone, with one contractor',
      {
        data: [
          {
            organization_id: 9,
            organization: 'Acme',
            type: 'agency',
            contractor: { uid: 'c1', name: 'Ann' },
          },
        ],
      },
    ],
  ])('senders are recognised in %s', async (_how, body) => {
    server.answer(json(body));
    expect(await market.fetchProposalSenders(options)).toEqual([
      { organizationId: 9, name: 'Acme', type: 'agency', contractors: [{ uid: 'c1', name: 'Ann' }] },
    ]);
  });

  test.each([
    ['under data', { data: [{ id: 301, label: 'Ann', type: 'agency' }, { label: 'nobody' }, 'x'] }],
    ['under items', { items: [{ id: '301', name: 'Ann', type: 'agency' }] }],
    ['under its plural', { success: true, profiles: [{ id: 301, title: 'Ann', type: 'agency' }] }],
    ['one level down', { data: { profiles: [{ id: 301, label: 'Ann', type: 'agency' }] } }],
    ['at the top', [{ id: 301, label: 'Ann', type: 'agency' }]],
    ['beside an id of its own', [{ profile_id: 301, profile_name: 'Ann', type: 'agency' }]],
  ])('names are recognised %s', async (_how, body) => {
    server.answer(json(body));
    expect(await market.fetchNamedEntities('profile', options)).toEqual([
      { id: 301, name: 'Ann', type: 'agency' },
    ]);
  });

  test.each([[{}], [{ data: 'none' }], [{ filters: [{ id: 1, name: 'x' }] }], [[1, null, { id: -1 }]]])(
    'what is no list of names holds none: %j',
    async (body) => {
      server.answer(json(body));
      expect(await market.fetchNamedEntities('profile', options)).toEqual([]);
    },
  );
});
