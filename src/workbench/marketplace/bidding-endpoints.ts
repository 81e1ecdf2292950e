/** Auto bidding: create, approve and follow jobs, list setups. */
import { MINUTE } from '../../clock.ts';
import { type Answer, ok, refuse } from './answers.ts';
import type { Call } from './call.ts';
import { approvedJob, createdJob, setupView, statusOfJob } from './job-views.ts';
import { readQuery } from './read-query.ts';
import { type JobRecord, type ProjectRecord, SETUP_STATUSES, type SetupRecord } from './records.ts';
import { isSameDay, sentToday } from './sent-today.ts';
import { checkJob, type JobBody } from './validate-job.ts';
import { verdictKey, type World } from './world.ts';

function findProject(world: World, body: JobBody): ProjectRecord | undefined {
  if (body.project_id !== undefined) return world.projects.get(body.project_id);
  const id = body.marketplace_job_id;
  return world.projects.all().find((project) => project.ciphertext === id || project.uid === id);
}

/** Jobs that still stand for a bid: a skipped or failed one may be tried again. */
function standing(job: JobRecord): boolean {
  return job.status !== 'skipped' && job.status !== 'failed';
}

function jobsOfToday(world: World, setup: SetupRecord): number {
  const now = world.clock.now();
  return world.jobs
    .all()
    .filter((job) => job.setupId === setup.id && standing(job) && job.status !== 'completed')
    .filter((job) => isSameDay(job.createdAt, now)).length;
}

/** Why the job is skipped, or undefined. The checks apply even when `scheduled_at` is given. */
function skipReason(world: World, setup: SetupRecord, project: ProjectRecord): string | undefined {
  const from = setup.bidsFrom;
  if (project.usOnly && from !== undefined && from !== 'United States') {
    return 'Location restriction: freelancers from the United States only';
  }
  if (project.ukOnly && from !== undefined && from !== 'United Kingdom') {
    return 'Location restriction: freelancers from the United Kingdom only';
  }
  if (setup.exhausted) return `The ${setup.exhausted} has been reached`;
  const today = sentToday(setup, world.clock.now()) + jobsOfToday(world, setup);
  return today >= setup.dailyProposalsLimit ? 'The daily limit has been reached' : undefined;
}

function verdictOn(world: World, setup: SetupRecord, project: ProjectRecord) {
  const verdict = world.verdicts.get(verdictKey(setup.filter.id, project.id));
  return { decision: verdict?.decision ?? '', reason: verdict?.reason ?? '' };
}

const MESSAGES = {
  pending_review: 'Job created and waiting for review',
  scheduled: 'Job created and scheduled for bidding',
  skipped: 'Job created, but skipped',
} as const;

function tooLongText({ modes }: World, { cover_letter = '', answers = [] }: JobBody): string | undefined {
  const most = modes.longestJobText;
  if (Array.from(cover_letter).length > most) return `cover_letter must be at most ${most} characters`;
  const isLong = answers.some(({ answer }) => Array.from(answer).length > most);
  return isLong ? `an answer must be at most ${most} characters` : undefined;
}

function namedAs({ modes }: World, { marketplace_job_id }: JobBody, { ciphertext }: ProjectRecord): string {
  return modes.echoedJobIds ? (marketplace_job_id ?? ciphertext) : ciphertext;
}

function answerToCreate(world: World, record: JobRecord): Answer {
  const { skippedIsNoSuccess } = world.modes;
  const job = createdJob(world, record);
  if (record.status === 'skipped' && skippedIsNoSuccess)
    return { status: skippedIsNoSuccess, body: { success: false, message: record.reason, job } };
  const message = MESSAGES[record.status as keyof typeof MESSAGES];
  return ok({ success: true, message, job });
}

/** `POST /auto-bidding/jobs/create` */
export function createJob(world: World, call: Call): Answer {
  const now = world.clock.now();
  const checked = checkJob(call.body, now);
  if (checked.kind === 'invalid') return refuse(400, checked.error);
  const { body } = checked;
  const tooLong = tooLongText(world, body);
  if (tooLong) return refuse(400, tooLong);
  const setup = world.setups.get(body.setup_id);
  if (!setup) return refuse(404, 'Auto bidding setup not found');
  const project = findProject(world, body);
  if (!project) return refuse(404, 'Project not found');
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
export function approveJob(world: World, call: Call): Answer {
  const job = world.jobs.get(call.id);
  if (!job) return refuse(404, 'Job not found');
  if (job.status !== 'pending_review') return refuse(400, 'Job is not pending review');
  const now = world.clock.now();
  const delayMinutes = world.setups.get(job.setupId)?.biddingDelayMinutes ?? 0;
  const approved = world.jobs.put({
    ...job,
    status: 'scheduled',
    scheduledAt: job.scheduledAt > now ? job.scheduledAt : now + delayMinutes * MINUTE,
    approvedBy: 'API token',
  });
  return ok({
    success: true,
    message: 'Job approved and scheduled for bidding',
    job: approvedJob(world, approved),
  });
}

/** `GET /auto-bidding/jobs/{id}/status` */
export function jobStatus(world: World, call: Call): Answer {
  const job = world.jobs.get(call.id);
  return job ? ok({ success: true, job: statusOfJob(world, job) }) : refuse(404, 'Job not found');
}

/** `GET /auto-bidding/setups`; the filter's name is ours, since none is described. */
export function setups(world: World, call: Call): Answer {
  const query = readQuery(call.query);
  const status = query.oneOf('status', SETUP_STATUSES);
  const problem = query.problem();
  if (problem) return refuse(400, problem);
  const found = world.setups.all().filter((setup) => status === undefined || setup.status === status);
  return ok({
    success: true,
    count: found.length,
    setups: found.map((setup) => setupView(setup, world.clock.now())),
  });
}
