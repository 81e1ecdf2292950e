/**
 * Personal follow: people's own rules on what the channels' filters find anyway. It reads nothing from the
 * marketplace, so it costs no credits.
 */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import type { FoundForChannels, NamedFilter, ProjectFollowers } from '../feed/feed.ts';
import { listFiltersOfChannels } from '../feed/poll-state.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import { addDays, isTimezone, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import type { Transaction } from '../storage/store.ts';
import {
  deleteDueMatches,
  type FollowContext,
  followedPostId,
  listActiveFollowers,
  Memberships,
  type ReadMembership,
} from './context.ts';
import {
  checkOldestFollower,
  expandNextFind,
  findNextDue,
  listDuePeople,
  releaseDueMatches,
} from './deliver.ts';
import { mergePlaces, RuleMatcher } from './match-rules.ts';
import {
  type Follower,
  type FollowRule,
  followers,
  followFinds,
  followMatches,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
} from './records.ts';

export { isFollowerMuted, type Membership } from './context.ts';
export { type Follower, MAX_FOLLOW_RULES, MAX_FOLLOWERS } from './records.ts';

export type FollowTarget = Pick<FollowRule, 'filter' | 'rules'>;

/** `full`: the person has the most rules; `crowded`: the team the most people. Neither changes anything. */
export type FollowOutcome = 'added' | 'same' | 'full' | 'crowded';

function isSameTarget(a: FollowTarget, b: FollowTarget): boolean {
  return a.filter === b.filter && a.rules === b.rules;
}

/** The next projects count, not those found before. @param target rules must be parsed (`parseRules`) */
function addFollowRule(
  { store, clock }: FollowContext,
  user: UserId,
  target: FollowTarget,
): Promise<FollowOutcome> {
  return store.transact(async (tx) => {
    const known = await tx.get(followers, [user]);
    const everyone = await tx.list(followers, { limit: MAX_FOLLOWERS });
    if (!known && everyone.length >= MAX_FOLLOWERS) return 'crowded';
    const stored: Follower = known ?? { user, rules: [], checkedAt: clock.now() };
    // The person was just seen in Slack.
    const { goneSince: _, ...follower } = stored;
    if (follower.rules.some((each) => isSameTarget(each, target))) return 'same';
    if (follower.rules.length >= MAX_FOLLOW_RULES) return 'full';
    const rules = [...follower.rules, { ...target, at: clock.now() }];
    await tx.put<Follower>(followers, [user], { ...follower, rules });
    return 'added';
  });
}

/** Ends one rule, or all. With the last one, everything about what the person follows is deleted. */
function endFollowRules({ store }: FollowContext, user: UserId, which: FollowTarget | 'all'): Promise<void> {
  return store.transact(async (tx) => {
    const key = [user] as const;
    const follower = await tx.get(followers, key);
    if (!follower) return;
    const rules = follower.rules.filter((rule) => which !== 'all' && !isSameTarget(rule, which));
    if (rules.length > 0) return tx.put(followers, key, { ...follower, rules });
    await tx.delete(followers, key);
    await deleteDueMatches(tx, user);
  });
}

/** Nothing that is found while muted comes later. Changes nothing if the person follows nothing. */
function muteFollower({ store }: FollowContext, user: UserId, muted: Follower['muted']): Promise<void> {
  return store.transact(async (tx) => {
    const known = await tx.get(followers, [user]);
    if (!known) return;
    const { muted: _, ...follower } = known;
    await tx.put<Follower>(followers, [user], muted ? { ...follower, muted } : follower);
  });
}

/** One slow answer of Slack must not hold up the others. */
const PARALLEL = 5;
const RETRY_MS = 5 * SECOND;
const CHECK_MS = MINUTE;
const SHORTEST_WAIT_MS = 500;
/** For commands: a person who just joined a channel may follow its filters. */
const JUST_ASKED_MS = 10 * SECOND;

/** Expands what was found, sends what is due, and checks people's memberships once a minute. */
class FollowLoop {
  readonly #context: FollowContext;
  readonly #wake = new WakeSignal();
  /** Monotonic time. */
  #checkAt = 0;

