/** The three views of an auto bidding job, and a setup. Source: docs/marketplace-api.md, Auto bidding job, Auto bidding setup. */
import type { Instant } from '../../clock.ts';
import { toIso } from './project-views.ts';
import { type JobRecord, type JobStatus, SETUP_STATUSES, type SetupRecord } from './records.ts';
import { REVIEW_WORDS } from './review-words.ts';
import { sentToday } from './sent-today.ts';
import type { World } from './world.ts';

const TITLES: Record<Exclude<JobStatus, 'pending_review'>, string> = {
  scheduled: 'Scheduled for bidding',
  processing: 'Bidding',
  completed: 'Proposal sent',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** The table types these as strings that are not nullable, so what has not happened is the empty string. */
function isoOrEmpty(instant: Instant | undefined): string {
  return instant === undefined ? '' : toIso(instant);
}

/** Its own letter, else the template's; empty without either. */
export function letterOf(world: World, job: JobRecord): string {
  if (job.coverLetter !== '') return job.coverLetter;
  const templateId = world.setups.get(job.setupId)?.biddingTemplate.id ?? 0;
  return world.templates.get(templateId)?.cover_letters?.variant_a ?? '';
}

function statusIn({ modes }: World, { status }: JobRecord): readonly [status: string, title: string] {
  return status === 'pending_review' ? REVIEW_WORDS[modes.reviewWords] : [status, TITLES[status]];
}

function common(world: World, job: JobRecord) {
  return {
    id: job.id,
    marketplace_job_id: job.marketplaceJobId,
    status: statusIn(world, job)[0],
    scheduled_at: toIso(job.scheduledAt),
  };
}

function titled(world: World, job: JobRecord) {
  return { ...common(world, job), status_title: statusIn(world, job)[1] };
}

function setupFields(world: World, job: JobRecord) {
  return { setup_id: job.setupId, setup_name: world.setups.get(job.setupId)?.name ?? '' };
}

export function createdJob(world: World, job: JobRecord) {
  return {
    ...common(world, job),
    ...setupFields(world, job),
    project_id: job.projectId,
    cover_letter_length: Array.from(letterOf(world, job)).length,
    answers_count: job.answers.length,
    bid_amount: job.bidAmount?.toFixed(2) ?? '',
  };
}

export function approvedJob(world: World, job: JobRecord) {
  return {
    ...titled(world, job),
    ...setupFields(world, job),
    was_ai_disqualified: job.wasAiDisqualified,
    qualification_decision: job.qualificationDecision,
    qualification_reason: job.qualificationReason,
    approved_by: job.approvedBy,
  };
}

export function statusOfJob(world: World, job: JobRecord) {
  return {
    ...titled(world, job),
    reason: job.reason,
    processed_at: isoOrEmpty(job.processedAt),
    error_message: job.errorMessage,
    retry_count: job.retryCount,
    is_ready_for_processing: job.status === 'scheduled' && job.scheduledAt <= world.clock.now(),
    marketplace_application_uid: job.applicationUid,
  };
}

export function setupView(setup: SetupRecord, now: Instant) {
  return {
    id: setup.id,
    name: setup.name,
    status: SETUP_STATUSES.indexOf(setup.status),
    status_name: setup.status,
    filter: setup.filter,
    bidding_template: setup.biddingTemplate,
    schedule: setup.schedule,
    schedule_label: setup.scheduleLabel,
    timezone: setup.timezone,
    bidding_delay_minutes: setup.biddingDelayMinutes,
    daily_proposals_limit: setup.dailyProposalsLimit,
    total_proposals_sent: setup.totalProposalsSent,
    proposals_sent_today: sentToday(setup, now),
    last_run_at: isoOrEmpty(setup.lastRunAt),
    last_proposal_date: isoOrEmpty(setup.lastProposalAt),
    business_manager_id: setup.businessManagerId,
    subscription_id: setup.subscriptionId,
    created_at: toIso(setup.createdAt),
    updated_at: toIso(setup.updatedAt),
  };
}
