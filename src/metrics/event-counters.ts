/**
 * Counts events as they happen, in memory. Each event costs one addition; counters start at 0. Requests count
 * by endpoint, since paths with ids would create one label per project.
 */
import { Counter, Histogram, type Registry } from 'prom-client';
import { SECOND } from '../clock.ts';
import type { HintCounts } from '../feed/filter-hints.ts';
import type { Log } from '../log.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { CallObserver } from '../slack/core/call-guard.ts';
import { SlackCallError } from '../slack/core/errors.ts';
import type { ForwardResult } from '../slack/core/slack-request.ts';
import type { DeliveryAttemptOutcome } from '../slack/delivery/context.ts';
import type { HintRequestOutcome } from '../slack/hint-requests.ts';
import { StorageError } from '../storage/store.ts';

/** Slack shows an error after 3 s. Source: docs/slack-limits.md. */
const ACKNOWLEDGEMENT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 3];

/** The outcome of one attempt of a request: `ok`, or a MarketplaceErrorCode. */
interface ObservedRequest {
  readonly path: string;
  readonly outcome: string;
}

/** Since the start of this process. */
export interface ClusterCounts {
  readonly takeovers: number;
  readonly forwards: number;
  readonly fencedCommits: number;
}

export interface EventCounters extends CallObserver {
  countRequest(seen: ObservedRequest): void;
  countDelivery(outcome: DeliveryAttemptOutcome): void;
  /** A request to the Slack endpoint was rejected. */
  countRejectedSlackRequest(status: number): void;
  /** A request of Slack was passed on to another replica. */
  countForward(outcome: ForwardResult['kind']): void;
  countHints(counts: HintCounts): void;
  countHintRequest(outcome: HintRequestOutcome): void;
  /** A read of a filter began that a hint waited for. */
  countHintedRead(): void;
  /** A workspace was opened here that another process had before. */
  countTakeover(): void;
  /** A change of a workspace was refused, because another process has it by now. */
  countFencedCommit(): void;
  readClusterCounts(): Promise<ClusterCounts>;
  /** The same log, but counts warnings and errors. */
  countLogLines(log: Log): Log;
}

const KINDS = new Set(['command', 'action', 'shortcut', 'view', 'view_closed']);

/** A view's kind is followed by its name. */
function kindOf(kind: string): string {
  const [word = ''] = kind.split(' ');
  return KINDS.has(word) ? word : 'other';
}

