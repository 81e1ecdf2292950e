/** The bounds of a job's fields. Source: docs/marketplace-api.md, POST /auto-bidding/jobs/create. */
import { z } from 'zod';
import type { Instant } from '../../clock.ts';

/** ISO 8601 with a zone, or the SQL format; `parseDateTime` checks the parts. */
const MOMENT = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})` +
    String.raw`(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|([+-])(\d{2}):?(\d{2}))` +
    String.raw`| (\d{2}):(\d{2}):(\d{2}))$`,
);

/**
 * Parses both documented formats; the SQL format has no zone and is read as UTC. Undefined for other text.
 */
export function parseDateTime(text: string): Instant | undefined {
  const match = MOMENT.exec(text);
  if (!match) return undefined;
  const number = (group: number) => Number(match[group] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4) + number(10), number(5) + number(11), number(6) + number(12)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!real || hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetMinutes = (match[7] === '-' ? -1 : 1) * (number(8) * 60 + number(9));
  return Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second);
}

const Answers = z.array(
  z.object({ question: z.string(), answer: z.string() }),
  'answers must be an array of {question, answer}',
);

const JobBody = z.object({
  setup_id: z.int('setup_id must be an integer'),
  marketplace_job_id: z.string('marketplace_job_id must be a string').min(1).optional(),
  project_id: z.int('project_id must be an integer').optional(),
  scheduled_at: z.string('scheduled_at must be a date-time').optional(),
  scheduled_in: z.unknown().optional(),
  cover_letter: z.string('cover_letter must be a string').optional(),
  answers: Answers.optional(),
  bid_amount: z
    .number('bid_amount must be a number')
    .min(5, 'bid_amount must be between 5 and 1000000')
    .max(1_000_000, 'bid_amount must be between 5 and 1000000')
    .optional(),
  boost_bid_amount: z
    .int('boost_bid_amount must be an integer')
    .min(0, 'boost_bid_amount must be at least 0')
    .optional(),
});
export type JobBody = z.infer<typeof JobBody>;

const Minutes = z.int().min(15).max(60);

export type JobValidationResult =
  | { readonly kind: 'valid'; readonly body: JobBody; readonly scheduledAt: Instant | undefined }
  | { readonly kind: 'invalid'; readonly error: string };

function invalid(error: string): JobValidationResult {
  return { kind: 'invalid', error };
}

/** The job, or the first problem of the body. */
export function validateJob(given: unknown, now: Instant): JobValidationResult {
  const read = JobBody.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    return invalid(issue && issue.path.length > 0 ? issue.message : 'the body must be a JSON object');
  }
  const body = read.data;
  if (body.marketplace_job_id === undefined && body.project_id === undefined) {
    return invalid('marketplace_job_id is required');
  }
  if (body.scheduled_at !== undefined) {
    const scheduledAt = parseDateTime(body.scheduled_at);
    if (scheduledAt === undefined) return invalid('scheduled_at is not a valid date-time');
    if (scheduledAt <= now) return invalid('scheduled_at must be in the future');
    return { kind: 'valid', body, scheduledAt };
  }
  if (body.scheduled_in === undefined) return { kind: 'valid', body, scheduledAt: undefined };
  const minutes = Minutes.safeParse(body.scheduled_in);
  if (!minutes.success) return invalid('scheduled_in must be between 15 and 60');
  return { kind: 'valid', body, scheduledAt: now + minutes.data * 60_000 };
}
