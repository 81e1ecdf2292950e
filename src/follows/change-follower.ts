/** Changes what a person follows, each in one transaction. */
import type { UserId } from '../ids.ts';
import { deleteDueMatches, type FollowContext, followerKey } from './context.ts';
import {
  type Follower,
  type FollowOutcome,
  type FollowTarget,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
} from './follows.ts';
import { followers } from './records.ts';

function isSameTarget(a: FollowTarget, b: FollowTarget): boolean {
  return a.filter === b.filter && a.rules === b.rules;
}

export function addFollowRule(
  { team, store, clock }: FollowContext,
  user: UserId,
  target: FollowTarget,
): Promise<FollowOutcome> {
  return store.transact(async (tx) => {
    const known = await tx.get(followers, followerKey(team, user));
    const everyone = await tx.list(followers, { prefix: [team], limit: MAX_FOLLOWERS });
    if (!known && everyone.length >= MAX_FOLLOWERS) return 'crowded';
    const stored: Follower = known ?? { team, user, rules: [], checkedAt: clock.now() };
    // The person was just seen in Slack.
    const { goneSince: _, ...follower } = stored;
    if (follower.rules.some((each) => isSameTarget(each, target))) return 'same';
    if (follower.rules.length >= MAX_FOLLOW_RULES) return 'full';
    const rules = [...follower.rules, { ...target, at: clock.now() }];
    await tx.put<Follower>(followers, followerKey(team, user), { ...follower, rules });
    return 'added';
  });
}

export function endFollowRules(
  { team, store }: FollowContext,
  user: UserId,
  which: FollowTarget | 'all',
): Promise<void> {
  return store.transact(async (tx) => {
    const key = followerKey(team, user);
    const follower = await tx.get(followers, key);
    if (!follower) return;
    const rules = follower.rules.filter((rule) => which !== 'all' && !isSameTarget(rule, which));
    if (rules.length > 0) return tx.put(followers, key, { ...follower, rules });
    await tx.delete(followers, key);
    await deleteDueMatches(tx, team, user);
  });
}

export function muteFollower(
  { team, store }: FollowContext,
  user: UserId,
  muted: Follower['muted'],
): Promise<void> {
  return store.transact(async (tx) => {
    const known = await tx.get(followers, followerKey(team, user));
    if (!known) return;
    const { muted: _, ...follower } = known;
    await tx.put<Follower>(followers, followerKey(team, user), muted ? { ...follower, muted } : follower);
  });
}
