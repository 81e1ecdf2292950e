/**
 * Reads all gauge values: one consistent view of the store, and the state of the components, at a bounded
 * cost; and judges whether Gigdesk is ready, for `/readyz`.
 */
import { jobs } from '../bidding/records.ts';
import type { Clock, Instant, watchEventLoop } from '../clock.ts';
import type { ClockState } from '../clock-watch.ts';
import type { CreditsService } from '../credits/create-credits.ts';
import { readFilterLags } from '../feed/poll-inputs.ts';
import type { TeamId } from '../ids.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import { posts } from '../outbox/posts.ts';
import type { ProposalMirror } from '../proposals/mirror.ts';
import type { DeliveryHealth, DeliveryHealthReader } from '../slack/delivery/health.ts';
import { readFreeBytes } from '../storage/free-space.ts';
import type { OpenedStore, ReadTransaction } from '../storage/store.ts';

/** One workspace. */
export interface WorkspaceMetricsSources {
  readonly team: TeamId;
  readonly store: OpenedStore;
  readonly credits: CreditsService;
  readonly gate: RequestGate;
  readonly mirror: Pick<ProposalMirror, 'size'>;
  readonly clock: Clock;
  readonly delivery: DeliveryHealthReader;
  readonly clockState: () => ClockState;
}

export interface ProcessMetricsSources {
  readonly version: string;
  readonly startedAt: Instant;
  readonly eventLoop: Pick<ReturnType<typeof watchEventLoop>, 'read'>;
  /** Of the records; undefined if a database holds them. */
  readonly folder: string | undefined;
  readonly isSlackConnected: () => boolean;
  readonly readiness: () => Promise<Readiness>;
  /** How many workspaces are open here. */
  readonly countWorkspaces: () => number;
}

/** The count stops here to keep scrapes cheap. */
const MAX_COUNTED_RECORDS = 1_000;

async function countWaiting(tx: ReadTransaction, at: Instant) {
  const waiting = { index: 'byState', prefix: ['waiting'], limit: MAX_COUNTED_RECORDS };
  const entries = await tx.list(posts, waiting);
  const oldest = Math.min(at, ...entries.map(({ value }) => value.enqueuedAt));
  return { count: entries.length, oldestMs: at - oldest };
}

export type ProcessSnapshot = Awaited<ReturnType<typeof readProcessSnapshot>>;

export async function readProcessSnapshot(sources: ProcessMetricsSources) {
  const { version, startedAt, folder, eventLoop } = sources;
  return {
    version,
    startedAt,
    isReady: (await sources.readiness()).isReady,
    isSlackConnected: sources.isSlackConnected(),
    workspaces: sources.countWorkspaces(),
    /** Undefined if the system doesn't report it. */
    freeBytes: folder === undefined ? undefined : await readFreeBytes(folder).catch(() => undefined),
    residentBytes: process.memoryUsage.rss(),
    eventLoop: eventLoop.read(),
  };
}

export type WorkspaceSnapshot = Awaited<ReturnType<typeof readWorkspaceSnapshot>>;

/** @throws StorageError once the store is closed. */
export async function readWorkspaceSnapshot(sources: WorkspaceMetricsSources) {
  const { store, credits, gate, mirror, clock } = sources;
  const at = clock.now();
  const stored = await store.read(async (tx) => ({
    lags: await readFilterLags(tx, at),
    account: await credits.readAccountState(tx, at),
    budgets: await credits.readBudgetStates(tx, at),
    waiting: await countWaiting(tx, at),
    delivery: await sources.delivery.readHealth(tx),
    jobsFollowed: (await tx.list(jobs, { index: 'due', limit: MAX_COUNTED_RECORDS })).length,
  }));
  const status = gate.status();
  const clockState = sources.clockState();
  return {
    ...stored,
    gate: status,
    pauseMs: Math.max(0, (status.pausedUntil ?? at) - at),
    proposals: mirror.size,
    damages: store.notices.length,
    invalidRecords: store.invalidRecords,
    /** Above 0: ahead; below 0: behind; 0 while the clock is considered correct. */
    clockOffMs: clockState.kind === 'off' ? clockState.byMs : 0,
  };
}

interface ReadinessInputs {
  readonly isStopping: boolean;
  readonly isStoreOpen: boolean;
  readonly isSlackConnected: boolean;
  readonly isFeedRunning: boolean;
  /** Missing if the data store is not open. */
  readonly delivery?: DeliveryHealth;
  readonly isClockRight: boolean;
}

export interface Readiness {
  readonly isReady: boolean;
  /** One line. */
  readonly message: string;
}

/** Pure. Lists everything that is missing. */
export function judgeReadiness(vital: ReadinessInputs): Readiness {
  const paused = vital.delivery?.paused;
  const missing = [
    ...(vital.isStopping ? ['Gigdesk is stopping'] : []),
    ...(vital.isStoreOpen ? [] : ['the data store is not open']),
    ...(vital.isSlackConnected ? [] : ['Slack is not connected']),
    ...(vital.isFeedRunning ? [] : ['the feed is not running']),
    ...(paused ? [`Slack rejects the token (${paused.error}), so nothing is posted`] : []),
    ...(vital.isClockRight ? [] : ["this server's clock is wrong"]),
  ];
  if (missing.length > 0) return { isReady: false, message: `not ready: ${missing.join('; ')}` };
  // One refused conversation doesn't affect others: Gigdesk is still ready, but the text mentions it.
  const refused = vital.delivery?.refused.length ?? 0;
  const where = `${refused} ${refused === 1 ? 'conversation' : 'conversations'}`;
  return { isReady: true, message: refused === 0 ? 'ready' : `ready; Slack refuses posts in ${where}` };
}
