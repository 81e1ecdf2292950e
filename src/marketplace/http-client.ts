/** The marketplace's endpoints over HTTP: builds each call's request and parses its response. */
import type { FilterId, JobId, MonitoringResultId } from '../ids.ts';
import type {
  CreateJobRequest,
  MarketplaceCallOptions,
  MarketplaceClient,
  ProfileRecordsQuery,
} from './client.ts';
import { MarketplaceError } from './errors.ts';
import { hideToken, parseRefusedJobResponse, unreadableResponseError } from './failures.ts';
import { DEFAULT_PAGE_SIZE, ListPageSizes, type MarketplaceListRequest } from './list-limits.ts';
import type { ResponseCredits } from './schema.ts';
import { type ApiRequest, type ApiResponse, HttpTransport, type TransportParts } from './transport.ts';
import {
  isFailureResponse,
  parseApprovedJob,
  parseBiddingSetups,
  parseCreatedJob,
  parseJobIdFromResponse,
  parseJobStatus,
  parseResponseMessage,
} from './wire/bidding.ts';
import {
  parseCursorPaging,
  parsePaging,
  parseResponseCredits,
  parseResponseData,
  parseResponseItems,
} from './wire/envelope.ts';
import {
  parseListedProject,
  parseLookedUpProject,
  parseMonitoringResult,
  withoutImpossibleDate,
} from './wire/projects.ts';
import {
  buildTemplateRequestBody,
  parseInvitation,
  parseProposal,
  parseProposalTemplate,
} from './wire/proposals.ts';
import { NAMED_ENTITY_LIST_NAMES, parseNamedEntities, parseProposalSenders } from './wire/undocumented.ts';

/**
 * The client for one team's token. A call always ends the permit it receives, even when it fails.
 * @throws TypeError for an address that is neither https nor on loopback, or a token that no header can
 * carry.
 */
