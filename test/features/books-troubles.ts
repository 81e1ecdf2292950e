/** What can go wrong in the random games. */
import { SECOND } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { SlackFaultEffect as SlackFault } from '../../src/workbench/slack/simulated-slack.ts';

export const TROUBLE: readonly MarketplaceFaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers', ms: 12 * SECOND },
  { kind: 'hold-headers' },
  { kind: 'hold-body', ms: 40 * SECOND },
  presetFaults.status(500),
  presetFaults.status(404),
  presetFaults.errorAfterEffect(500),
  presetFaults.errorAfterEffect(502),
  presetFaults.wrongJson(),
  { kind: 'answer', status: 200, text: '<html>', carriedOut: true },
  presetFaults.rateLimited('7'),
  presetFaults.rateLimited(),
  presetFaults.status(402, 'Insufficient credits'),
];
export const SLACK_TROUBLE: readonly SlackFault[] = [
  { kind: 'ratelimited', retryAfterS: 20 },
  { kind: 'status', status: 500, when: 'before' },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'broken-json', when: 'after' },
];

/** Bidding: the possible faults of each of its requests. */
export const BIDDING_TROUBLE: readonly MarketplaceFaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'drop', when: 'after' },
  { kind: 'break-body' },
  { kind: 'hold-headers', ms: 8 * SECOND },
  { kind: 'hold-headers' },
  { kind: 'hold-body', ms: 40 * SECOND },
  presetFaults.status(500),
  presetFaults.status(400, 'This client takes no bids'),
  presetFaults.errorAfterEffect(502),
  presetFaults.wrongJson(),
  { kind: 'answer', status: 200, text: '<html>', carriedOut: true },
  presetFaults.rateLimited('7'),
  presetFaults.rateLimited(),
];
/** A rejection that names a job, possibly of another project. */
export function anotherJob(id: number | undefined): MarketplaceFaultEffect {
  const json = { success: false, error: 'Another job is in the way', job_id: id };
  return { kind: 'answer', status: 400, json };
}

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
