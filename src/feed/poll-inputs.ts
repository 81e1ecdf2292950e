/** The poll plan's inputs for every followed filter. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { findOldestBackfillSubscription } from './backfill.ts';
import { findPauseEnd, isSubscriptionActive, readChannelSettings } from './channels.ts';
import { getFeedRetryTime } from './failure-rules.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import type { PollCandidate } from './poll-plan.ts';
import { type ChannelSettings, type FeedFailure, type Subscription, subscriptions } from './records.ts';
import { findNextVerdictCheckTime } from './verdict-checks.ts';

export interface PollInputs {
  readonly candidates: readonly PollCandidate[];
  readonly trouble?: FeedFailure;
  /** Channels with a subscription, and the earliest end of their pauses. */
  readonly channels: readonly ChannelId[];
  readonly pauseEndsAt?: Instant;
}

interface ActiveSubscriptions {
  readonly active: Map<FilterId, Subscription[]>;
  readonly settings: Map<ChannelId, ChannelSettings>;
}

/** Active subscriptions by filter, and the settings of every channel with a subscription. */
export async function readActiveSubscriptions(
  tx: ReadTransaction,
  team: TeamId,
  at: Instant,
): Promise<ActiveSubscriptions> {
  const active = new Map<FilterId, Subscription[]>();
  const settings = new Map<ChannelId, ChannelSettings>();
  for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team] })) {
    const ofChannel = settings.get(value.channel) ?? (await readChannelSettings(tx, team, value.channel));
    settings.set(value.channel, ofChannel);
    if (!isSubscriptionActive(value, ofChannel, at)) continue;
    active.set(value.filter, [...(active.get(value.filter) ?? []), value]);
  }
  return { active, settings };
}

async function readPollCandidate(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
  followers: readonly Subscription[],
  at: Instant,
): Promise<PollCandidate> {
  const state = await readFilterState(tx, team, filter);
  const gap = state.gaps.at(-1);
  const backfill = findOldestBackfillSubscription(followers);
  const olderSince = gap ? (gap.foundAt ?? 0) : backfill?.backfill?.askedAt;
  const verdictsDueAt = findNextVerdictCheckTime(state.awaiting);
  return {
    filter,
    rate: state.rate.perSecond,
    ...omitUndefined({ lastTopAt: state.lastTopAt, lastReadAt: state.lastPollAt, olderSince }),
    ...(!gap && backfill ? { olderIsBackfill: true } : {}),
    ...(!gap && backfill && backfill.backfill?.cursor === undefined ? { olderBegins: true } : {}),
    ...omitUndefined({ verdictsDueAt }),
    ...(state.trouble ? { notBefore: getFeedRetryTime(state.trouble, at) } : {}),
  };
}

export async function readPollInputs(tx: ReadTransaction, team: TeamId, at: Instant): Promise<PollInputs> {
  const { active, settings } = await readActiveSubscriptions(tx, team, at);
  const { trouble } = await readFeedState(tx, team);
  const candidates: PollCandidate[] = [];
  for (const [filter, followers] of active) {
    candidates.push(await readPollCandidate(tx, team, filter, followers, at));
  }
  const ends = [...settings.values()].flatMap((each) => findPauseEnd(each, at) ?? []);
  return {
    candidates,
    channels: [...settings.keys()],
    ...(trouble ? { trouble } : {}),
    ...(ends.length > 0 ? { pauseEndsAt: Math.min(...ends) } : {}),
  };
}
