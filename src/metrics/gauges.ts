/** Gauges that are read on every scrape: name, unit, meaning and source. Pure. */
import { SECOND } from '../clock.ts';
import type { ProcessSnapshot, WorkspaceSnapshot } from './metrics-snapshot.ts';

export interface GaugeSample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface GaugeRow<Facts> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly samples: (facts: Facts) => readonly GaugeSample[];
}

/** Larger teams get one line for each of the top 100, and one for all others together. */
export const MAX_LABEL_VALUES = 100;

const one = <Facts>(
  name: string,
  help: string,
  value: (facts: Facts) => number | boolean | undefined,
): GaugeRow<Facts> => ({
  name: `gigdesk_${name}`,
  help,
  labels: [],
  samples: (facts) => {
    const found = value(facts);
    return found === undefined ? [] : [{ value: Number(found) }];
  },
});

const seconds = (ms: number) => ms / SECOND;

function lagSamples({ lags }: WorkspaceSnapshot): readonly GaugeSample[] {
  const worst = lags.toSorted((a, b) => b.lagMs - a.lagMs).slice(0, MAX_LABEL_VALUES);
  return worst.map(({ filter, lagMs }) => ({ value: seconds(lagMs), labels: { filter: String(filter) } }));
}

type Amount = (budget: WorkspaceSnapshot['budgets'][number]) => number;

/** One sample for each of the channels that spend most; with `rest`, also the sum of the others. */
function channelSamples({ budgets }: WorkspaceSnapshot, amount: Amount, rest: boolean) {
  const weight: Amount = ({ settled, reserved }) => settled + reserved;
  const sorted = budgets.toSorted((a, b) => weight(b) - weight(a));
  const top = sorted.slice(0, MAX_LABEL_VALUES);
  const samples = top.map((budget) => ({
    value: amount(budget),
    labels: { channel: String(budget.channel) },
  }));
  const others = sorted.slice(MAX_LABEL_VALUES);
  if (!rest || others.length === 0) return samples;
  const value = others.reduce((sum, budget) => sum + amount(budget), 0);
  return [...samples, { value, labels: { channel: 'other' } }];
}

const perChannel = (name: string, help: string, amount: Amount, rest: boolean) => ({
  name: `gigdesk_${name}`,
  help,
  labels: ['channel'],
  samples: (facts: WorkspaceSnapshot) => channelSamples(facts, amount, rest),
});

export const PROCESS_GAUGES: readonly GaugeRow<ProcessSnapshot>[] = [
  {
    name: 'gigdesk_build_info',
    help: 'Always 1. The labels show the versions of Gigdesk and Node.js.',
    labels: ['version', 'node'],
    samples: ({ version }) => [{ value: 1, labels: { version, node: process.versions.node } }],
  },
  one('start_timestamp_seconds', 'Start time of the process, in seconds since 1970.', (it) =>
    seconds(it.startedAt),
  ),
  one('ready', '1 if /readyz returns 200, otherwise 0.', (it) => it.isReady),
  one(
    'slack_connected',
    '1 while Slack is connected, as far as Gigdesk knows, otherwise 0.',
    (it) => it.isSlackConnected,
  ),
  one('workspaces', 'Workspaces that are open in this process.', (it) => it.workspaces),
  one('store_free_bytes', "Free space on the data folder's disk.", (it) => it.freeBytes),
  one('resident_memory_bytes', 'Memory used by the process.', (it) => it.residentBytes),
  one('event_loop_lag_max_seconds', 'Longest event loop delay since the last scrape.', (it) =>
    seconds(it.eventLoop.maxMs),
  ),
  one('event_loop_lag_p99_seconds', 'The 99th percentile of event loop delay since the last scrape.', (it) =>
    seconds(it.eventLoop.p99Ms),
  ),
];

/** Of each workspace; with more than one, each line names its team. */
export const WORKSPACE_GAUGES: readonly GaugeRow<WorkspaceSnapshot>[] = [
  {
    name: 'gigdesk_feed_lag_seconds',
    help:
      'Time since a followed filter was last read successfully, for the 100 longest. ' +
      'Paused filters are excluded.',
    labels: ['filter'],
    samples: lagSamples,
  },
  one('feed_filters', 'Filters that the feed reads.', (it) => it.lags.length),
  one(
    'feed_filters_failing',
    'Filters that currently fail to be read.',
    (it) => it.lags.filter(({ isFailing }) => isFailing).length,
  ),
  one('marketplace_window_requests', 'Requests counted in the last minute.', (it) => it.gate.used),
  one(
    'marketplace_window_limit_requests',
    'Current limit of requests per minute.',
    (it) => it.gate.limitPerMinute,
  ),
  one('marketplace_queue_requests', 'Requests waiting for a free slot.', (it) => it.gate.waiting),
  one('marketplace_pause_seconds', 'Time left until requests resume after a 429. 0 if not paused.', (it) =>
    seconds(it.pauseMs),
  ),
  perChannel(
    'channel_credits_settled',
    'Credits spent by a channel in this billing period.',
    (it) => it.settled,
    true,
  ),
  perChannel(
    'channel_credits_reserved',
    "Credits reserved for a channel's open requests.",
    (it) => it.reserved,
    true,
  ),
  perChannel(
    'channel_credits_limit',
    'Credit limit of a channel per billing period. +Inf if only the account limits it.',
    ({ limit }) => (limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit),
    false,
  ),
  one(
    'account_credits_remaining',
    'Credits left in the account, from the latest response. Missing before the first response.',
    (it) => it.account.remaining,
  ),
  one(
    'account_credits_by_channels',
    'Credits spent by all channels in this billing period.',
    (it) => it.account.byChannels,
  ),
  one(
    'account_credits_outside',
    'Credits spent outside Gigdesk in this billing period, as far as it can be proven.',
    (it) => it.account.outside,
  ),
  one(
    'account_credits_spent',
    '1 while the account is out of credits (402), otherwise 0.',
    (it) => it.account.spentSince !== undefined,
  ),
  one('account_reset_timestamp_seconds', 'End of the billing period, in seconds since 1970.', (it) =>
    seconds(it.account.resetsAt),
  ),
  one(
    'deliveries_waiting',
    'Messages waiting to be posted. 1000 means 1000 or more.',
    (it) => it.waiting.count,
  ),
  one('deliveries_waiting_seconds', 'Age of the oldest waiting message.', (it) =>
    seconds(it.waiting.oldestMs),
  ),
  one(
    'delivery_paused',
    '1 while Slack rejects the token and nothing is posted, otherwise 0.',
    (it) => it.delivery.paused !== undefined,
  ),
  one(
    'delivery_refused_conversations',
    'Channels and direct messages where Slack refuses waiting posts. 1000 means 1000 or more.',
    (it) => it.delivery.refused.length,
  ),
  one('jobs_followed', 'Auto bidding jobs being tracked. 1000 means 1000 or more.', (it) => it.jobsFollowed),
  one('mirror_proposals', 'Proposals stored for search.', (it) => it.proposals),
  one(
    'store_writable',
    "0 while data can't be written (for example, the disk is full), otherwise 1.",
    (it) => !it.gate.recordFails,
  ),
  one('store_damages', 'Damaged files found in the data folder at startup.', (it) => it.damages),
  one(
    'store_unfit_records',
    'Records found at startup that only a newer version can read. They stay unchanged.',
    (it) => it.invalidRecords,
  ),
  one(
    'clock_off_seconds',
    "How far this server's clock is ahead (above 0) or behind (below 0). 0 while it's correct.",
    (it) => seconds(it.clockOffMs),
  ),
];
