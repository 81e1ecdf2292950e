/** What can go wrong in the game of `books-play.ts`. */
import { SECOND } from '../../src/clock.ts';
import { type FaultEffect, faults } from '../../src/workbench/marketplace/faults.ts';
import type { JobRecord } from '../../src/workbench/marketplace/records.ts';
import type { FaultEffect as SlackFault } from '../../src/workbench/slack/simulated-slack.ts';

export const TROUBLE: readonly FaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers', ms: 12 * SECOND },
  { kind: 'hold-headers' },
  { kind: 'hold-body', ms: 40 * SECOND },
  faults.status(500),
  faults.status(404),
  faults.errorAfterEffect(500),
  faults.errorAfterEffect(502),
  faults.wrongJson(),
  { kind: 'answer', status: 200, text: '<html>', carriedOut: true },
  faults.rateLimited('7'),
  faults.rateLimited(),
  faults.status(402, 'Insufficient credits'),
];
export const SLACK_TROUBLE: readonly SlackFault[] = [
  { kind: 'ratelimited', retryAfterS: 20 },
  { kind: 'status', status: 500, when: 'before' },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'broken-json', when: 'after' },
];

/** Of bidding: what may go wrong with each of its requests, and with which. */
export const BIDDING_TROUBLE: readonly FaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers', ms: 8 * SECOND },
  { kind: 'hold-headers' },
  { kind: 'hold-body', ms: 40 * SECOND },
  faults.status(500),
  faults.status(400, 'This client takes no bids'),
  faults.errorAfterEffect(502),
  faults.wrongJson(),
  { kind: 'answer', status: 200, text: '<html>', carriedOut: true },
  faults.rateLimited('7'),
  faults.rateLimited(),
];
/** A refusal that names a job, which need not be the project's. */
export function anotherJob(id: number | undefined): FaultEffect {
  const json = { success: false, error: 'Another job is in the way', job_id: id };
  return { kind: 'answer', status: 400, json };
}

/** How the marketplace may go on with a scheduled job. */
export const JOB_ENDS: readonly Partial<JobRecord>[] = [
  { status: 'processing' },
  { status: 'failed', errorMessage: 'Out of connects' },
  { status: 'skipped', reason: 'The daily limit is reached' },
];

export const BIDDING_PATHS: readonly string[] = [
  '/auto-bidding/jobs/create',
  '/auto-bidding/jobs/*/approve',
  '/auto-bidding/jobs/*/status',
  '/auto-bidding/setups',
  '/projects/lookup',
];
export const SLACK_METHODS: readonly string[] = [
  'views.update',
  'views.update',
  'views.open',
  'chat.postMessage',
  'chat.update',
  'chat.postEphemeral',
  'response_url',
  'users.info',
  'conversations.history',
];
