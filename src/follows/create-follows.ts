/** Creates personal follow; see follows.ts for the contract. */
import { WakeSignal } from '../base/wake-signal.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import type { FoundForChannels, NamedFilter } from '../feed/feed.ts';
import { listFiltersOfChannels } from '../feed/poll-state.ts';
import type { UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { Transaction } from '../storage/store.ts';
import { addFollowRule, endFollowRules, muteFollower } from './change-follower.ts';
import { type FollowContext, followedPostId, followerKey, listActiveFollowers } from './context.ts';
import {
  checkOldestFollower,
  expandNextFind,
  findNextDue,
  listDuePeople,
  releaseDueMatches,
} from './deliver.ts';
import type { FollowService, ReadMembership } from './follows.ts';
import { mergePlaces, RuleMatcher } from './match-rules.ts';
import { Memberships } from './memberships.ts';
import { followers, followFinds, followMatches } from './records.ts';

/** One slow answer of Slack must not hold up the others. */
const PARALLEL = 5;
const RETRY_MS = 5 * SECOND;
const CHECK_MS = MINUTE;
const SHORTEST_WAIT_MS = 500;
/** For commands: a person who just joined a channel may follow its filters. */
const JUST_ASKED_MS = 10 * SECOND;

async function inTurns(users: readonly UserId[], work: (user: UserId) => Promise<void>): Promise<void> {
  for (let from = 0; from < users.length; from += PARALLEL)
    await Promise.all(users.slice(from, from + PARALLEL).map(work));
}

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
    const users = await listDuePeople(this.#context, this.#context.clock.now());
    await inTurns([...users], (user) => releaseDueMatches(this.#context, user));
  }

  async #restMs(): Promise<number> {
    const { clock } = this.#context;
    const untilCheck = this.#checkAt - clock.monotonicNow();
    const due = await findNextDue(this.#context);
    if (due === undefined) return Math.max(SHORTEST_WAIT_MS, untilCheck);
    return Math.max(SHORTEST_WAIT_MS, Math.min(untilCheck, due - clock.now()));
  }
}

async function noteFound({ team }: FollowContext, tx: Transaction, found: FoundForChannels): Promise<void> {
  const { project, filter, channels, at, since } = found;
  const key = [team, project] as const;
  const before = await tx.get(followFinds, key);
  const places = channels.map((channel) => ({ channel, filter }));
  await tx.put(followFinds, key, {
    team,
    project,
    places: mergePlaces(before?.places ?? [], places),
    at: before?.at ?? at,
    since: Math.max(before?.since ?? since, since),
  });
}

/** @param parts `readMembership` asks Slack */
export function createFollowService(
  parts: Omit<FollowContext, 'memberships' | 'matcher'> & { readonly readMembership: ReadMembership },
): FollowService {
  const { team, store, clock, readMembership } = parts;
  const memberships = new Memberships(readMembership, clock);
  const context: FollowContext = { ...parts, memberships, matcher: new RuleMatcher() };
  const loop = new FollowLoop(context);
  return {
    follow: (user, target) => addFollowRule(context, user, target),
    unfollow: (user, which) => endFollowRules(context, user, which),
    setMuted: (user, muted) => muteFollower(context, user, muted),
    refreshMessage: (user, project) =>
      store.transact((tx) => markPostChanged(tx, team, followedPostId(user, project))),
    readFollower: (user) => store.read((tx) => tx.get(followers, followerKey(team, user))),
    readMembership: (user) => memberships.read(user, JUST_ASKED_MS),
    listFollowableFilters: (channels) =>
      store.read((tx): Promise<readonly NamedFilter[]> => listFiltersOfChannels(tx, team, channels)),
    projectFollowers: {
      hasAny: async (tx) => (await listActiveFollowers(tx, team)).length > 0,
      noteFound: (tx, found) => noteFound(context, tx, found),
    },
    run: (signal) => loop.run(signal),
  };
}
