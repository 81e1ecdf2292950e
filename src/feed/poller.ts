/** The loop: whenever the gate has room, the filter that is worth most is read; up to three at once. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { isClockRight } from '../clock-watch.ts';
import { asError } from '../errors.ts';
import type { FilterId } from '../ids.ts';
import type { Permit } from '../marketplace/gate.ts';
import { backgroundPlaces } from '../marketplace/gate-window.ts';
import { Bell } from './bell.ts';
import { type FeedFacts, readFacts } from './candidates.ts';
import { clearOldWhenDue } from './clear-old.ts';
import type { FeedContext } from './context.ts';
import { type BalanceOrder, learnBalance } from './learn-balance.ts';
import { orderPoll, type PollOrder } from './order-poll.ts';
import { pollFilter } from './poll-filter.ts';
import { type Candidate, choosePoll, longestWaitMs, type Plan } from './poll-plan.ts';
import { tellOwed } from './tell-owed.ts';
import { retryAt } from './trouble.ts';

/** One slow answer holds up nobody. */
const MOST_UNDER_WAY = 3;
const LONGEST_SLEEP_MS = MINUTE;
const LONGEST_BLOCK_MS = 10 * MINUTE;
const AFTER_FAULT_MS = 5 * SECOND;
/** At shutdown answers are waited for this long: what they cost is known then. */
const DRAIN_MS = 8 * SECOND;

/** Learning the balance is no poll; it is not done over and over while it helps nobody. */
const AFTER_BALANCE_MS = 5 * SECOND;

type Task = PollOrder | BalanceOrder;

interface Block {
  readonly until: Instant;
  /** What others have reserved stands in the way: over when one of them ends. */
  readonly untilPollEnds: boolean;
  /** Its own channel can't pay for a backfill: no reason to leave what is new unread. */
  readonly onlyBackfill?: boolean;
}

export class Poller {
  readonly #context: FeedContext;
  readonly #bell = new Bell();
  readonly #underWay = new Map<FilterId, Promise<void>>();
  readonly #blocked = new Map<FilterId, Block>();
  #owedAt: Instant | undefined;

  constructor(context: FeedContext) {
    this.#context = context;
  }

  wake(): void {
    this.#blocked.clear();
    this.#owedAt = undefined;
    this.#bell.ring();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const drained = new AbortController();
    const callOff = { drain: () => {} };
    const stop = () => {
      callOff.drain = clock.after(DRAIN_MS, () => drained.abort());
    };
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      try {
        await this.#turn(signal, drained.signal);
      } catch (thrown) {
        if (signal.aborted) break;
        log.error('Feed loop failed, retrying', { error: asError(thrown) });
        await this.#bell.wait(clock, AFTER_FAULT_MS, signal);
      }
    }
    await Promise.all(this.#underWay.values());
    callOff.drain();
  }

