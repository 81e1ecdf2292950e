/** Auto bidding jobs in their three views, and setups. Source: docs/marketplace-api.md, Auto bidding. */
import { FilterId, JobId, SetupId, TemplateId } from '../ids.ts';
import type { ApprovedJob, BiddingSetup, CreatedJob, JobStatus } from './schema.ts';
import { count, type Fields, fieldsOf, flag, id, known, line, list, MOST, text } from './wire-values.ts';

/** Whether the answer says of itself that it is no success; the status alone does not tell. */
export function isRefusedInBody(body: unknown): boolean {
  const { success } = fieldsOf(body);
  return flag(success) === false;
}

export function readMessage(body: unknown): string | undefined {
  const { message } = fieldsOf(body);
  return line(message, MOST.message);
}

/** The id of the job that an answer is about or names, whether or not it is a success. */
export function readJobIdIn(body: unknown): JobId | undefined {
  const { job_id } = fieldsOf(body);
  return id(JobId, jobOf(body)['id']) ?? id(JobId, job_id);
}

export function readCreatedJob(body: unknown): CreatedJob | undefined {
  const fields = jobOf(body);
  const { project_id, cover_letter_length, answers_count, bid_amount } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...readSetupOf(fields),
      ...known({
        projectId: count(project_id),
        coverLetterLength: count(cover_letter_length),
        answersCount: count(answers_count),
        bidAmount: line(bid_amount),
      }),
    }
  );
}

export function readApprovedJob(body: unknown): ApprovedJob | undefined {
  const fields = jobOf(body);
  const { was_ai_disqualified, qualification_decision, qualification_reason, approved_by } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...readSetupOf(fields),
      ...known({
        wasAiDisqualified: flag(was_ai_disqualified),
        qualificationDecision: line(qualification_decision),
        qualificationReason: text(qualification_reason, MOST.answer),
        approvedBy: line(approved_by),
      }),
    }
  );
}

export function readJobStatus(body: unknown): JobStatus | undefined {
  const fields = jobOf(body);
  const { reason, processed_at, error_message, retry_count, is_ready_for_processing } = fields;
  const { marketplace_application_uid } = fields;
  const base = readJobBase(fields);
  return (
    base && {
      ...base,
      ...known({
        reason: text(reason, MOST.answer),
        processedAt: line(something(processed_at)),
        errorMessage: text(something(error_message), MOST.answer),
        retryCount: count(retry_count),
        readyForProcessing: flag(is_ready_for_processing),
        applicationUid: line(something(marketplace_application_uid)),
      }),
    }
  );
}

/** What has not happened yet may be written as 0, or as a moment of zeros (`0000-00-00 00:00:00`). */
function something(value: unknown): unknown {
  // Nothing else is told, and making a text of an object can fail.
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return /^[0\s:.TZ-]*$/u.test(String(value)) ? undefined : value;
}

/** The readable setups of the answer; undefined when it holds no list. */
export function readSetups(body: unknown): readonly BiddingSetup[] | undefined {
  const { setups } = fieldsOf(body);
  return list(setups, readSetup)?.items;
}

function jobOf(body: unknown): Fields {
  const { job } = fieldsOf(body);
  return fieldsOf(job);
}

function readJobBase(fields: Fields) {
  const { marketplace_job_id, status, status_title, scheduled_at } = fields;
  const jobId = id(JobId, fields['id']);
  if (jobId === undefined) return undefined;
  return known({
    id: jobId,
    marketplaceJobId: line(marketplace_job_id),
    status: line(status) ?? 'unknown',
    statusTitle: line(status_title),
    scheduledAt: line(something(scheduled_at)),
  });
}

function readSetupOf({ setup_id, setup_name }: Fields) {
  return known({ setup: id(SetupId, setup_id), setupName: line(setup_name) });
}

function readSetup(value: unknown): BiddingSetup | undefined {
  const fields = fieldsOf(value);
  const setupId = id(SetupId, fields['id']);
  if (setupId === undefined) return undefined;
  const { name, status, status_name, schedule, schedule_label, timezone, bidding_delay_minutes } = fields;
  const { daily_proposals_limit, total_proposals_sent, proposals_sent_today } = fields;
  const { last_run_at, last_proposal_date, filter, bidding_template } = fields;
  const { business_manager_id, subscription_id, created_at, updated_at } = fields;
  const filterId = id(FilterId, fieldsOf(filter)['id']);
  const templateId = id(TemplateId, fieldsOf(bidding_template)['id']);
  return known({
    id: setupId,
    name: line(name) ?? `Setup ${setupId}`,
    status: line(status_name) ?? line(status) ?? 'unknown',
    filter: filterId === undefined ? undefined : { id: filterId, ...nameIn(filter) },
    template: templateId === undefined ? undefined : { id: templateId, ...nameIn(bidding_template) },
    schedule: text(schedule, MOST.message),
    scheduleLabel: line(schedule_label),
    timezone: line(timezone),
    delayMinutes: count(bidding_delay_minutes),
    dailyLimit: count(daily_proposals_limit),
    totalSent: count(total_proposals_sent),
    sentToday: count(proposals_sent_today),
    lastRunAt: line(something(last_run_at)),
    lastProposalDate: line(something(last_proposal_date)),
    businessManagerId: line(something(business_manager_id)),
    subscriptionId: count(subscription_id),
    createdAt: line(something(created_at)),
    updatedAt: line(something(updated_at)),
  });
}

function nameIn(value: unknown) {
  const { name } = fieldsOf(value);
  return known({ name: line(name) });
}
