/** Numbers that are read off at each look: name, unit, meaning, and where they come from. Pure. */
import { SECOND } from '../clock.ts';
import type { Facts } from './facts.ts';

/** One number, with the value of its label where it has one. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly samples: (facts: Facts) => readonly Sample[];
}

/** A team with more has a line for each of the first, by weight, and one for all others together. */
export const MOST_LABELS = 100;

const one = (
  name: string,
  help: string,
  value: (facts: Facts) => number | boolean | undefined,
): GaugeRow => ({
  name: `gigdesk_${name}`,
  help,
  labels: [],
  samples: (facts) => {
    const found = value(facts);
    return found === undefined ? [] : [{ value: Number(found) }];
  },
});

const seconds = (ms: number) => ms / SECOND;

function lagSamples({ lags }: Facts): readonly Sample[] {
  const worst = lags.toSorted((a, b) => b.lagMs - a.lagMs).slice(0, MOST_LABELS);
  return worst.map(({ filter, lagMs }) => ({
    value: seconds(lagMs),
    labels: { filter: String(filter) },
  }));
}

type Amount = (budget: Facts['budgets'][number]) => number;

/** Of each of the channels that spend most; what the others come to, where `rest` is asked for. */
function channelSamples({ budgets }: Facts, amount: Amount, rest: boolean): readonly Sample[] {
  const weight: Amount = ({ settled, reserved }) => settled + reserved;
  const sorted = budgets.toSorted((a, b) => weight(b) - weight(a));
  const samples = sorted.slice(0, MOST_LABELS).map((budget) => ({
    value: amount(budget),
    labels: { channel: String(budget.channel) },
  }));
  const others = sorted.slice(MOST_LABELS);
  if (!rest || others.length === 0) return samples;
  const value = others.reduce((sum, budget) => sum + amount(budget), 0);
  return [...samples, { value, labels: { channel: 'other' } }];
}

const perChannel = (name: string, help: string, amount: Amount, rest: boolean): GaugeRow => ({
  name: `gigdesk_${name}`,
  help,
  labels: ['channel'],
  samples: (facts) => channelSamples(facts, amount, rest),
});

export const GAUGES: readonly GaugeRow[] = [
  {
    name: 'gigdesk_build_info',
    help: 'Always 1; the labels name the version of Gigdesk and of Node.js.',
    labels: ['version', 'node'],
    samples: ({ version }) => [{ value: 1, labels: { version, node: process.versions.node } }],
  },
  one('start_timestamp_seconds', 'When this process began, in seconds since 1970.', (it) =>
    seconds(it.startedAt),
  ),
  one('ready', '1 where /readyz answers 200, else 0.', (it) => it.isReady),
  one(
    'slack_connected',
    '1 while requests of Slack can reach Gigdesk, as far as it can tell.',
    (it) => it.isSlackConnected,
  ),
  {
    name: 'gigdesk_feed_lag_seconds',
    help: 'Since when a followed filter was not read well; the 100 with the most. Paused ones are left out.',
    labels: ['filter'],
    samples: lagSamples,
  },
  one('feed_filters', 'Filters that are to be read.', (it) => it.lags.length),
  one(
    'feed_filters_failing',
    'Of these, filters whose readings fail at present.',
    (it) => it.lags.filter(({ isFailing }) => isFailing).length,
  ),
  one('marketplace_window_requests', 'Requests that count in the present minute.', (it) => it.gate.used),
  one(
    'marketplace_window_limit_requests',
    'Requests a minute that are let through at present.',
    (it) => it.gate.limitPerMinute,
  ),
  one('marketplace_queue_requests', 'Requests that wait for a place.', (it) => it.gate.waiting),
  one('marketplace_pause_seconds', 'How long a 429 still keeps every request waiting; 0: not at all.', (it) =>
    seconds(it.pauseMs),
  ),
  perChannel(
    'channel_credits_settled',
    'Credits that a channel has spent in this billing period.',
    (it) => it.settled,
    true,
  ),
  perChannel(
    'channel_credits_reserved',
    'Credits that are reserved for requests of a channel.',
    (it) => it.reserved,
    true,
  ),
  perChannel(
    'channel_credits_limit',
    'The most that a channel may spend in a billing period; +Inf: bounded by the account alone.',
    ({ limit }) => (limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit),
    false,
  ),
  one(
    'account_credits_remaining',
    'What the account has left, as the latest answer told; missing before the first.',
    (it) => it.account.remaining,
  ),
  one(
    'account_credits_by_channels',
    'Credits that all channels have spent in this billing period.',
    (it) => it.account.byChannels,
  ),
  one(
    'account_credits_outside',
    'Credits that others have spent in this billing period, as far as the numbers prove it.',
    (it) => it.account.outside,
  ),
  one(
    'account_credits_spent',
    '1 while the marketplace refuses to sell (402), else 0.',
    (it) => it.account.spentSince !== undefined,
  ),
  one('account_reset_timestamp_seconds', 'When the billing period ends, in seconds since 1970.', (it) =>
    seconds(it.account.resetsAt),
  ),
  one(
    'deliveries_waiting',
    'Messages that wait to be posted; 1000: that many or more.',
    (it) => it.waiting.count,
  ),
  one('deliveries_waiting_seconds', 'How long the one that waits longest has waited.', (it) =>
    seconds(it.waiting.oldestMs),
  ),
  one(
    'delivery_paused',
    '1 while Slack refuses the token, so that nothing is posted, else 0.',
    (it) => it.delivery.paused !== undefined,
  ),
  one(
    'delivery_refused_conversations',
    'Channels and direct messages that Slack refuses while posts wait there; 1000: that many or more.',
    (it) => it.delivery.refused.length,
  ),
  one(
    'jobs_followed',
    'Auto bidding jobs that are followed; 1000: that many or more.',
    (it) => it.jobsFollowed,
  ),
  one('mirror_proposals', 'Proposals that are kept for the search.', (it) => it.proposals),
  one(
    'store_writable',
    "0 while what is to be on record can't be written (a full disk), else 1.",
    (it) => !it.gate.recordFails,
  ),
  one('store_damages', 'Damages that were found in the data folder at the start.', (it) => it.damages),
  one(
    'store_unfit_records',
    'Records at the start that only a newer version can read; they are kept unchanged.',
    (it) => it.unfitRecords,
  ),
  one(
    'clock_off_seconds',
    "How far this server's clock is ahead (above 0) or behind; 0 while it can be believed.",
    (it) => seconds(it.clockOffMs),
  ),
  one('store_free_bytes', 'Room on the disk of the data folder.', (it) => it.freeBytes),
  one('resident_memory_bytes', 'Memory that the process holds.', (it) => it.residentBytes),
  one(
    'event_loop_lag_max_seconds',
    'The latest that a turn of the event loop came, since the look before.',
    (it) => seconds(it.eventLoop.maxMs),
  ),
  one(
    'event_loop_lag_p99_seconds',
    'Of a hundred turns of the event loop 99 came no later, since the look before.',
    (it) => seconds(it.eventLoop.p99Ms),
  ),
];
