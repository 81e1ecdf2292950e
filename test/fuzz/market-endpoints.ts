/** Every marketplace call, with a healthy answer from the simulator. */
import type { ServerResponse } from 'node:http';
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
import { type serveFile, TOKEN } from '../marketplace/wire-server.ts';
import { seededRandom } from '../seeded-random.ts';

type Call = (market: MarketplaceClient) => Promise<unknown>;

interface Endpoint {
  readonly call: Call;
  /** The schema of every parsed answer. */
  readonly shape: z.ZodType;
  readonly healthy: unknown;
  /** Its items are independent. */
  readonly isList: boolean;
}

export type Endpoints = Awaited<ReturnType<typeof readEndpoints>>;

const options: MarketplaceCallOptions = { lane: 'person' };
const id = (value: number) => value as never;

const maybe = { name: z.string().optional(), type: z.string().optional() };
const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), unreadable: z.number(), paging: Paging });
const projects = { projects: z.array(ListedProject), unreadable: z.number(), credits: ResponseCredits };
const cursor = { isLast: z.boolean(), nextCursor: z.number(), latestPublishedTs: z.number() };
const named = z.array(z.strictObject({ id: z.number(), ...maybe }));
const contractor = z.strictObject({ uid: z.string(), name: maybe.name });
const sender = z.strictObject({ organizationId: z.number(), ...maybe, contractors: z.array(contractor) });
const answered = <T extends z.ZodType>(job: T) => z.strictObject({ message: maybe.name, job });

const LISTS: readonly (readonly [Call, z.ZodType])[] = [
  [
    (it) => it.fetchFilterProjects(id(5), { limit: 20 }, options),
    z.strictObject({ ...projects, ...z.object(cursor).partial().shape }),
  ],
  [(it) => it.fetchResultProjects(id(6), {}, options), z.strictObject({ ...projects, paging: Paging })],
  [(it) => it.fetchFilterResults(id(5), {}, options), page(MonitoringResult)],
  [(it) => it.fetchProposals({ profile: id(4) }, options), page(Proposal)],
  [(it) => it.fetchInvitations({ profile: id(4) }, options), page(Invitation)],
  [(it) => it.fetchBiddingSetups(options), z.array(BiddingSetup)],
  [(it) => it.fetchNamedEntities('profile', options), named],
  [(it) => it.fetchNamedEntities('organization', options), named],
  [(it) => it.fetchNamedEntities('filter', options), named],
];

const template = {
  name: 'x',
  sender: { organizationId: id(9) },
  hourlyRate: { rate: 30 },
  ai: { instructions: 'x' },
};
const OTHERS: typeof LISTS = [
  [
    (it) => it.lookUpProject({ uid: '77' }, options),
    z.strictObject({ project: LookedUpProject, credits: ResponseCredits }),
  ],
  [(it) => it.fetchProposal(id(8), options), Proposal],
  [(it) => it.fetchProposalByUid('a8', options), Proposal],
  [(it) => it.fetchProposalTemplate(id(9), options), ProposalTemplate],
  [(it) => it.createProposalTemplate(template, options), ProposalTemplate],
  [(it) => it.fetchProposalSenders(options), z.array(sender)],
  [(it) => it.createJob({ setup: id(3), marketplaceJobId: '~021' }, options), answered(CreatedJob)],
  [(it) => it.approveJob(id(31), options), answered(ApprovedJob)],
  [(it) => it.fetchJobStatus(id(31), options), JobStatusReport],
];

/** Makes each call to a simulated marketplace with a few items of every kind, and keeps its answer. */
export async function readEndpoints({ server, client }: ReturnType<typeof serveFile>) {
  const service = await startSimulatedMarketplace({
    clock: new ManualClock(),
    random: seededRandom(1),
    token: TOKEN,
    requestsPerMinute: 500,
  });
  service.setModes({ lists: 'data' });
  for (const filter of [5, 6, 7]) service.addFilter({ id: filter, qualifier: true });
  const url = 'https://www.marketplace.example/jobs/~021';
  service.publishProject(5, { uid: '77', url, ciphertext: '~021' });
  for (let more = 0; more < 2; more++) service.setVerdict(service.publishProject(5).id, 'disqualified', [5]);
  for (const result of [6, 7]) service.addResult({ id: result, filterId: 5 });
  for (const profile of [4, 14]) service.addProfile({ id: profile });
  for (const organization of [9, 19]) service.addOrganization({ id: organization, type: 'freelancer' });
  for (const it of [8, 18, 28]) service.addProposal({ id: it, profileId: 4, applicationUid: `a${it}` });
  for (let more = 0; more < 3; more++) service.addInvitation({ profileId: 4 });
  service.addTemplate({ id: 9 });
  for (const setup of [3, 13, 23]) service.addSetup({ id: setup, filter: { id: 5, name: 'F' } });
  service.addJob({ id: 31, projectId: service.publishProject(5).id, status: 'pending_review' });
  const { market } = await client({}, 60_000);
  let healthy: unknown;
  const forward = async (response: ServerResponse) => {
    const { method, headers, url, body } = server.seen.at(-1) ?? expect.fail('no request');
    const given = { 'x-api-token': TOKEN, 'content-type': headers['content-type'] ?? '' };
    const sent = { method, headers: given, ...(body === '' ? {} : { body }) };
    const answer = await globalThis.fetch(`${service.baseUrl}${url.pathname.slice(3)}${url.search}`, sent);
    healthy = await answer.json();
    response.writeHead(answer.status).end(JSON.stringify(healthy));
  };
  server.answer((response) => void forward(response));
  const endpoints: Endpoint[] = [];
  for (const [call, shape] of [...LISTS, ...OTHERS]) {
    await call(market);
    endpoints.push({ call, shape, healthy, isList: endpoints.length < LISTS.length });
  }
  await service.close();
  return endpoints;
}
