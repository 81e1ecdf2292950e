/** The marketplace's endpoints over HTTP: each call's request, and its answer read into our shapes. */

import type { FilterId, JobId, ResultId } from '../ids.ts';
import type { CallOptions, JobRequest, Marketplace, ProfileQuery } from './client.ts';
import { hideToken } from './hide-token.ts';
import { DEFAULT_PAGE, ListLimits, type ListRequest } from './list-limits.ts';
import { readRefusal } from './read-failure.ts';
import type { CreditsAnswer } from './schema.ts';
import { type Call, createTransport, type JsonAnswer, type TransportParts } from './transport.ts';
import { unreadable } from './transport-errors.ts';
import { readCredits, readCursor, readData, readItems, readPaging } from './wire.ts';
import {
  isRefusedInBody,
  readApprovedJob,
  readCreatedJob,
  readJobIdIn,
  readJobStatus,
  readMessage,
  readSetups,
} from './wire-jobs.ts';
import { PLURALS, readNames } from './wire-names.ts';
import { readListedProject, readLookedUpProject, readMonitoringResult } from './wire-projects.ts';
import { readInvitation, readProposal } from './wire-proposals.ts';
import { readSenders } from './wire-senders.ts';
import { readTemplate, writeTemplate } from './wire-templates.ts';
import { known } from './wire-values.ts';

/**
 * The client for one team's token. A permit that a call is handed is ended by the call, whatever comes of it.
 * @throws TypeError for an address that is neither https nor on loopback, or a token that no header can carry.
 */
export function createMarketplace(parts: TransportParts): Marketplace {
  const transport = createTransport(parts);
  const get = (path: string, query: NonNullable<Call['query']>, options: CallOptions) =>
    transport.send({ method: 'GET', path, query }, options);
  const limits = new ListLimits(parts.clock);
  /** Without `limit` where the server refuses it. */
  const getList = async (asked: ListCall, options: CallOptions): Promise<ListAnswer> => {
    const { query, once, ...request } = asked;
    const { permit, ...further } = options;
    if (limits.isTooNarrow(request)) permit?.cancel();
    let isBare = false;
    const attempt = (limit: number | undefined, isRepeat: boolean) => {
      isBare = limit === undefined;
      const call = { method: 'GET', path: request.path, query: { ...query, limit } } as const;
      return transport.send(once ? { ...call, once } : call, isRepeat ? further : options);
    };
    const answer = await limits.ask(request, attempt, sizeOf);
    return { ...answer, isBare };
  };
  const post = (path: string, body: unknown, options: CallOptions) =>
    transport.send(body === undefined ? { method: 'POST', path } : { method: 'POST', path, body }, options);

  let lastRemaining: number | undefined;
  const creditsOf = ({ body, repeated }: JsonAnswer, returned: number): CreditsAnswer => {
    const credits = readCredits(body, returned, lastRemaining);
    lastRemaining = credits.remaining;
    return repeated ? { ...credits, repeated } : credits;
  };
  const projectsOf = (answer: JsonAnswer) => {
    const { items, unreadable } = itemsOf(answer, readListedProject);
    return { projects: items, unreadable, credits: creditsOf(answer, items.length + unreadable) };
  };
  const hideSecrets = hideToken(parts.token);
  const refusedBy = (answer: JsonAnswer) => readRefusal({ ...answer, hideSecrets });
  const messageOf = ({ body }: JsonAnswer): string | undefined => {
    const message = readMessage(body);
    return message === undefined ? undefined : hideSecrets(message);
  };
  /** What `read` finds in an answer that does not say itself that it is no success. */
  const biddingAnswer = <T>(answer: JsonAnswer, read: (body: unknown) => T | undefined): T => {
    if (isRefusedInBody(answer.body)) throw refusedBy(answer);
    return found(answer, read(answer.body), readJobIdIn(answer.body));
  };

  return {
    fixedPage: (of) => limits.fixedPage(projectsList(of)),
    async filterProjects(filter, { limit, nextCursor, latestPublishedTs }, options) {
      const query = { next_cursor: nextCursor, latest_published_ts: latestPublishedTs };
      const list = { ...projectsList({ filter }), limit, isPaid: true };
      const answer = await getList({ ...list, query, once: true }, options);
      return { ...projectsOf(answer), ...readCursor(answer.body) };
    },
    async resultProjects(result, { page, limit }, options) {
      const list = { ...projectsList({ result }), page, limit, isPaid: true };
      const answer = await getList({ ...list, query: { page } }, options);
      return { ...projectsOf(answer), paging: readPaging(answer.body) };
    },
    async lookup(project, options) {
      const answer = await get('/projects/lookup', { ...project }, options);
      const credits = creditsOf(answer, 1);
      return { project: found(answer, readLookedUpProject(readData(answer.body))), credits };
    },
    async filterResults(filter, { page, limit }, options) {
      const list = { list: 'filter-results', path: `/filters/${filter}/results` } as const;
      const answer = await getList({ ...list, page, limit, isPaid: false, query: { page } }, options);
      return pageOf(answer, readMonitoringResult);
    },
    async proposals(query, options) {
      return profilePage(await getList(profileList('proposals', query), options), readProposal);
    },
    async proposal(id, options) {
      const answer = await get(`/proposals/${id}`, {}, options);
      return found(answer, readProposal(readData(answer.body)));
    },
    async proposalByUid(applicationUid, options) {
      const answer = await get(`/proposals/by-uid/${encodeURIComponent(applicationUid)}`, {}, options);
      return found(answer, readProposal(readData(answer.body)));
    },
    async invitations(query, options) {
      return profilePage(await getList(profileList('invitations', query), options), readInvitation);
    },
    async createTemplate(input, options) {
      const answer = await post('/proposal-templates', writeTemplate(input), options);
      return found(answer, readTemplate(readData(answer.body)));
    },
    async template(id, options) {
      const answer = await get(`/proposal-templates/${id}`, {}, options);
      return found(answer, readTemplate(readData(answer.body)));
    },
    async proposalSenders(options) {
      const answer = await get('/proposal-senders', {}, options);
      return found(answer, readSenders(answer.body));
    },
    async createJob(job, options) {
      const answer = await post('/auto-bidding/jobs/create', writeJob(job), options);
      const created = biddingAnswer(answer, readCreatedJob);
      return known({ message: messageOf(answer), job: created });
    },
    async approveJob(id, options) {
      const answer = await post(`/auto-bidding/jobs/${id}/approve`, undefined, options);
      const approved = biddingAnswer(answer, (body) => ofJob(id, readApprovedJob(body)));
      return known({ message: messageOf(answer), job: approved });
    },
    async jobStatus(id, options) {
      const answer = await get(`/auto-bidding/jobs/${id}/status`, {}, options);
      return biddingAnswer(answer, (body) => ofJob(id, readJobStatus(body)));
    },
    async setups(options) {
      return biddingAnswer(await get('/auto-bidding/setups', {}, options), readSetups);
    },
    async names(kind, options) {
      return readNames(kind, (await get(`/${PLURALS[kind]}`, {}, options)).body);
    },
    close: (withinMs) => transport.close(withinMs),
  };
}