export function createMarketplaceClient(parts: TransportParts): MarketplaceClient {
  const transport = new HttpTransport(parts);
  const get = (path: string, query: NonNullable<ApiRequest['query']>, options: MarketplaceCallOptions) =>
    transport.sendRequest({ method: 'GET', path, query }, options);
  const limits = new ListPageSizes(parts.clock);
  const getList = async (asked: ListCall, options: MarketplaceCallOptions): Promise<ListAnswer> => {
    const { query, once, ...request } = asked;
    const { permit, ...further } = options;
    if (limits.isReservationTooSmall(request)) permit?.cancel();
    let isBare = false;
    const attempt = (limit: number | undefined, isRepeat: boolean) => {
      isBare = limit === undefined;
      const call = { method: 'GET', path: request.path, query: { ...query, limit }, once } as const;
      return transport.sendRequest(call, isRepeat ? further : options);
    };
    const answer = await limits.requestPage(request, attempt, sizeOf);
    return { ...answer, isBare };
  };
  const post = (path: string, body: unknown, options: MarketplaceCallOptions) =>
    transport.sendRequest({ method: 'POST', path, body }, options);

  let lastRemaining: number | undefined;
  const creditsOf = ({ body, repeated }: ApiResponse, returned: number): ResponseCredits => {
    const credits = parseResponseCredits(body, returned, lastRemaining);
    lastRemaining = credits.remaining;
    return repeated ? { ...credits, repeated } : credits;
  };
  const projectsOf = (answer: ApiResponse) => {
    const { items, unreadable } = itemsOf(answer, parseListedProject);
    const now = parts.clock.now();
    const projects = items.map((project) => withoutImpossibleDate(project, now));
    return { projects, unreadable, credits: creditsOf(answer, items.length + unreadable) };
  };
  const hideSecrets = hideToken(parts.token);
  const messageOf = ({ body }: ApiResponse): string | undefined => {
    const message = parseResponseMessage(body);
    return message === undefined ? undefined : hideSecrets(message);
  };
  /** Parses a response, unless the response itself reports a failure. */
  const biddingAnswer = <T>(answer: ApiResponse, read: (body: unknown) => T | undefined): T => {
    if (isFailureResponse(answer.body)) throw parseRefusedJobResponse({ ...answer, hideSecrets });
    return found(answer, read(answer.body), parseJobIdFromResponse(answer.body));
  };

  return {
    fixedPageSize: (of) => limits.fixedPageSize(projectsList(of)),
    async fetchFilterProjects(filter, { limit, nextCursor, latestPublishedTs }, options) {
      const query = { next_cursor: nextCursor, latest_published_ts: latestPublishedTs };
      const list = { ...projectsList({ filter }), limit, isPaid: true };
      const answer = await getList({ ...list, query, once: true }, options);
      return { ...projectsOf(answer), ...parseCursorPaging(answer.body) };
    },
    async fetchResultProjects(result, { page, limit }, options) {
      const list = { ...projectsList({ result }), page, limit, isPaid: true };
      const answer = await getList({ ...list, query: { page } }, options);
      return { ...projectsOf(answer), paging: parsePaging(answer.body) };
    },
    async lookUpProject(project, options) {
      const answer = await get('/projects/lookup', { ...project }, options);
      const credits = creditsOf(answer, 1);
      const read = recordOf(answer, parseLookedUpProject);
      return { project: withoutImpossibleDate(read, parts.clock.now()), credits };
    },
    async fetchFilterResults(filter, { page, limit }, options) {
      const list = { list: 'filter-results', path: `/filters/${filter}/results` } as const;
      const answer = await getList({ ...list, page, limit, isPaid: false, query: { page } }, options);
      return pageOf(answer, parseMonitoringResult);
    },
    async fetchProposals(query, options) {
      return profilePage(await getList(profileList('proposals', query), options), parseProposal);
    },
    async fetchProposal(id, options) {
      return recordOf(await get(`/proposals/${id}`, {}, options), parseProposal);
    },
    async fetchProposalByUid(applicationUid, options) {
      const path = `/proposals/by-uid/${encodeURIComponent(applicationUid)}`;
      return recordOf(await get(path, {}, options), parseProposal);
    },
    async fetchInvitations(query, options) {
      return profilePage(await getList(profileList('invitations', query), options), parseInvitation);
    },
    async createProposalTemplate(input, options) {
      const answer = await post('/proposal-templates', buildTemplateRequestBody(input), options);
      return recordOf(answer, parseProposalTemplate);
    },
    async fetchProposalTemplate(id, options) {
      return recordOf(await get(`/proposal-templates/${id}`, {}, options), parseProposalTemplate);
    },
    async fetchProposalSenders(options) {
      const answer = await get('/proposal-senders', {}, options);
      return found(answer, parseProposalSenders(answer.body));
    },
    async createJob(job, options) {
      const answer = await post('/auto-bidding/jobs/create', writeJob(job), options);
      const created = biddingAnswer(answer, parseCreatedJob);
      return { message: messageOf(answer), job: created };
    },
    async approveJob(id, options) {
      const answer = await post(`/auto-bidding/jobs/${id}/approve`, undefined, options);
      const approved = biddingAnswer(answer, (body) => ofJob(id, parseApprovedJob(body)));
      return { message: messageOf(answer), job: approved };
    },
    async fetchJobStatus(id, options) {
      const answer = await get(`/auto-bidding/jobs/${id}/status`, {}, options);
      return biddingAnswer(answer, (body) => ofJob(id, parseJobStatus(body)));
    },
    async fetchBiddingSetups(options) {
      return biddingAnswer(await get('/auto-bidding/setups', {}, options), parseBiddingSetups);
    },
    async fetchNamedEntities(kind, options) {
      return parseNamedEntities(kind, (await get(`/${NAMED_ENTITY_LIST_NAMES[kind]}`, {}, options)).body);
    },
    close: (withinMs) => transport.close(withinMs),
  };
}

/** A response about another job says nothing about the requested one. */
function ofJob<T extends { readonly id: JobId }>(asked: JobId, job: T | undefined): T | undefined {
  return job?.id === asked ? job : undefined;
}

