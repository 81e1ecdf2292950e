/** Changes what a person follows, each in one transaction. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { UserId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { deleteDueMatches, type FollowContext, followerKey, followMatchKey } from './context.ts';
import {
  type FollowChange,
  type FollowingPerson,
  type FollowOutcome,
  type FollowTarget,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
  type SaveFollowsOutcome,
} from './follows.ts';
import { type Follower, type FollowRule, followers, followMatches } from './records.ts';
import { scheduleMatch } from './schedule.ts';

function isSameTarget(a: FollowTarget, b: FollowTarget): boolean {
  return a.filter === b.filter && a.rules === b.rules;
}

function newFollower({ team, clock }: FollowContext, { user, timezone }: FollowingPerson): Follower {
  return {
    team,
    user,
    rules: [],
    by: 'message',
    revision: 0,
    checkedAt: clock.now(),
    ...omitUndefined({ timezone }),
  };
}

async function isTeamFull(tx: Transaction, { team }: FollowContext): Promise<boolean> {
  return (await tx.list(followers, { prefix: [team], limit: MAX_FOLLOWERS })).length >= MAX_FOLLOWERS;
}

/** The person was just seen in Slack. */
function withPerson(known: Follower, { timezone }: FollowingPerson): Follower {
  const { goneSince: _, ...follower } = known;
  return timezone === undefined ? follower : { ...follower, timezone };
}

async function putFollower(tx: Transaction, follower: Follower): Promise<void> {
  const changed = { ...follower, revision: follower.revision + 1 };
  await tx.put(followers, followerKey(follower.team, follower.user), changed);
}

export function addFollowRule(
  context: FollowContext,
  person: FollowingPerson,
  { filter, rules }: FollowTarget,
): Promise<FollowOutcome> {
  const { team, store, clock } = context;
  return store.transact(async (tx) => {
    const known = await tx.get(followers, followerKey(team, person.user));
    if (!known && (await isTeamFull(tx, context))) return 'crowded';
    const follower = withPerson(known ?? newFollower(context, person), person);
    const target = { rules, ...omitUndefined({ filter }) };
    if (follower.rules.some((each) => isSameTarget(each, target))) return 'same';
    if (follower.rules.length >= MAX_FOLLOW_RULES) return 'full';
    await putFollower(tx, { ...follower, rules: [...follower.rules, { ...target, at: clock.now() }] });
    return 'added';
  });
}

/** Keeps the preferences: the person may follow something else next. */
export function removeFollowRules(
  { team, store }: FollowContext,
  user: UserId,
  ends: (rule: FollowRule) => boolean,
): Promise<readonly FollowRule[]> {
  return store.transact(async (tx) => {
    const follower = await tx.get(followers, followerKey(team, user));
    const ended = follower?.rules.filter(ends) ?? [];
    if (follower && ended.length > 0)
      await putFollower(tx, { ...follower, rules: follower.rules.filter((rule) => !ends(rule)) });
    return ended;
  });
}

export function deleteFollower({ team, store }: FollowContext, user: UserId): Promise<boolean> {
  return store.transact(async (tx) => {
    if (!(await tx.has(followers, followerKey(team, user)))) return false;
    await tx.delete(followers, followerKey(team, user));
    await deleteDueMatches(tx, team, user);
    return true;
  });
}

const BATCH = 200;

/** What is held back comes when it would come if it were found now; muted, it never comes. */
async function rescheduleDue(
  tx: Transaction,
  { team, timezone }: FollowContext,
  follower: Follower,
  at: Instant,
): Promise<void> {
  const range = { index: 'byUser', prefix: [team, follower.user] as const, limit: BATCH };
  for (const { value } of await tx.list(followMatches, range)) {
    const key = followMatchKey(team, value.user, value.project);
    await tx.put(followMatches, key, { ...value, ...scheduleMatch(follower, timezone, at) });
  }
}

export function saveFollower(
  context: FollowContext,
  person: FollowingPerson,
  { revision, rules, preferences }: FollowChange,
): Promise<SaveFollowsOutcome> {
  const { team, store, clock } = context;
  return store.transact(async (tx) => {
    const at = clock.now();
    const known = await tx.get(followers, followerKey(team, person.user));
    if ((known?.revision ?? 0) !== revision) return 'changed';
    if (!known && (await isTeamFull(tx, context))) return 'crowded';
    const before = withPerson(known ?? newFollower(context, person), person);
    const { team: _, user, timezone, checkedAt } = before;
    const follower: Follower = {
      ...preferences,
      team,
      user,
      ...omitUndefined({ timezone }),
      checkedAt,
      revision,
      rules: rules.slice(0, MAX_FOLLOW_RULES).map(({ filter, rules: written }) => {
        const target = { rules: written, ...omitUndefined({ filter }) };
        return { ...target, at: before.rules.find((each) => isSameTarget(each, target))?.at ?? at };
      }),
    };
    await putFollower(tx, follower);
    await rescheduleDue(tx, context, follower, at);
    return 'saved';
  });
}

export function muteFollower(
  context: FollowContext,
  user: UserId,
  muted: Follower['muted'],
): Promise<boolean> {
  const { team, store, clock } = context;
  return store.transact(async (tx) => {
    const known = await tx.get(followers, followerKey(team, user));
    if (!known) return false;
    const { muted: _, ...rest } = known;
    const follower: Follower = muted ? { ...rest, muted } : rest;
    await putFollower(tx, follower);
    if (muted) await rescheduleDue(tx, context, follower, clock.now());
    return true;
  });
}
