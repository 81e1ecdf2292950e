/** Auto bidding: create, approve and follow jobs, list setups. */
import { MINUTE } from '../../clock.ts';
import type { EndpointRequest } from './endpoint-request.ts';
import { type EndpointResponse, errorResponse, okResponse } from './endpoint-response.ts';
import { approvedJobJson, createdJobJson, jobStatusJson, simulatedSetupJson } from './job-views.ts';
import { type MarketplaceState, verdictKey } from './marketplace-state.ts';
import { createQueryReader } from './read-query.ts';
import {
  SIMULATED_SETUP_STATUSES,
  type SimulatedJob,
  type SimulatedProject,
  type SimulatedSetup,
} from './records.ts';
import { countProposalsSentToday, isSameDay } from './sent-today.ts';
import { type JobBody, validateJob } from './validate-job.ts';

function findProject(world: MarketplaceState, body: JobBody): SimulatedProject | undefined {
  if (body.project_id !== undefined) return world.projects.get(body.project_id);
  const id = body.marketplace_job_id;
  return world.projects.all().find((project) => project.ciphertext === id || project.uid === id);
}

/** Whether the job still counts as a bid: a skipped or failed one may be retried. */
function standing(job: SimulatedJob): boolean {
  return job.status !== 'skipped' && job.status !== 'failed';
}

function jobsOfToday(world: MarketplaceState, setup: SimulatedSetup): number {
  const now = world.clock.now();
  return world.jobs
    .all()
    .filter((job) => job.setupId === setup.id && standing(job) && job.status !== 'completed')
    .filter((job) => isSameDay(job.createdAt, now)).length;
}

/** Why the job is skipped, or undefined. The checks apply even when `scheduled_at` is given. */
function skipReason(
  world: MarketplaceState,
  setup: SimulatedSetup,
  project: SimulatedProject,
): string | undefined {
  const from = setup.bidsFrom;
  if (project.usOnly && from !== undefined && from !== 'United States') {
    return 'Location restriction: freelancers from the United States only';
  }
  if (project.ukOnly && from !== undefined && from !== 'United Kingdom') {
    return 'Location restriction: freelancers from the United Kingdom only';
  }
  if (setup.exhausted) return `The ${setup.exhausted} has been reached`;
  const today = countProposalsSentToday(setup, world.clock.now()) + jobsOfToday(world, setup);
  return today >= setup.dailyProposalsLimit ? 'The daily limit has been reached' : undefined;
}

function verdictOn(world: MarketplaceState, setup: SimulatedSetup, project: SimulatedProject) {
  const verdict = world.verdicts.get(verdictKey(setup.filter.id, project.id));
  return { decision: verdict?.decision ?? '', reason: verdict?.reason ?? '' };
}

const MESSAGES = {
  pending_review: 'Job created and waiting for review',
  scheduled: 'Job created and scheduled for bidding',
  skipped: 'Job created, but skipped',
} as const;

function tooLongText(
  { modes }: MarketplaceState,
  { cover_letter = '', answers = [] }: JobBody,
): string | undefined {
  const most = modes.longestJobText;
  if (Array.from(cover_letter).length > most) return `cover_letter must be at most ${most} characters`;
  const isLong = answers.some(({ answer }) => Array.from(answer).length > most);
  return isLong ? `an answer must be at most ${most} characters` : undefined;
}

function namedAs(
  { modes }: MarketplaceState,
  { marketplace_job_id }: JobBody,
  { ciphertext }: SimulatedProject,
): string {
  return modes.echoedJobIds ? (marketplace_job_id ?? ciphertext) : ciphertext;
}

function answerToCreate(world: MarketplaceState, record: SimulatedJob): EndpointResponse {
  const { skippedIsNoSuccess } = world.modes;
  const job = createdJobJson(world, record);
  if (record.status === 'skipped' && skippedIsNoSuccess)
    return { status: skippedIsNoSuccess, body: { success: false, message: record.reason, job } };
  const message = MESSAGES[record.status as keyof typeof MESSAGES];
  return okResponse({ success: true, message, job });
}