/** @param jobId the job that the response names anyway. @throws MarketplaceError `unreadable` for no value */
function found<T>(answer: ApiResponse, value: T | undefined, jobId?: JobId): T {
  if (value !== undefined) return value;
  throw unreadableResponseError('The marketplace response has no readable items', answer.status, jobId);
}

function recordOf<T>(answer: ApiResponse, read: (data: unknown) => T | undefined): T {
  return found(answer, read(parseResponseData(answer.body)));
}

function itemsOf<T>(answer: ApiResponse, read: (item: unknown) => T | undefined) {
  return found(answer, parseResponseItems(answer.body, read));
}

function pageOf<T>(answer: ApiResponse, read: (item: unknown) => T | undefined) {
  return { ...itemsOf(answer, read), paging: parsePaging(answer.body) };
}

type ListCall = MarketplaceListRequest &
  Pick<ApiRequest, 'once'> & { readonly query: NonNullable<ApiRequest['query']> };
/** `isBare`: the request had no `limit`. */
type ListAnswer = ApiResponse & { readonly isBare: boolean };

function sizeOf({ body }: ApiResponse): number {
  return parseResponseItems(body, (item) => item)?.items.length ?? 0;
}

function projectsList(of: { readonly filter: FilterId } | { readonly result: MonitoringResultId }) {
  return 'filter' in of
    ? ({ list: 'filter-projects', path: `/filters/${of.filter}/projects` } as const)
    : ({ list: 'result-projects', path: `/results/${of.result}/projects` } as const);
}

const SORTED_BY = { proposals: 'submittedAt', invitations: 'invitedAt' } as const;

function profileList(list: keyof typeof SORTED_BY, asked: ProfileRecordsQuery): ListCall {
  const { profile, organization, order, page, limit } = asked;
  const query = { profileId: profile, organizationId: organization, page, sort: SORTED_BY[list], order };
  return { list, path: `/${list}`, page, limit, isPaid: false, query };
}

/** A page requested without a size has the documented size, unless the response names one. */
function profilePage<T>(answer: ListAnswer, read: (item: unknown) => T | undefined) {
  const { paging, ...page } = pageOf(answer, read);
  return { ...page, paging: answer.isBare ? { limit: DEFAULT_PAGE_SIZE, ...paging } : paging };
}

function writeJob(job: CreateJobRequest): unknown {
  return {
    setup_id: job.setup,
    marketplace_job_id: job.marketplaceJobId,
    project_id: job.projectId,
    scheduled_at: job.scheduledAt,
    scheduled_in: job.scheduledInMinutes,
    cover_letter: job.coverLetter,
    answers: job.answers,
    bid_amount: job.bidAmount,
    boost_bid_amount: job.boostConnects,
  };
}

/** Every call fails with `not-connected` and takes no place at the gate: a permit it receives is canceled. */
export function createUnconnectedClient(): MarketplaceClient {
  const refuse = async ({ permit }: MarketplaceCallOptions): Promise<never> => {
    permit?.cancel();
    throw new MarketplaceError('not-connected', 'none', 'No marketplace account is connected');
  };
  const refuseAbout = (_asked: unknown, options: MarketplaceCallOptions) => refuse(options);
  return {
    fixedPageSize: () => undefined,
    fetchFilterProjects: (_filter, _query, options) => refuse(options),
    fetchResultProjects: (_result, _query, options) => refuse(options),
    lookUpProject: refuseAbout,
    fetchFilterResults: (_filter, _query, options) => refuse(options),
    fetchProposals: refuseAbout,
    fetchProposal: refuseAbout,
    fetchProposalByUid: refuseAbout,
    fetchInvitations: refuseAbout,
    createProposalTemplate: refuseAbout,
    fetchProposalTemplate: refuseAbout,
    fetchProposalSenders: refuse,
    createJob: refuseAbout,
    approveJob: refuseAbout,
    fetchJobStatus: refuseAbout,
    fetchBiddingSetups: refuse,
    fetchNamedEntities: refuseAbout,
    close: () => Promise.resolve(),
  };
}
