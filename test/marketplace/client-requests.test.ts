/** Requests of each marketplace call. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { json, serveFile } from './wire-server.ts';

const { server, client } = serveFile();
let market: MarketplaceClient;
beforeEach(async () => {
  ({ market } = await client());
  server.answer(json({ data: [] }));
});

const options = { lane: 'person' } as const;
const id = (value: number) => value as never;

/** Makes a call. Returns the request the server received. */
async function sent(call: Promise<unknown>) {
  await call.catch(() => undefined);
  const [request] = server.seen;
  const { pathname, searchParams } = request?.url ?? new URL('http://none');
  return {
    request: `${request?.method} ${pathname}`,
    query: Object.fromEntries(searchParams),
    body: request?.body ? JSON.parse(request.body) : undefined,
    type: request?.headers['content-type'],
  };
}

describe('what each call asks', () => {
  const page = { page: 2, limit: 50 };
  const profile = { profile: id(4), organization: id(9), order: 'ASC', ...page } as const;
  const profileQuery = { profileId: '4', organizationId: '9', page: '2', limit: '50', order: 'ASC' };
  test.each<[string, () => Promise<unknown>, string, Record<string, string>]>([
    [
      'filterProjects',
      () => market.fetchFilterProjects(id(5), { limit: 100, nextCursor: 17, latestPublishedTs: 18 }, options),
      'GET /v1/filters/5/projects',
      { limit: '100', next_cursor: '17', latest_published_ts: '18' },
    ],
    [
      'filterProjects from the start',
      () => market.fetchFilterProjects(id(5), { limit: 10 }, options),
      'GET /v1/filters/5/projects',
      { limit: '10' },
    ],
    [
      'resultProjects',
      () => market.fetchResultProjects(id(6), page, options),
      'GET /v1/results/6/projects',
      { page: '2', limit: '50' },
    ],
    [
      'lookup by ciphertext',
      () => market.lookUpProject({ ciphertext: '~021' }, options),
      'GET /v1/projects/lookup',
      { ciphertext: '~021' },
    ],
    [
      'lookup by uid',
      () => market.lookUpProject({ uid: '77' }, options),
      'GET /v1/projects/lookup',
      { uid: '77' },
    ],
    ['filterResults', () => market.fetchFilterResults(id(5), {}, options), 'GET /v1/filters/5/results', {}],
    [
      'proposals',
      () => market.fetchProposals(profile, options),
      'GET /v1/proposals',
      { ...profileQuery, sort: 'submittedAt' },
    ],
    ['proposal', () => market.fetchProposal(id(8), options), 'GET /v1/proposals/8', {}],
    [
      'proposalByUid, whatever the uid',
      () => market.fetchProposalByUid('a/b?c', options),
      'GET /v1/proposals/by-uid/a%2Fb%3Fc',
      {},
    ],
    [
      'invitations',
      () => market.fetchInvitations(profile, options),
      'GET /v1/invitations',
      { ...profileQuery, sort: 'invitedAt' },
    ],
    ['template', () => market.fetchProposalTemplate(id(3), options), 'GET /v1/proposal-templates/3', {}],
    ['proposalSenders', () => market.fetchProposalSenders(options), 'GET /v1/proposal-senders', {}],
    ['jobStatus', () => market.fetchJobStatus(id(2), options), 'GET /v1/auto-bidding/jobs/2/status', {}],
    ['setups', () => market.fetchBiddingSetups(options), 'GET /v1/auto-bidding/setups', {}],
    ['names of profiles', () => market.fetchNamedEntities('profile', options), 'GET /v1/profiles', {}],
    [
      'names of organizations',
      () => market.fetchNamedEntities('organization', options),
      'GET /v1/organizations',
      {},
    ],
    ['names of filters', () => market.fetchNamedEntities('filter', options), 'GET /v1/filters', {}],
  ])('%s', async (_name, call, request, query) => {
    expect(await sent(call())).toEqual({ request, query, body: undefined, type: undefined });
  });

  test('createJob sends what was given and nothing else', async () => {
    const answers = [{ question: 'Why?', answer: 'Because' }];
    const full = {
      setup: id(3),
      marketplaceJobId: '~021',
      projectId: 12,
      scheduledAt: '2026-01-06T09:00:00Z',
      scheduledInMinutes: 15,
      coverLetter: 'Dear client',
      answers,
      bidAmount: 45.5,
      boostConnects: 6,
    };
    expect(await sent(market.createJob(full, options))).toEqual({
      request: 'POST /v1/auto-bidding/jobs/create',
      query: {},
      type: 'application/json',
      body: {
        setup_id: 3,
        marketplace_job_id: '~021',
        project_id: 12,
        scheduled_at: '2026-01-06T09:00:00Z',
        scheduled_in: 15,
        cover_letter: 'Dear client',
        answers,
        bid_amount: 45.5,
        boost_bid_amount: 6,
      },
    });
    server.answer(json({}));
    const least = await sent(market.createJob({ setup: id(3), marketplaceJobId: '~021' }, options));
    expect(least.body).toEqual({ setup_id: 3, marketplace_job_id: '~021' });
  });

  test('approveJob has no body', async () => {
    const approved = await sent(market.approveJob(id(2), options));
    expect(approved).toMatchObject({ request: 'POST /v1/auto-bidding/jobs/2/approve', body: undefined });
  });

  test('createTemplate leaves out what is undefined and sends null', async () => {
    const call = market.createProposalTemplate(
      {
        name: 'Shops',
        sender: { organizationId: id(9), contractorUid: 'c1' },
        hourlyRate: { mode: 'smart', rate: 40, smartRateMin: 30, smartRateMax: 60, smartRatePercent: 90 },
        fixedPrice: { type: 'by-project', price: 500, minPrice: null },
        ai: { model: null, instructions: 'Be brief', templateStructure: true },
        abTesting: true,
        answers: [{ question: 'Why?', answer: 'Because', matchType: 'startsWith' }],
        coverLetters: { variantA: 'A', variantB: null },
        visibility: 'shared_edit',
      },
      options,
    );
    expect((await sent(call)).body).toEqual({
      name: 'Shops',
      sender: { organization_id: 9, contractor_uid: 'c1' },
      hourly_rate: {
        mode: 'smart',
        rate: 40,
        smart_rate_min: 30,
        smart_rate_max: 60,
        smart_rate_percent: 90,
      },
      fixed_price: { type: 'by-project', price: 500, min_price: null },
      ai: { model: null, instructions: 'Be brief', template_structure: true },
      ab_testing: true,
      answers: [{ question: 'Why?', answer: 'Because', match_type: 'startsWith' }],
      cover_letters: { variant_a: 'A', variant_b: null },
      visibility: 'shared_edit',
    });
  });
});
