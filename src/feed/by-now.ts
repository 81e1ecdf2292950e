/** What was written down while the clock was ahead: a time to come, which would keep everything until then untold. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { followersOf } from './filter-states.ts';
import { type Mark, type Subscription, subscriptionKey, subscriptions } from './records.ts';
import { instantOf, lastBefore, unitOf } from './timestamps.ts';

/** The followers of a filter; those that begin in a time to come begin now, on record. */
export async function followersByNow(
  tx: Transaction,
  team: TeamId,
  filter: Subscription['filter'],
  at: Instant,
): Promise<Subscription[]> {
  const followers: Subscription[] = [];
  for (const each of await followersOf(tx, team, filter)) {
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

/** The marks, none of them in a time to come: passed, it would leave out all until then. */
export function marksByNow(marks: readonly Mark[], at: Instant): Mark[] {
  return marks.map((mark) =>
    instantOf(mark.ts) > at ? { ...mark, ts: lastBefore(at, unitOf(mark.ts)) } : mark,
  );
}
