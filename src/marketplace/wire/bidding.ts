/** Auto bidding jobs in three views, and setups. Source: docs/marketplace-api.md, Auto bidding. Pure. */
import { z } from 'zod';
import { FilterId, JobId, SetupId, TemplateId } from '../../ids.ts';
import { count, derived, flag, id, line, record, text, value } from './shape.ts';
import {
  WIRE_TEXT_LENGTH_LIMITS as LIMITS,
  parseBoolean,
  parseId,
  parseList,
  parseMultilineText,
  parseSingleLine,
  toUnknownFields,
  type UnknownFields,
} from './values.ts';

/** Whether the response itself reports a failure; the status alone doesn't say. */
export function isFailureResponse(body: unknown): boolean {
  return parseBoolean(toUnknownFields(body)['success']) === false;
}

export function parseResponseMessage(body: unknown): string | undefined {
  return parseSingleLine(toUnknownFields(body)['message'], LIMITS.message);
}

export function parseJobIdFromResponse(body: unknown): JobId | undefined {
  return parseId(JobId, jobOf(body)['id']) ?? parseId(JobId, toUnknownFields(body)['job_id']);
}

function jobOf(body: unknown): UnknownFields {
  return toUnknownFields(toUnknownFields(body)['job']);
}

/** A missing event may be written as 0, or as a moment of zeros (`0000-00-00 00:00:00`). */
function something(written: unknown): unknown {
  // Other types carry no value here, and converting an object to text can throw.
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  return /^[0\s:.TZ-]*$/u.test(String(written)) ? undefined : written;
}

/** In the server's words, as a moment or an id that may be missing. */
const event = value(z.string(), (written) => parseSingleLine(something(written)));

const jobFields = {
  id: id(JobId).required(),
  marketplaceJobId: line().from('marketplace_job_id'),
  status: line().or('unknown'),
  statusTitle: line().from('status_title'),
  /** As the server wrote it. */
  scheduledAt: event.from('scheduled_at'),
};
const setupOfJob = { setup: id(SetupId).from('setup_id'), setupName: line().from('setup_name') };

const createdJob = record({
  ...jobFields,
  ...setupOfJob,
  projectId: count.from('project_id'),
  bidAmount: line().from('bid_amount'),
});
export const CreatedJob = createdJob.schema;
export type CreatedJob = z.infer<typeof CreatedJob>;
export const parseCreatedJob = (body: unknown) => createdJob.parse(jobOf(body));

const approvedJob = record({
  ...jobFields,
  ...setupOfJob,
  wasAiDisqualified: flag.from('was_ai_disqualified'),
  qualificationReason: text(LIMITS.answer).from('qualification_reason'),
  approvedBy: line().from('approved_by'),
});
export const ApprovedJob = approvedJob.schema;
export type ApprovedJob = z.infer<typeof ApprovedJob>;
export const parseApprovedJob = (body: unknown) => approvedJob.parse(jobOf(body));

const jobStatus = record({
  ...jobFields,
  reason: text(LIMITS.answer),
  processedAt: event.from('processed_at'),
  errorMessage: value(z.string(), (it) => parseMultilineText(something(it), LIMITS.answer)).from(
    'error_message',
  ),
  retryCount: count.from('retry_count'),
  applicationUid: event.from('marketplace_application_uid'),
});
export const JobStatusReport = jobStatus.schema;
export type JobStatusReport = z.infer<typeof JobStatusReport>;
export const parseJobStatus = (body: unknown) => jobStatus.parse(jobOf(body));

const named = <S extends z.ZodType>(kind: S) => record({ id: id(kind).required(), name: line() });

const biddingSetup = record({
  id: id(SetupId).required(),
  name: derived(
    z.string(),
    (it) => parseSingleLine(it['name']) ?? `Setup ${parseId(SetupId, it['id'])}`,
  ).required(),
  /** `inactive`, `active`, `draft` or `paused` as documented; kept as received. */
  status: line().from('status_name', 'status').or('unknown'),
  filter: named(FilterId),
  template: named(TemplateId).from('bidding_template'),
  schedule: text(LIMITS.message),
  scheduleLabel: line().from('schedule_label'),
  timezone: line(),
  delayMinutes: count.from('bidding_delay_minutes'),
  dailyLimit: count.from('daily_proposals_limit'),
  totalSent: count.from('total_proposals_sent'),
  sentToday: count.from('proposals_sent_today'),
  lastRunAt: event.from('last_run_at'),
  lastProposalDate: event.from('last_proposal_date'),
  businessManagerId: event.from('business_manager_id'),
  subscriptionId: count.from('subscription_id'),
  createdAt: event.from('created_at'),
  updatedAt: event.from('updated_at'),
});
export const BiddingSetup = biddingSetup.schema;
export type BiddingSetup = z.infer<typeof BiddingSetup>;

/** The readable setups of the response; undefined when it has no list. */
export function parseBiddingSetups(body: unknown): readonly BiddingSetup[] | undefined {
  return parseList(toUnknownFields(body)['setups'], biddingSetup.parse)?.items;
}