  async #turn(signal: AbortSignal, drained: AbortSignal): Promise<void> {
    const { store, team, gate, clock, clockGuard } = this.#context;
    // By a wrong time new projects would be the past, and another billing period would begin.
    if (clockGuard && !(await isClockRight(clockGuard)))
      return this.#bell.wait(clock, LONGEST_SLEEP_MS, signal);
    const facts = await store.read((tx) => readFacts(tx, team, clock.now()));
    await this.#keepHouse(facts, signal);
    const plan = this.#plan(facts);
    if (!plan.choice) {
      await this.#bell.wait(clock, this.#sleepMs(plan, facts), signal);
      return;
    }
    const permit = await gate.enter('feed', { signal });
    let order: Task | undefined;
    try {
      order = signal.aborted ? undefined : await this.#order();
    } finally {
      if (!order) permit.cancel();
    }
    if (order) this.#send(order, permit, drained);
  }

  /** Cards that are owed, now and then and whenever something may have changed; old records, once a day. */
  async #keepHouse(facts: FeedFacts, signal: AbortSignal): Promise<void> {
    const now = this.#context.clock.now();
    if (this.#owedAt === undefined || Math.abs(now - this.#owedAt) >= LONGEST_SLEEP_MS) {
      this.#owedAt = now;
      await tellOwed(this.#context, facts.channels, signal);
    }
    await clearOldWhenDue(this.#context, signal);
  }

  #plan(facts: FeedFacts): Plan {
    const now = this.#context.clock.now();
    if (this.#underWay.size >= MOST_UNDER_WAY) return {};
    if (facts.trouble) {
      // One probe at a time, until something is answered.
      if (this.#underWay.size > 0) return {};
      const lookAgainAt = retryAt(facts.trouble, now);
      if (lookAgainAt > now) return { lookAgainAt };
    }
    const free = facts.candidates.flatMap((each) =>
      this.#underWay.has(each.filter) ? [] : [this.#asBlocked(each, now)],
    );
    // In everyone's trouble a filter that has none of its own is the better probe: the trouble may be another's alone.
    const sound = free.filter((each) => each.notBefore === undefined);
    const probes = facts.trouble && sound.length > 0 ? sound : free;
    return choosePoll(
      probes,
      now,
      longestWaitMs(facts.candidates.length, backgroundPlaces(this.#context.gate.status().limitPerMinute)),
    );
  }

  /** The candidate without what is blocked of it. */
  #asBlocked(candidate: Candidate, now: Instant): Candidate {
    const block = this.#blocked.get(candidate.filter);
    // Farther off than any block: the clock was set back.
    if (!block || block.until <= now || block.until > now + LONGEST_BLOCK_MS) return candidate;
    if (!block.onlyBackfill) {
      return { ...candidate, notBefore: Math.max(block.until, candidate.notBefore ?? 0) };
    }
    if (!candidate.olderIsBackfill) return candidate;
    const { olderSince: _, ...others } = candidate;
    return others;
  }

  #sleepMs(plan: Plan, facts: FeedFacts): number {
    const now = this.#context.clock.now();
    const until = Math.min(
      plan.lookAgainAt ?? Number.POSITIVE_INFINITY,
      facts.pauseEndsAt ?? Number.POSITIVE_INFINITY,
      now + LONGEST_SLEEP_MS,
    );
    return Math.max(1, until - now);
  }

  /** With a place at the gate in hand: decides anew, because waiting for it took its time, and reserves. */
  async #order(): Promise<Task | undefined> {
    const { store, team, clock } = this.#context;
    const facts = await store.read((tx) => readFacts(tx, team, clock.now()));
    const { choice } = this.#plan(facts);
    if (!choice) return undefined;
    const othersUnderWay = this.#underWay.size > 0;
    const ordered = await store.transact((tx) => orderPoll(this.#context, tx, choice, { othersUnderWay }));
    if (ordered.kind === 'order' || ordered.kind === 'balance') return ordered;
    const until = ordered.kind === 'no-budget' ? ordered.until : clock.now() + 10 * SECOND;
    const { onlyBackfill } = ordered;
    this.#blocked.set(choice.filter, { until, untilPollEnds: othersUnderWay, onlyBackfill });
    return undefined;
  }

  async #carryOut(order: Task, permit: Permit, drained: AbortSignal): Promise<void> {
    if (order.kind === 'order') {
      await pollFilter(this.#context, order, permit, drained);
      return;
    }
    await learnBalance(this.#context, order, permit, drained);
    const until = this.#context.clock.now() + AFTER_BALANCE_MS;
    this.#blocked.set(order.filter, { until, untilPollEnds: false });
  }

  #send(order: Task, permit: Permit, drained: AbortSignal): void {
    const { log } = this.#context;
    const { filter } = order;
    const poll = this.#carryOut(order, permit, drained)
      .catch((thrown: unknown) => {
        log.error('Poll failed', { filter, error: asError(thrown) });
        this.#blocked.set(filter, {
          until: this.#context.clock.now() + AFTER_FAULT_MS,
          untilPollEnds: false,
        });
      })
      .then(() => {
        this.#underWay.delete(filter);
        for (const [blocked, { untilPollEnds }] of this.#blocked) {
          if (untilPollEnds) this.#blocked.delete(blocked);
        }
        this.#owedAt = undefined;
        this.#bell.ring();
      });
    this.#underWay.set(filter, poll);
  }
}
