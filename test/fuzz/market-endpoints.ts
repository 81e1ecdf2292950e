/** Every marketplace call, with a healthy answer from the simulator. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { MarketplaceCallOptions, MarketplaceClient } from '../../src/marketplace/client.ts';
import {
  ApprovedJob,
  BiddingSetup,
  CreatedJob,
  Invitation,
  JobStatusReport,
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  Paging,
  Proposal,
  ProposalTemplate,
  ResponseCredits,
} from '../../src/marketplace/schema.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Json } from './hostile-json.ts';

export interface Endpoint {
  readonly name: string;
  call(market: MarketplaceClient): Promise<unknown>;
  /** The schema of every parsed answer. */
  readonly shape: z.ZodType;
  readonly healthy: Json;
  /** The path of its list, if any: each item is independent. */
  readonly items?: { readonly under: string; readonly of: (value: unknown) => readonly unknown[] };
}

const options: MarketplaceCallOptions = { lane: 'person' };
/** Any one item of a kind. */
const any = <T>(value: unknown) => value as T;

const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), unreadable: z.number(), paging: Paging });
const projects = { projects: z.array(ListedProject), unreadable: z.number(), credits: ResponseCredits };
const named = z.strictObject({ id: z.number(), name: z.string().optional(), type: z.string().optional() });
const contractor = z.strictObject({ uid: z.string(), name: z.string().optional() });
const sender = z.strictObject({
  organizationId: z.number(),
  name: z.string().optional(),
  type: z.string().optional(),
  contractors: z.array(contractor),
});
const jobAnswer = <T extends z.ZodType>(job: T) => z.strictObject({ message: z.string().optional(), job });
const under = (place: string, key: string) => ({
  under: place,
  of: (value: unknown) => any<Readonly<Record<string, readonly unknown[]>>>(value)[key] ?? expect.fail(key),
});
const bare = (place: string) => ({ under: place, of: (value: unknown) => any<readonly unknown[]>(value) });

type Described = Omit<Endpoint, 'healthy'> & { readonly path: string; readonly body?: Json };

