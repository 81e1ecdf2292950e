/** How far the feed is behind: the time since each active filter was last read successfully. */
import type { Instant } from '../clock.ts';
import type { FilterId, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { groupActiveByFilter } from './poll-inputs.ts';
import { listFollowers, readFeedState, readFilterState } from './poll-state.ts';

export interface FilterLag {
  readonly filter: FilterId;
  /** Since the last successful read, or since the first current follower subscribed. */
  readonly lagMs: number;
  readonly isFailing: boolean;
}

/**
 * Includes filters with a follower that is neither paused nor stopped. If no channel can pay, the lag grows
 * on purpose.
 */
export async function readFilterLags(
  tx: ReadTransaction,
  team: TeamId,
  at: Instant,
): Promise<readonly FilterLag[]> {
  const active = groupActiveByFilter(await listFollowers(tx, team), at);
  const feed = await readFeedState(tx, team);
  const lags: FilterLag[] = [];
  for (const [filter, followers] of active) {
    const state = await readFilterState(tx, team, filter);
    const since = Math.min(...followers.map(({ createdAt }) => createdAt));
    lags.push({
      filter,
      lagMs: Math.max(0, at - Math.max(state.lastGoodAt ?? 0, since)),
      isFailing: feed.trouble !== undefined || state.trouble !== undefined,
    });
  }
  return lags;
}
