/** The marketplace's endpoints over HTTP: each call's request, and its answer read into our shapes. */

import type { JobId } from '../ids.ts';
import type { CallOptions, JobRequest, Marketplace, PageQuery, ProfileQuery } from './client.ts';
import { hideToken } from './hide-token.ts';
import { readRefusal } from './read-failure.ts';
import type { CreditsAnswer } from './schema.ts';
import { type Call, createTransport, type JsonAnswer, type TransportParts } from './transport.ts';
import { unreadable } from './transport-errors.ts';
import { readCredits, readCursor, readData, readItems, readPaging } from './wire.ts';
import {
  isRefusedInBody,
  readApprovedJob,
  readCreatedJob,
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
  const getOnce = (path: string, query: NonNullable<Call['query']>, options: CallOptions) =>
    transport.send({ method: 'GET', path, query, once: true }, options);
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
  const refusedBy = (answer: JsonAnswer) => readRefusal({ ...answer, hideSecrets: hideToken(parts.token) });
  /** What `read` finds in an answer that does not say itself that it is no success. */
  const biddingAnswer = <T>(answer: JsonAnswer, read: (body: unknown) => T | undefined): T => {
    if (isRefusedInBody(answer.body)) throw refusedBy(answer);
    return found(answer, read(answer.body));
  };

  return {
    async filterProjects(filter, { limit, nextCursor, latestPublishedTs }, options) {
      const query = { limit, next_cursor: nextCursor, latest_published_ts: latestPublishedTs };
      const answer = await getOnce(`/filters/${filter}/projects`, query, options);
      return { ...projectsOf(answer), ...readCursor(answer.body) };
    },
    async resultProjects(result, query, options) {
      const answer = await get(`/results/${result}/projects`, pageQuery(query), options);
      return { ...projectsOf(answer), paging: readPaging(answer.body) };
    },
    async lookup(project, options) {
      const answer = await get('/projects/lookup', { ...project }, options);
      const credits = creditsOf(answer, 1);
      return { project: found(answer, readLookedUpProject(readData(answer.body))), credits };
    },
    async filterResults(filter, query, options) {
      const answer = await get(`/filters/${filter}/results`, pageQuery(query), options);
      return pageOf(answer, readMonitoringResult);
    },
    async proposals(query, options) {
      return pageOf(await get('/proposals', profileQuery(query, 'submittedAt'), options), readProposal);
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
      return pageOf(await get('/invitations', profileQuery(query, 'invitedAt'), options), readInvitation);
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
      return known({ message: readMessage(answer.body), job: created });
    },
    async approveJob(id, options) {
      const answer = await post(`/auto-bidding/jobs/${id}/approve`, undefined, options);
      const approved = biddingAnswer(answer, (body) => ofJob(id, readApprovedJob(body)));
      return known({ message: readMessage(answer.body), job: approved });
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

/** @throws MarketplaceError `unreadable` when nothing was found. */
function found<T>(answer: JsonAnswer, value: T | undefined): T {
  if (value !== undefined) return value;
  throw unreadable('The answer of the marketplace holds nothing that can be read', answer.status);
}

function itemsOf<T>(answer: JsonAnswer, read: (item: unknown) => T | undefined) {
  return found(answer, readItems(answer.body, read));
}

function pageOf<T>(answer: JsonAnswer, read: (item: unknown) => T | undefined) {
  return { ...itemsOf(answer, read), paging: readPaging(answer.body) };
}

function pageQuery({ page, limit }: PageQuery) {
  return { page, limit };
}

function profileQuery(query: ProfileQuery, sort: string) {
  const { profile, organization, order } = query;
  return { profileId: profile, organizationId: organization, ...pageQuery(query), sort, order };
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