/** Slack has many codes and adds new ones, so they share one label. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof MarketplaceError || thrown instanceof StorageError) return thrown.code;
  return thrown instanceof SlackCallError ? 'slack' : 'fault';
}

/** Of all labels. */
async function readTotal(counter: Counter): Promise<number> {
  return (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
}

export function createEventCounters(registry: Registry): EventCounters {
  const registers = [registry];
  const requests = new Counter({
    name: 'gigdesk_marketplace_requests_total',
    help: 'Requests sent to the marketplace, by endpoint and outcome.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'gigdesk_deliveries_total',
    help:
      'Messages by outcome: posted, updated, failed (given up), or retried later (refused, rate-limited, ' +
      'unanswered).',
    labelNames: ['outcome'],
    registers,
  });
  const acknowledgements = new Histogram({
    name: 'gigdesk_acknowledgement_seconds',
    help: 'Time until Slack received an acknowledgement, by kind of call.',
    labelNames: ['kind'],
    buckets: ACKNOWLEDGEMENT_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: 'gigdesk_failures_total',
    help: 'Failed user actions that returned an error reference, by kind and code.',
    labelNames: ['kind', 'code'],
    registers,
  });
  const refusals = new Counter({
    name: 'gigdesk_requests_refused_total',
    help: 'Rejected requests to the Slack endpoint, by status.',
    labelNames: ['status'],
    registers,
  });
  const forwards = new Counter({
    name: 'gigdesk_forwards_total',
    help:
      'Requests of Slack passed on to the replica that serves the workspace: acknowledged, not-done (that ' +
      'replica no longer serves it, or is gone), or unknown (no answer in time).',
    labelNames: ['outcome'],
    registers,
  });
  const hints = new Counter({
    name: 'gigdesk_hints_total',
    help:
      'Hints of outside tools: accepted (the filter is read next), repeated (it waits already), ignored ' +
      '(no channel follows it now); requests without a filter (no-filter) or with a wrong address (refused).',
    labelNames: ['outcome'],
    registers,
  });
  const hintedReads = new Counter({
    name: 'gigdesk_hinted_reads_total',
    help: 'Reads of a filter that a hint waited for.',
    registers,
  });
  const takeovers = new Counter({
    name: 'gigdesk_takeovers_total',
    help: 'Workspaces opened in this process that another process had before.',
    registers,
  });
  const fenced = new Counter({
    name: 'gigdesk_fenced_commits_total',
    help: 'Changes that the database refused, because another process has the workspace by now.',
    registers,
  });
  const lines = new Counter({
    name: 'gigdesk_log_lines_total',
    help: 'Log lines at level warn and error.',
    labelNames: ['level'],
    registers,
  });
  // Start at 0 instead of missing: alerts need the step from 0 to 1.
  lines.inc({ level: 'warn' }, 0);
  lines.inc({ level: 'error' }, 0);
  refusals.inc({ status: '401' }, 0);
  for (const outcome of ['posted', 'updated', 'failed'] as const) deliveries.inc({ outcome }, 0);
  for (const outcome of ['acknowledged', 'not-done', 'unknown'] as const) forwards.inc({ outcome }, 0);

  for (const outcome of ['accepted', 'repeated', 'ignored', 'no-filter', 'refused'] as const)
    hints.inc({ outcome }, 0);

  return {
    countRequest: ({ path, outcome }) => requests.inc({ endpoint: normalizeEndpoint(path), outcome }),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    acknowledged: (kind, tookMs) =>
      acknowledgements.observe({ kind: kindOf(kind) }, Math.max(0, tookMs) / SECOND),
    failed: (kind, thrown) => failures.inc({ kind: kindOf(kind), code: codeOf(thrown) }),
    countRejectedSlackRequest: (status) => refusals.inc({ status: String(status) }),
    countForward: (outcome) => forwards.inc({ outcome }),
    countHints: (counts) => {
      for (const outcome of ['accepted', 'repeated', 'ignored'] as const)
        hints.inc({ outcome }, counts[outcome]);
    },
    countHintRequest: (outcome) => hints.inc({ outcome }),
    countHintedRead: () => hintedReads.inc(),
    countTakeover: () => takeovers.inc(),
    countFencedCommit: () => fenced.inc(),
    readClusterCounts: async () => ({
      takeovers: await readTotal(takeovers),
      forwards: await readTotal(forwards),
      fencedCommits: await readTotal(fenced),
    }),
    countLogLines: (log) => ({
      debug: (message, fields) => log.debug(message, fields),
      info: (message, fields) => log.info(message, fields),
      warn: (message, fields) => {
        lines.inc({ level: 'warn' });
        log.warn(message, fields);
      },
      error: (message, fields) => {
        lines.inc({ level: 'error' });
        log.error(message, fields);
      },
    }),
  };
}

/** Every path that Gigdesk requests, as written in docs/marketplace-api.md. */
export const MARKETPLACE_ENDPOINTS = [
  '/auto-bidding/jobs/create',
  '/auto-bidding/jobs/{id}/approve',
  '/auto-bidding/jobs/{id}/status',
  '/auto-bidding/setups',
  '/filters',
  '/filters/{id}/projects',
  '/filters/{id}/results',
  '/invitations',
  '/organizations',
  '/profiles',
  '/projects/lookup',
  '/proposal-senders',
  '/proposal-templates',
  '/proposal-templates/{id}',
  '/proposals',
  '/proposals/by-uid/{uid}',
  '/proposals/{id}',
  '/results/{id}/projects',
] as const;

const patterns = MARKETPLACE_ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * @param path below the base URL, without the query
 * @returns `other` for an unlisted path
 */
export function normalizeEndpoint(path: string): string {
  return patterns.find(({ pattern }) => pattern.test(path))?.endpoint ?? 'other';
}