/** `POST /auto-bidding/jobs/create` */
export function handleCreateJob(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const now = world.clock.now();
  const checked = validateJob(call.body, now);
  if (checked.kind === 'invalid') return errorResponse(400, checked.error);
  const { body } = checked;
  const tooLong = tooLongText(world, body);
  if (tooLong) return errorResponse(400, tooLong);
  const setup = world.setups.get(body.setup_id);
  if (!setup) return errorResponse(404, 'Auto bidding setup not found');
  const project = findProject(world, body);
  if (!project) return errorResponse(404, 'Project not found');
  const twin = world.jobs.all().find((job) => job.projectId === project.id && standing(job));
  if (twin) {
    return {
      status: 400,
      body: { success: false, error: 'A job for this project already exists', job_id: twin.id },
    };
  }
  const skipped = skipReason(world, setup, project);
  const verdict = verdictOn(world, setup, project);
  const wasAiDisqualified = verdict.decision === 'disqualified';
  const admitted = setup.reviewsJobs || wasAiDisqualified ? 'pending_review' : 'scheduled';
  const status = skipped === undefined ? admitted : 'skipped';
  const job = world.jobs.put({
    id: world.jobs.nextId(),
    setupId: setup.id,
    projectId: project.id,
    marketplaceJobId: namedAs(world, body, project),
    status,
    createdAt: now,
    scheduledAt: checked.scheduledAt ?? now + setup.biddingDelayMinutes * MINUTE,
    coverLetter: body.cover_letter ?? '',
    answers: body.answers ?? [],
    ...(body.bid_amount === undefined ? {} : { bidAmount: body.bid_amount }),
    ...(body.boost_bid_amount === undefined ? {} : { boostBidAmount: body.boost_bid_amount }),
    wasAiDisqualified,
    qualificationDecision: verdict.decision,
    qualificationReason: verdict.reason,
    approvedBy: '',
    reason: skipped ?? '',
    ...(skipped === undefined ? {} : { processedAt: now }),
    errorMessage: '',
    retryCount: 0,
    applicationUid: '',
  });
  return answerToCreate(world, job);
}

/** `POST /auto-bidding/jobs/{id}/approve` */
export function handleApproveJob(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const job = world.jobs.get(call.id);
  if (!job) return errorResponse(404, 'Job not found');
  if (job.status !== 'pending_review') return errorResponse(400, 'Job is not pending review');
  const now = world.clock.now();
  const delayMinutes = world.setups.get(job.setupId)?.biddingDelayMinutes ?? 0;
  const approved = world.jobs.put({
    ...job,
    status: 'scheduled',
    scheduledAt: job.scheduledAt > now ? job.scheduledAt : now + delayMinutes * MINUTE,
    approvedBy: 'API token',
  });
  return okResponse({
    success: true,
    message: 'Job approved and scheduled for bidding',
    job: approvedJobJson(world, approved),
  });
}

/** `GET /auto-bidding/jobs/{id}/status` */
export function handleGetJobStatus(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const job = world.jobs.get(call.id);
  return job
    ? okResponse({ success: true, job: jobStatusJson(world, job) })
    : errorResponse(404, 'Job not found');
}

/** `GET /auto-bidding/setups`; the filter parameter's name is our guess, since none is documented. */
export function handleListSetups(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const query = createQueryReader(call.query);
  const status = query.oneOf('status', SIMULATED_SETUP_STATUSES);
  const problem = query.firstProblem();
  if (problem) return errorResponse(400, problem);
  const found = world.setups.all().filter((setup) => status === undefined || setup.status === status);
  return okResponse({
    success: true,
    count: found.length,
    setups: found.map((setup) => simulatedSetupJson(setup, world.clock.now())),
  });
}