  constructor(context: FollowContext) {
    this.#context = context;
    context.store.onCommit([followFinds, followMatches, followers], () => this.#wake.wake());
  }

  run(signal: AbortSignal): Promise<void> {
    const step = (ending: AbortSignal) => this.#step(ending);
    return runLoop(this.#context, { name: 'Follow', step, retryAfterMs: RETRY_MS }, signal);
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    while (!signal.aborted && (await expandNextFind(this.#context)));
    if (!signal.aborted) await this.#sendDue();
    if (!signal.aborted && clock.monotonicNow() >= this.#checkAt) {
      this.#checkAt = clock.monotonicNow() + CHECK_MS;
      await checkOldestFollower(this.#context);
    }
    await this.#wake.wait(clock, await this.#restMs(), signal);
  }

  async #sendDue(): Promise<void> {
    const users = [...(await listDuePeople(this.#context, this.#context.clock.now()))];
    for (let from = 0; from < users.length; from += PARALLEL) {
      const turn = users.slice(from, from + PARALLEL);
      await Promise.all(turn.map((user) => releaseDueMatches(this.#context, user)));
    }
  }

  async #restMs(): Promise<number> {
    const { clock } = this.#context;
    const untilCheck = this.#checkAt - clock.monotonicNow();
    const due = await findNextDue(this.#context);
    if (due === undefined) return Math.max(SHORTEST_WAIT_MS, untilCheck);
    return Math.max(SHORTEST_WAIT_MS, Math.min(untilCheck, due - clock.now()));
  }
}

async function noteFound(tx: Transaction, found: FoundForChannels): Promise<void> {
  const { project, filter, channels, at, since } = found;
  const key = [project] as const;
  const before = await tx.get(followFinds, key);
  const places = channels.map((channel) => ({ channel, filter }));
  await tx.put(followFinds, key, {
    project,
    places: mergePlaces(before?.places ?? [], places),
    at: before?.at ?? at,
    since: Math.max(before?.since ?? since, since),
  });
}

export type FollowService = ReturnType<typeof createFollowService>;

/** @param parts `readMembership` asks Slack */
export function createFollowService(
  parts: Omit<FollowContext, 'memberships' | 'matcher'> & { readonly readMembership: ReadMembership },
) {
  const { store, clock, readMembership } = parts;
  const memberships = new Memberships(readMembership, clock);
  const context: FollowContext = { ...parts, memberships, matcher: new RuleMatcher() };
  const loop = new FollowLoop(context);
  return {
    follow: addFollowRule.bind(null, context),
    unfollow: endFollowRules.bind(null, context),
    setMuted: muteFollower.bind(null, context),
    /** Shows the project's card as it is now in the message that the person got about it. */
    refreshMessage: (user: UserId, project: ProjectKey) =>
      store.transact((tx) => markPostChanged(tx, followedPostId(user, project))),
    readFollower: (user: UserId) => store.read((tx) => tx.get(followers, [user])),
    /** From Slack's answer of the last minutes. undefined: Slack doesn't say now. */
    readMembership: (user: UserId) => memberships.read(user, JUST_ASKED_MS),
    /** The filters whose projects these channels get, by ID. */
    listFollowableFilters: (channels: ReadonlySet<ChannelId>) =>
      store.read((tx): Promise<readonly NamedFilter[]> => listFiltersOfChannels(tx, channels)),
    /** For the feed. */
    projectFollowers: {
      hasAny: async (tx) => (await listActiveFollowers(tx)).length > 0,
      noteFound,
    } satisfies ProjectFollowers,
    /** Sends what people follow until `signal` aborts. Never throws. */
    run: (signal: AbortSignal) => loop.run(signal),
  };
}

/** Minute of the day. */
const MORNING = 9 * 60;

/** Until 9:00 of the next day where the person is. */
export function muteUntilTomorrow(at: Instant, timezone: string): NonNullable<Follower['muted']> {
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  return { until: localTimeToInstant(addDays(localTime(at, zone).day, 1), MORNING, zone) };
}
