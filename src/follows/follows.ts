/**
 * Personal follow: people's own rules on what the channels' filters find anyway. It reads nothing from the
 * marketplace, so it costs no credits.
 */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import type { FoundForChannels, ProjectFollowers } from '../feed/feed.ts';
import { listFiltersOfChannels } from '../feed/poll-state.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import { addDays, isTimezone, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import type { Transaction } from '../storage/store.ts';
import { checkOldestFollower, expandNextFind, listDuePeople, releaseDueMatches } from './deliver.ts';
import { mergePlaces, RuleMatcher } from './match-rules.ts';
import { type FollowContext, Memberships, type ReadMembership } from './memberships.ts';
import {
  deleteDueMatches,
  type Follower,
  type FollowRule,
  followedPostId,
  followers,
  followFinds,
  followMatches,
  listActiveFollowers,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
} from './records.ts';

export { type Follower, isFollowerMuted, MAX_FOLLOW_RULES, MAX_FOLLOWERS } from './records.ts';

export type FollowTarget = Pick<FollowRule, 'filter' | 'rules'>;

function isSameTarget(a: FollowTarget, b: FollowTarget): boolean {
  return a.filter === b.filter && a.rules === b.rules;
}

/**
 * The next projects count, not those found before.
 * @param target rules must be parsed (`parseRules`)
 * @returns full: the person has the most rules · crowded: the team the most people. Neither changes anything
 */
function addFollowRule({ store, clock }: FollowContext, user: UserId, target: FollowTarget) {
  return store.transact(async (tx): Promise<'added' | 'same' | 'full' | 'crowded'> => {
    const known = await tx.get(followers, [user]);
    const everyone = await tx.list(followers, { limit: MAX_FOLLOWERS });
    if (!known && everyone.length >= MAX_FOLLOWERS) return 'crowded';
    const follower: Follower = known ?? { user, rules: [], checkedAt: clock.now() };
    if (follower.rules.some((each) => isSameTarget(each, target))) return 'same';
    if (follower.rules.length >= MAX_FOLLOW_RULES) return 'full';
    const rules = [...follower.rules, { ...target, at: clock.now() }];
    // The person was just seen in Slack.
    await tx.put(followers, { ...follower, rules, goneSince: undefined });
    return 'added';
  });
}

/** With the last rule, everything about what the person follows is deleted. */
function endFollowRules({ store }: FollowContext, user: UserId, which: FollowTarget | 'all'): Promise<void> {
  return store.transact(async (tx) => {
    const follower = await tx.get(followers, [user]);
    if (!follower) return;
    const rules = follower.rules.filter((rule) => which !== 'all' && !isSameTarget(rule, which));
    if (rules.length > 0) return tx.put(followers, { ...follower, rules });
    await tx.delete(followers, [user]);
    await deleteDueMatches(tx, user);
  });
}

/** Nothing that is found while muted comes later. Changes nothing if the person follows nothing. */
function muteFollower({ store }: FollowContext, user: UserId, muted: Follower['muted']): Promise<void> {
  return store.transact(async (tx) => {
    const follower = await tx.get(followers, [user]);
    if (follower) await tx.put(followers, { ...follower, muted });
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
    const { store, clock } = this.#context;
    const untilCheck = this.#checkAt - clock.monotonicNow();
    const [next] = await store.read((tx) => tx.list(followMatches, { index: 'byDue', limit: 1 }));
    const untilDue = (next?.value.dueAt ?? Number.POSITIVE_INFINITY) - clock.now();
    return Math.max(SHORTEST_WAIT_MS, Math.min(untilCheck, untilDue));
  }
}

async function noteFound(tx: Transaction, found: FoundForChannels): Promise<void> {
  const { project, filter, channels, at, since } = found;
  const before = await tx.get(followFinds, [project]);
  const places = channels.map((channel) => ({ channel, filter }));
  await tx.put(followFinds, {
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
      store.read((tx) => listFiltersOfChannels(tx, channels)),
    /** For the feed. */
    projectFollowers: {
      hasAny: async (tx) => (await listActiveFollowers(tx)).length > 0,
      noteFound,
    } satisfies ProjectFollowers,
    /** Sends what people follow until `signal` aborts. Never throws. */
    run: (signal: AbortSignal) => loop.run(signal),
  };
}

const MORNING_MINUTE = 9 * 60;

/** Until 9:00 of the next day where the person is. */
export function muteUntilTomorrow(at: Instant, timezone: string): NonNullable<Follower['muted']> {
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  return { until: localTimeToInstant(addDays(localTime(at, zone).day, 1), MORNING_MINUTE, zone) };
}
