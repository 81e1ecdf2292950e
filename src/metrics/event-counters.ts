/**
 * Counts events as they happen, in memory. Each event costs one addition; counters start at 0. Requests count
 * by endpoint, since paths with ids would create one label per project.
 */
import { Counter, Histogram, type Registry } from 'prom-client';
import { SECOND } from '../clock.ts';
import type { HintCounts } from '../feed/filter-hints.ts';
import type { Log } from '../log.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { SlackCallError } from '../slack/core/errors.ts';
import type { ForwardResult } from '../slack/core/slack-request.ts';
import type { DeliveryAttemptOutcome } from '../slack/delivery/context.ts';
import type { HintRequestOutcome } from '../slack/hint-requests.ts';
import { StorageError } from '../storage/store.ts';

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

async function readTotal(counter: Counter): Promise<number> {
  return (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
}

export type EventCounters = ReturnType<typeof createEventCounters>;

export function createEventCounters(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: readonly L[]) =>
    new Counter({ name: `gigdesk_${name}_total`, help, labelNames, registers });
  const requests = counter(
    'marketplace_requests',
    'Requests sent to the marketplace, by endpoint and outcome.',
    'endpoint',
    'outcome',
  );
  const deliveries = counter(
    'deliveries',
    'Messages by outcome: posted, updated, failed (given up), or retried later (refused, rate-limited, ' +
      'unanswered).',
    'outcome',
  );
  const acknowledgements = new Histogram({
    name: 'gigdesk_acknowledgement_seconds',
    help: 'Time until Slack received an acknowledgement, by kind of call.',
    labelNames: ['kind'],
    // Slack shows an error after 3 s. Source: docs/slack-limits.md.
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 3],
    registers,
  });
  const failures = counter(
    'failures',
    'Failed user actions that returned an error reference, by kind and code.',
    'kind',
    'code',
  );
  const refusals = counter(
    'requests_refused',
    'Rejected requests to the Slack endpoint, by status: 401 not signed by Slack, too old or in the ' +
      'future; 413 too large; 408 incomplete after 3 s; 503 too many unfinished, or left for Slack to ' +
      'retry; 400 unreadable.',
    'status',
  );
  const forwards = counter(
    'forwards',
    'Requests of Slack passed on to the replica that serves the workspace: acknowledged, not-done (that ' +
      'replica no longer serves it, or is gone), or unknown (no answer in time).',
    'outcome',
  );
  const hints = counter(
    'hints',
    'Hints of outside tools: accepted (the filter is read next), repeated (it waits already), ignored ' +
      '(no channel follows it now); requests without a filter (no-filter) or with a wrong address (refused).',
    'outcome',
  );
  const hintedReads = counter('hinted_reads', 'Reads of a filter that a hint waited for.');
  const takeovers = counter(
    'takeovers',
    'Workspaces opened in this process that another process had before.',
  );
  const fenced = counter(
    'fenced_commits',
    'Changes that the database refused, because another process has the workspace by now.',
  );
  const lines = counter('log_lines', 'Log lines at level warn and error.', 'level');
  // Start at 0 instead of missing: alerts need the step from 0 to 1.
  lines.inc({ level: 'warn' }, 0);
  lines.inc({ level: 'error' }, 0);
  refusals.inc({ status: '401' }, 0);
  for (const outcome of ['posted', 'updated', 'failed'] as const) deliveries.inc({ outcome }, 0);
  for (const outcome of ['acknowledged', 'not-done', 'unknown'] as const) forwards.inc({ outcome }, 0);
  for (const outcome of ['accepted', 'repeated', 'ignored', 'no-filter', 'refused'] as const)
    hints.inc({ outcome }, 0);

  return {
    acknowledged: (kind: string, tookMs: number) =>
      acknowledgements.observe({ kind: kindOf(kind) }, Math.max(0, tookMs) / SECOND),
    failed: (kind: string, thrown: unknown) => failures.inc({ kind: kindOf(kind), code: codeOf(thrown) }),
    /** @param outcome of one attempt: `ok`, or a MarketplaceErrorCode */
    countRequest: ({ path, outcome }: { readonly path: string; readonly outcome: string }) =>
      requests.inc({ endpoint: normalizeEndpoint(path), outcome }),
    countDelivery: (outcome: DeliveryAttemptOutcome) => deliveries.inc({ outcome }),
    countRejectedSlackRequest: (status: number) => refusals.inc({ status: String(status) }),
    countForward: (outcome: ForwardResult['kind']) => forwards.inc({ outcome }),
    countHints(counts: HintCounts): void {
      for (const outcome of ['accepted', 'repeated', 'ignored'] as const)
        hints.inc({ outcome }, counts[outcome]);
    },
    countHintRequest: (outcome: HintRequestOutcome) => hints.inc({ outcome }),
    countHintedRead: () => hintedReads.inc(),
    countTakeover: () => takeovers.inc(),
    countFencedCommit: () => fenced.inc(),
    /** Since the start of this process. */
    readClusterCounts: async () => ({
      takeovers: await readTotal(takeovers),
      forwards: await readTotal(forwards),
      fencedCommits: await readTotal(fenced),
    }),
    /** The same log, but counts warnings and errors. */
    countLogLines: (log: Log): Log => ({
      ...log,
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

/** @param path below the base URL, without the query @returns `other` for an unlisted path */
export function normalizeEndpoint(path: string): string {
  return patterns.find(({ pattern }) => pattern.test(path))?.endpoint ?? 'other';
}
