/**
 * Parses auto bidding jobs in their three views, and setups. Source: docs/marketplace-api.md, Auto bidding.
 */

import { omitUndefined } from '../base/omit-undefined.ts';
import { FilterId, JobId, SetupId, TemplateId } from '../ids.ts';
import type { ApprovedJob, BiddingSetup, CreatedJob, JobStatusReport } from './schema.ts';
import {
  parseBoolean,
  parseCount,
  parseId,
  parseList,
  parseMultilineText,
  parseSingleLine,
  toUnknownFields,
  type UnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './wire-values.ts';

/** Whether the response itself reports a failure; the status alone doesn't say. */
export function isFailureResponse(body: unknown): boolean {
  const { success } = toUnknownFields(body);
  return parseBoolean(success) === false;
}

export function parseResponseMessage(body: unknown): string | undefined {
  const { message } = toUnknownFields(body);
  return parseSingleLine(message, WIRE_TEXT_LENGTH_LIMITS.message);
}

export function parseJobIdFromResponse(body: unknown): JobId | undefined {
  const { job_id } = toUnknownFields(body);
  return parseId(JobId, jobOf(body)['id']) ?? parseId(JobId, job_id);
}

export function parseCreatedJob(body: unknown): CreatedJob | undefined {
  const fields = jobOf(body);
  const { project_id, cover_letter_length, answers_count, bid_amount } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...readSetupOf(fields),
      ...omitUndefined({
        projectId: parseCount(project_id),
        coverLetterLength: parseCount(cover_letter_length),
        answersCount: parseCount(answers_count),
        bidAmount: parseSingleLine(bid_amount),
      }),
    }
  );
}

export function parseApprovedJob(body: unknown): ApprovedJob | undefined {
  const fields = jobOf(body);
  const { was_ai_disqualified, qualification_decision, qualification_reason, approved_by } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...readSetupOf(fields),
      ...omitUndefined({
        wasAiDisqualified: parseBoolean(was_ai_disqualified),
        qualificationDecision: parseSingleLine(qualification_decision),
        qualificationReason: parseMultilineText(qualification_reason, WIRE_TEXT_LENGTH_LIMITS.answer),
        approvedBy: parseSingleLine(approved_by),
      }),
    }
  );
}

export function parseJobStatus(body: unknown): JobStatusReport | undefined {
  const fields = jobOf(body);
  const { reason, processed_at, error_message, retry_count, is_ready_for_processing } = fields;
  const { marketplace_application_uid } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...omitUndefined({
        reason: parseMultilineText(reason, WIRE_TEXT_LENGTH_LIMITS.answer),
        processedAt: parseSingleLine(something(processed_at)),
        errorMessage: parseMultilineText(something(error_message), WIRE_TEXT_LENGTH_LIMITS.answer),
        retryCount: parseCount(retry_count),
        readyForProcessing: parseBoolean(is_ready_for_processing),
        applicationUid: parseSingleLine(something(marketplace_application_uid)),
      }),
    }
  );
}

/** A missing event may be written as 0, or as a moment of zeros (`0000-00-00 00:00:00`). */
function something(value: unknown): unknown {
  // Other types carry no value here, and converting an object to text can throw.
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return /^[0\s:.TZ-]*$/u.test(String(value)) ? undefined : value;
}

/** The readable setups of the response; undefined when it has no list. */
export function parseBiddingSetups(body: unknown): readonly BiddingSetup[] | undefined {
  const { setups } = toUnknownFields(body);
  return parseList(setups, readSetup)?.items;
}

function jobOf(body: unknown): UnknownFields {
  const { job } = toUnknownFields(body);
  return toUnknownFields(job);
}

function readJobBase(fields: UnknownFields) {
  const { marketplace_job_id, status, status_title, scheduled_at } = fields;
  const jobId = parseId(JobId, fields['id']);
  if (jobId === undefined) return undefined;
  return omitUndefined({
    id: jobId,
    marketplaceJobId: parseSingleLine(marketplace_job_id),
    status: parseSingleLine(status) ?? 'unknown',
    statusTitle: parseSingleLine(status_title),
    scheduledAt: parseSingleLine(something(scheduled_at)),
  });
}

function readSetupOf({ setup_id, setup_name }: UnknownFields) {
  return omitUndefined({ setup: parseId(SetupId, setup_id), setupName: parseSingleLine(setup_name) });
}

function readSetup(value: unknown): BiddingSetup | undefined {
  const fields = toUnknownFields(value);
  const setupId = parseId(SetupId, fields['id']);
  if (setupId === undefined) return undefined;
  const { name, status, status_name, schedule, schedule_label, timezone, bidding_delay_minutes } = fields;
  const { daily_proposals_limit, total_proposals_sent, proposals_sent_today } = fields;
  const { last_run_at, last_proposal_date, filter, bidding_template } = fields;
  const { business_manager_id, subscription_id, created_at, updated_at } = fields;
  const filterId = parseId(FilterId, toUnknownFields(filter)['id']);
  const templateId = parseId(TemplateId, toUnknownFields(bidding_template)['id']);
  return omitUndefined({
    id: setupId,
    name: parseSingleLine(name) ?? `Setup ${setupId}`,
    status: parseSingleLine(status_name) ?? parseSingleLine(status) ?? 'unknown',
    filter: filterId === undefined ? undefined : { id: filterId, ...nameIn(filter) },
    template: templateId === undefined ? undefined : { id: templateId, ...nameIn(bidding_template) },
    schedule: parseMultilineText(schedule, WIRE_TEXT_LENGTH_LIMITS.message),
    scheduleLabel: parseSingleLine(schedule_label),
    timezone: parseSingleLine(timezone),
    delayMinutes: parseCount(bidding_delay_minutes),
    dailyLimit: parseCount(daily_proposals_limit),
    totalSent: parseCount(total_proposals_sent),
    sentToday: parseCount(proposals_sent_today),
    lastRunAt: parseSingleLine(something(last_run_at)),
    lastProposalDate: parseSingleLine(something(last_proposal_date)),
    businessManagerId: parseSingleLine(something(business_manager_id)),
    subscriptionId: parseCount(subscription_id),
    createdAt: parseSingleLine(something(created_at)),
    updatedAt: parseSingleLine(something(updated_at)),
  });
}

function nameIn(value: unknown) {
  const { name } = toUnknownFields(value);
  return omitUndefined({ name: parseSingleLine(name) });
}
