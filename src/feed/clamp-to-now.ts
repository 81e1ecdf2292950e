/** Corrects times that a wrong clock stored in the future: they would suppress all projects until then. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { listFilterFollowers } from './filter-states.ts';
import { type Subscription, subscriptionKey, subscriptions, type Watermark } from './records.ts';
import { getLastElapsedTimestamp, inferTimestampUnit, timestampToInstant } from './timestamps.ts';

/** The filter's followers. Start times in the future are stored as now. */
export async function readFollowersWithClampedStarts(
  tx: Transaction,
  team: TeamId,
  filter: Subscription['filter'],
  at: Instant,
): Promise<Subscription[]> {
  const followers: Subscription[] = [];
  for (const each of await listFilterFollowers(tx, team, filter)) {
    const isAhead = each.startsAt > at || each.createdAt > at;
    const { startsAt, createdAt } = each;
    const right = isAhead
      ? { ...each, startsAt: Math.min(startsAt, at), createdAt: Math.min(createdAt, at) }
      : each;
    if (isAhead) await tx.put(subscriptions, subscriptionKey(team, each.channel, filter), right);
    followers.push(right);
  }
  return followers;
}

/** The watermarks without future times: a future one would skip all projects until then. */
export function clampWatermarksToNow(marks: readonly Watermark[], at: Instant): Watermark[] {
  return marks.map((mark) =>
    timestampToInstant(mark.ts) > at
      ? { ...mark, ts: getLastElapsedTimestamp(at, inferTimestampUnit(mark.ts)) }
      : mark,
  );
}
