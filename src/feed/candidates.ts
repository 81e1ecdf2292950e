/** What the plan needs to know of every filter that somebody follows. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, TeamId } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import { nextBackfill } from './backfill.ts';
import { findPauseEnd, isActive, readSettings } from './channels.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import type { Candidate } from './poll-plan.ts';
import { type ChannelSettings, type Subscription, subscriptions, type Trouble } from './records.ts';
import { retryAt } from './trouble.ts';
import { nextVerdictsAt } from './verdicts.ts';

export interface FeedFacts {
  readonly candidates: readonly Candidate[];
  readonly trouble?: Trouble;
  /** Channels with a subscription, and the earliest end of a pause among them. */
  readonly channels: readonly ChannelId[];
  readonly pauseEndsAt?: Instant;
}

interface Following {
  readonly active: Map<FilterId, Subscription[]>;
  readonly settings: Map<ChannelId, ChannelSettings>;
}

/** Who is polled for, filter by filter, and the settings of every channel that follows one. */
export async function readFollowing(tx: ReadTransaction, team: TeamId, at: Instant): Promise<Following> {
  const active = new Map<FilterId, Subscription[]>();
  const settings = new Map<ChannelId, ChannelSettings>();
  for await (const { value } of scan(tx, subscriptions, { prefix: [team] })) {
    const ofChannel = settings.get(value.channel) ?? (await readSettings(tx, team, value.channel));
    settings.set(value.channel, ofChannel);
    if (!isActive(value, ofChannel, at)) continue;
    active.set(value.filter, [...(active.get(value.filter) ?? []), value]);
  }
  return { active, settings };
}

async function candidateOf(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
  followers: readonly Subscription[],
  at: Instant,
): Promise<Candidate> {
  const state = await readFilterState(tx, team, filter);
  const gap = state.gaps.at(-1);
  const backfill = nextBackfill(followers);
  const olderSince = gap ? (gap.foundAt ?? 0) : backfill?.backfill?.askedAt;
  const verdictsDueAt = nextVerdictsAt(state.awaiting);
  return {
    filter,
    rate: state.rate.perSecond,
    ...(state.lastTopAt === undefined ? {} : { lastTopAt: state.lastTopAt }),
    ...(state.lastPollAt === undefined ? {} : { lastReadAt: state.lastPollAt }),
    ...(olderSince === undefined ? {} : { olderSince }),
    ...(!gap && backfill ? { olderIsBackfill: true } : {}),
    ...(!gap && backfill && backfill.backfill?.cursor === undefined ? { olderBegins: true } : {}),
    ...(verdictsDueAt === undefined ? {} : { verdictsDueAt }),
    ...(state.trouble ? { notBefore: retryAt(state.trouble, at) } : {}),
  };
}

export async function readFacts(tx: ReadTransaction, team: TeamId, at: Instant): Promise<FeedFacts> {
  const { active, settings } = await readFollowing(tx, team, at);
  const { trouble } = await readFeedState(tx, team);
  const candidates: Candidate[] = [];
  for (const [filter, followers] of active) {
    candidates.push(await candidateOf(tx, team, filter, followers, at));
  }
  const ends = [...settings.values()].flatMap((each) => findPauseEnd(each, at) ?? []);
  return {
    candidates,
    channels: [...settings.keys()],
    ...(trouble ? { trouble } : {}),
    ...(ends.length > 0 ? { pauseEndsAt: Math.min(...ends) } : {}),
  };
}