/** An answer about another job says nothing of the one that was asked for. */
function ofJob<T extends { readonly id: JobId }>(asked: JobId, job: T | undefined): T | undefined {
  return job?.id === asked ? job : undefined;
}

/** @param jobId that the answer names all the same. @throws MarketplaceError `unreadable` when nothing was found. */
function found<T>(answer: JsonAnswer, value: T | undefined, jobId?: JobId): T {
  if (value !== undefined) return value;
  throw unreadable('The marketplace response has no readable items', answer.status, jobId);
}

function itemsOf<T>(answer: JsonAnswer, read: (item: unknown) => T | undefined) {
  return found(answer, readItems(answer.body, read));
}

function pageOf<T>(answer: JsonAnswer, read: (item: unknown) => T | undefined) {
  return { ...itemsOf(answer, read), paging: readPaging(answer.body) };
}

type ListCall = ListRequest & Pick<Call, 'once'> & { readonly query: NonNullable<Call['query']> };
/** `isBare`: no `limit` was asked for. */
type ListAnswer = JsonAnswer & { readonly isBare: boolean };

function sizeOf({ body }: JsonAnswer): number {
  return readItems(body, (item) => item)?.items.length ?? 0;
}

function projectsList(of: { readonly filter: FilterId } | { readonly result: ResultId }) {
  return 'filter' in of
    ? ({ list: 'filter-projects', path: `/filters/${of.filter}/projects` } as const)
    : ({ list: 'result-projects', path: `/results/${of.result}/projects` } as const);
}

const SORTED_BY = { proposals: 'submittedAt', invitations: 'invitedAt' } as const;

function profileList(list: keyof typeof SORTED_BY, asked: ProfileQuery): ListCall {
  const { profile, organization, order, page, limit } = asked;
  const query = { profileId: profile, organizationId: organization, page, sort: SORTED_BY[list], order };
  return { list, path: `/${list}`, page, limit, isPaid: false, query };
}

/** A page that no size was asked for has the documented one, where its answer names none. */
function profilePage<T>(answer: ListAnswer, read: (item: unknown) => T | undefined) {
  const { paging, ...page } = pageOf(answer, read);
  return { ...page, paging: answer.isBare ? { limit: DEFAULT_PAGE, ...paging } : paging };
}

function writeJob(job: JobRequest): unknown {
  return known({
    setup_id: job.setup,
    marketplace_job_id: job.marketplaceJobId,
    project_id: job.projectId,
    scheduled_at: job.scheduledAt,
    scheduled_in: job.scheduledInMinutes,
    cover_letter: job.coverLetter,
    answers: job.answers,
    bid_amount: job.bidAmount,
    boost_bid_amount: job.boostConnects,
  });
}
