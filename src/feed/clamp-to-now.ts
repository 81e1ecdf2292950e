/** Corrects times that a wrong clock stored in the future: they would suppress all projects until then. */
import type { Instant } from '../clock.ts';
import type { Transaction } from '../storage/store.ts';
import type { Follower } from './poll-state.ts';
import { subscriptionKey, subscriptions, type Watermark } from './records.ts';
import { getLastElapsedTimestamp, inferTimestampUnit, timestampToInstant } from './timestamps.ts';

/** The followers, whose start times in the future are stored as now. */
export async function clampStartsToNow(
  tx: Transaction,
  followers: readonly Follower[],
  at: Instant,
): Promise<Follower[]> {
  const clamped: Follower[] = [];
  for (const { subscription: each, settings } of followers) {
    const { startsAt, createdAt } = each;
    const isAhead = startsAt > at || createdAt > at;
    const subscription = isAhead
      ? { ...each, startsAt: Math.min(startsAt, at), createdAt: Math.min(createdAt, at) }
      : each;
    if (isAhead)
      await tx.put(subscriptions, subscriptionKey(each.team, each.channel, each.filter), subscription);
    clamped.push({ subscription, settings });
  }
  return clamped;
}

/** The watermarks without future times: a future one would skip all projects until then. */
export function clampWatermarksToNow(marks: readonly Watermark[], at: Instant): Watermark[] {
  return marks.map((mark) =>
    timestampToInstant(mark.ts) > at
      ? { ...mark, ts: getLastElapsedTimestamp(at, inferTimestampUnit(mark.ts)) }
      : mark,
  );
}
