/**
 * The three views of an auto bidding job, and the view of a setup. Source: docs/marketplace-api.md, Auto
 * bidding job, Auto bidding setup.
 */
import type { Instant } from '../../clock.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import { toIso } from './project-views.ts';
import {
  SIMULATED_SETUP_STATUSES,
  type SimulatedJob,
  type SimulatedJobStatus,
  type SimulatedSetup,
} from './records.ts';
import { REVIEW_STATUS_NAMES } from './review-status-names.ts';
import { countProposalsSentToday } from './sent-today.ts';

const TITLES: Record<Exclude<SimulatedJobStatus, 'pending_review'>, string> = {
  scheduled: 'Scheduled for bidding',
  processing: 'Bidding',
  completed: 'Proposal sent',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** The documentation types these as strings that are never null, so a missing time is the empty string. */
function isoOrEmpty(instant: Instant | undefined): string {
  return instant === undefined ? '' : toIso(instant);
}

/** The job's own letter, else the template's; empty without either. */
export function coverLetterForJob(world: MarketplaceState, job: SimulatedJob): string {
  if (job.coverLetter !== '') return job.coverLetter;
  const templateId = world.setups.get(job.setupId)?.biddingTemplate.id ?? 0;
  return world.templates.get(templateId)?.cover_letters?.variant_a ?? '';
}

function statusIn(
  { modes }: MarketplaceState,
  { status }: SimulatedJob,
): readonly [status: string, title: string] {
  return status === 'pending_review' ? REVIEW_STATUS_NAMES[modes.reviewWords] : [status, TITLES[status]];
}

function common(world: MarketplaceState, job: SimulatedJob) {
  return {
    id: job.id,
    marketplace_job_id: job.marketplaceJobId,
    status: statusIn(world, job)[0],
    scheduled_at: toIso(job.scheduledAt),
  };
}

function titled(world: MarketplaceState, job: SimulatedJob) {
  return { ...common(world, job), status_title: statusIn(world, job)[1] };
}

function setupFields(world: MarketplaceState, job: SimulatedJob) {
  return { setup_id: job.setupId, setup_name: world.setups.get(job.setupId)?.name ?? '' };
}

export function createdJobJson(world: MarketplaceState, job: SimulatedJob) {
  return {
    ...common(world, job),
    ...setupFields(world, job),
    project_id: job.projectId,
    cover_letter_length: Array.from(coverLetterForJob(world, job)).length,
    answers_count: job.answers.length,
    bid_amount: job.bidAmount?.toFixed(2) ?? '',
  };
}

export function approvedJobJson(world: MarketplaceState, job: SimulatedJob) {
  return {
    ...titled(world, job),
    ...setupFields(world, job),
    was_ai_disqualified: job.wasAiDisqualified,
    qualification_decision: job.qualificationDecision,
    qualification_reason: job.qualificationReason,
    approved_by: job.approvedBy,
  };
}

export function jobStatusJson(world: MarketplaceState, job: SimulatedJob) {
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

export function simulatedSetupJson(setup: SimulatedSetup, now: Instant) {
  return {
    id: setup.id,
    name: setup.name,
    status: SIMULATED_SETUP_STATUSES.indexOf(setup.status),
    status_name: setup.status,
    filter: setup.filter,
    bidding_template: setup.biddingTemplate,
    schedule: setup.schedule,
    schedule_label: setup.scheduleLabel,
    timezone: setup.timezone,
    bidding_delay_minutes: setup.biddingDelayMinutes,
    daily_proposals_limit: setup.dailyProposalsLimit,
    total_proposals_sent: setup.totalProposalsSent,
    proposals_sent_today: countProposalsSentToday(setup, now),
    last_run_at: isoOrEmpty(setup.lastRunAt),
    last_proposal_date: isoOrEmpty(setup.lastProposalAt),
    business_manager_id: setup.businessManagerId,
    subscription_id: setup.subscriptionId,
    created_at: toIso(setup.createdAt),
    updated_at: toIso(setup.updatedAt),
  };
}