const DESCRIBED: readonly Described[] = [
  {
    name: 'projects of a filter',
    path: '/filters/5/projects',
    call: (it) => it.fetchFilterProjects(any(5), { limit: 20 }, options),
    shape: z.strictObject({
      ...projects,
      isLast: z.boolean().optional(),
      nextCursor: z.number().optional(),
      latestPublishedTs: z.number().optional(),
    }),
    items: under('data', 'projects'),
  },
  {
    name: 'projects of a result',
    path: '/results/6/projects',
    call: (it) => it.fetchResultProjects(any(6), {}, options),
    shape: z.strictObject({ ...projects, paging: Paging }),
    items: under('data', 'projects'),
  },
  {
    name: 'a lookup',
    path: '/projects/lookup?uid=77',
    call: (it) => it.lookUpProject({ uid: '77' }, options),
    shape: z.strictObject({ project: LookedUpProject, credits: ResponseCredits }),
  },
  {
    name: 'results of a filter',
    path: '/filters/5/results',
    call: (it) => it.fetchFilterResults(any(5), {}, options),
    shape: page(MonitoringResult),
    items: under('data', 'items'),
  },
  {
    name: 'proposals',
    path: '/proposals?profileId=4',
    call: (it) => it.fetchProposals({ profile: any(4) }, options),
    shape: page(Proposal),
    items: under('data', 'items'),
  },
  {
    name: 'a proposal',
    path: '/proposals/8',
    call: (it) => it.fetchProposal(any(8), options),
    shape: Proposal,
  },
  {
    name: 'a proposal by its uid',
    path: '/proposals/by-uid/a8',
    call: (it) => it.fetchProposalByUid('a8', options),
    shape: Proposal,
  },
  {
    name: 'invitations',
    path: '/invitations?profileId=4',
    call: (it) => it.fetchInvitations({ profile: any(4) }, options),
    shape: page(Invitation),
    items: under('data', 'items'),
  },
  {
    name: 'a template',
    path: '/proposal-templates/9',
    call: (it) => it.fetchProposalTemplate(any(9), options),
    shape: ProposalTemplate,
  },
  {
    name: 'a created template',
    path: '/proposal-templates/9',
    call: (it) =>
      it.createProposalTemplate(
        {
          name: 'x',
          sender: { organizationId: any(9) },
          hourlyRate: { rate: 30 },
          ai: { instructions: 'x' },
        },
        options,
      ),
    shape: ProposalTemplate,
  },
  {
    name: 'senders',
    path: '/proposal-senders',
    call: (it) => it.fetchProposalSenders(options),
    shape: z.array(sender),
  },
  {
    name: 'a created job',
    path: '/auto-bidding/jobs/create',
    body: { setup_id: 3, marketplace_job_id: '~021' },
    call: (it) => it.createJob({ setup: any(3), marketplaceJobId: '~021' }, options),
    shape: jobAnswer(CreatedJob),
  },
  {
    name: 'an approved job',
    path: '/auto-bidding/jobs/31/approve',
    body: {},
    call: (it) => it.approveJob(any(31), options),
    shape: jobAnswer(ApprovedJob),
  },
  {
    name: 'how a job stands',
    path: '/auto-bidding/jobs/31/status',
    call: (it) => it.fetchJobStatus(any(31), options),
    shape: JobStatusReport,
  },
  {
    name: 'setups',
    path: '/auto-bidding/setups',
    call: (it) => it.fetchBiddingSetups(options),
    shape: z.array(BiddingSetup),
    items: bare('setups'),
  },
  ...(['profile', 'organization', 'filter'] as const).map((kind) => ({
    name: `names of ${kind}s`,
    path: `/${kind}s`,
    call: (it: MarketplaceClient) => it.fetchNamedEntities(kind, options),
    shape: z.array(named),
    items: bare('data'),
  })),
];

/** Queries a simulated marketplace with a few items of every kind. */
export async function readEndpoints(): Promise<readonly Endpoint[]> {
  const market = await startSimulatedMarketplace({
    clock: new ManualClock(),
    random: seededRandom(1),
    requestsPerMinute: 500,
  });
  try {
    market.setModes({ lists: 'data' });
    for (const id of [5, 6, 7]) market.addFilter({ id, qualifier: true });
    const project = market.publishProject(5, {
      uid: '77',
      url: 'https://www.marketplace.example/jobs/~021',
      ciphertext: '~021',
    });
    for (let more = 0; more < 2; more++) market.setVerdict(market.publishProject(5).id, 'disqualified', [5]);
    for (const id of [6, 7]) market.addResult({ id, filterId: 5 });
    for (const id of [4, 14]) market.addProfile({ id });
    for (const id of [9, 19]) market.addOrganization({ id });
    for (const id of [8, 18, 28]) market.addProposal({ id, profileId: 4, applicationUid: `a${id}` });
    for (let more = 0; more < 3; more++) market.addInvitation({ profileId: 4 });
    market.addTemplate({ id: 9 });
    for (const id of [3, 13, 23]) market.addSetup({ id, filter: { id: 5, name: 'F' } });
    market.addJob({ id: 31, projectId: market.publishProject(5).id, status: 'pending_review' });
    expect(project.ciphertext).toBe('~021');
    const read: Endpoint[] = [];
    for (const { path, body, ...described } of DESCRIBED)
      read.push({ ...described, healthy: await ask(`${market.baseUrl}${path}`, market.token, body) });
    return read;
  } finally {
    await market.close();
  }
}

async function ask(url: string, token: string, body: Json | undefined): Promise<Json> {
  const headers = { 'x-api-token': token, 'content-type': 'application/json' };
  const sent = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  const answer = await globalThis.fetch(url, sent);
  expect({ url, status: answer.status }).toEqual({ url, status: 200 });
  return (await answer.json()) as Json;
}
