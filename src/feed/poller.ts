/** The feed loop: reads the most valuable filter whenever the request limit allows, up to three at once. */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { FilterId } from '../ids.ts';
import { backgroundSlotLimit, type RequestPermit } from '../marketplace/gate/gate.ts';
import { getRetryTime } from '../sources/failure-rules.ts';
import { type PreparedBalanceCheck, runBalanceCheck } from './balance-check.ts';
import type { FeedContext } from './feed.ts';
import { FilterHints, type HintCounts } from './filter-hints.ts';
import { pollFilter } from './poll-filter.ts';
import { createPollInputsReader, type PollInputs } from './poll-inputs.ts';
import {
  choosePoll,
  computeMaxPollWaitMs,
  countHintTurns,
  type PollCandidate,
  type PollChoice,
  type PollPlan,
} from './poll-plan.ts';
import { postDeferredCards } from './post-deferred-cards.ts';
import { preparePoll, type SentPoll } from './prepare-poll.ts';

/** So that one slow response doesn't block the others. */
const MOST_UNDER_WAY = 3;
const LONGEST_SLEEP_MS = MINUTE;
const LONGEST_BLOCK_MS = 10 * MINUTE;
const AFTER_FAULT_MS = 5 * SECOND;
/** How long shutdown waits for responses, which say what the requests cost. */
const DRAIN_MS = 8 * SECOND;

/** Pause after a balance check, so that it isn't repeated while it doesn't help. */
const AFTER_BALANCE_MS = 5 * SECOND;

type Task = SentPoll | PreparedBalanceCheck;

interface Block {
  readonly until: Instant;
  /** Credits reserved by other polls are missing: the block ends when one of them ends. */
  readonly untilPollEnds: boolean;
  /** Only the backfill's own channel can't pay: new projects are still read. */
  readonly onlyBackfill?: boolean;
}

export class Poller {
  readonly #context: FeedContext;
  readonly #bell = new WakeSignal();
  readonly #inFlight = new Map<FilterId, Promise<void>>();
  readonly #blocked = new Map<FilterId, Block>();
  readonly #hints = new FilterHints();
  readonly #readInputs: () => Promise<PollInputs>;
  #hintTurns = 0;
  #owedAt: Instant | undefined;

  constructor(context: FeedContext) {
    this.#context = context;
    this.#readInputs = createPollInputsReader(context, () => this.#readsPerMinute());
  }

  wake(): void {
    this.#blocked.clear();
    this.#owedAt = undefined;
    this.#bell.wake();
  }

  /** Only remembers them: the loop reads the filters. */
  hint(filters: readonly FilterId[]): HintCounts {
    const counts = this.#hints.add(filters, this.#context.clock.now());
    // A flood wakes the loop once for each read.
    if (counts.accepted > 0) this.#bell.wake();
    return counts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    const drained = new AbortController();
    const callOff = { drain: () => {} };
    const stop = () => {
      callOff.drain = clock.runAfter(DRAIN_MS, () => drained.abort());
    };
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    const step = () => this.#turn(signal, drained.signal);
    const loop = { name: 'Feed', step, retryAfterMs: AFTER_FAULT_MS, wake: this.#bell };
    await runLoop(this.#context, loop, signal);
    await Promise.all(this.#inFlight.values());
    callOff.drain();
  }

  async #turn(signal: AbortSignal, drained: AbortSignal): Promise<void> {
    const { gate, clock } = this.#context;
    const facts = await this.#readInputs();
    this.#hints.setFollowed(new Set(facts.candidates.map(({ filter }) => filter)));
    await this.#keepHouse(facts, signal);
    const plan = this.#plan(facts);
    if (!plan.choice) return this.#bell.wait(clock, this.#sleepMs(plan, facts), signal);
    const permit = await gate.acquirePermit('feed', { signal });
    let order: Task | undefined;
    try {
      order = signal.aborted ? undefined : await this.#order();
    } finally {
      if (!order) permit.cancel();
    }
    if (order) this.#send(order, permit, drained);
  }

  /** Every minute and after changes: reads fit histories, posts deferred cards. */
  async #keepHouse(facts: PollInputs, signal: AbortSignal): Promise<void> {
    const now = this.#context.clock.now();
    if (this.#owedAt === undefined || Math.abs(now - this.#owedAt) >= LONGEST_SLEEP_MS) {
      this.#owedAt = now;
      await this.#context.fitHistories?.refresh(facts.channels);
      await postDeferredCards(this.#context, facts.channels, signal);
    }
  }

  #plan(facts: PollInputs): PollPlan {
    const now = this.#context.clock.now();
    if (this.#inFlight.size >= MOST_UNDER_WAY) return {};
    if (facts.feed.trouble) {
      // One probe at a time until a request succeeds.
      if (this.#inFlight.size > 0) return {};
      const lookAgainAt = getRetryTime(facts.feed.trouble, now);
      if (lookAgainAt > now) return { lookAgainAt };
    }
    this.#hints.judge(now);
    const free = facts.candidates
      .filter(({ filter }) => !this.#inFlight.has(filter))
      .map((each) => ({
        ...this.#asBlocked(each, now),
        hintOrder: this.#hints.getOrder(each.filter),
        reliesOnHints: this.#hints.isReliedOn(each.filter),
      }));
    // During a feed-wide failure, prefer filters without their own failure as probes: the cause may be one
    // filter.
    const sound = free.filter((each) => each.notBefore === undefined);
    const probes = facts.feed.trouble && sound.length > 0 ? sound : free;
    const longestMs = computeMaxPollWaitMs(facts.candidates.length, this.#readsPerMinute());
    return choosePoll(probes, now, longestMs, this.#hintTurns);
  }

  #readsPerMinute(): number {
    return backgroundSlotLimit(this.#context.gate.status().limitPerMinute);
  }

  /** The candidate without its blocked work. */
  #asBlocked(candidate: PollCandidate, now: Instant): PollCandidate {
    const block = this.#blocked.get(candidate.filter);
    // A block further ahead than possible: the clock was set back.
    if (!block || block.until <= now || block.until > now + LONGEST_BLOCK_MS) return candidate;
    if (!block.onlyBackfill)
      return { ...candidate, notBefore: Math.max(block.until, candidate.notBefore ?? 0) };
    return candidate.olderIsBackfill ? { ...candidate, olderSince: undefined } : candidate;
  }

  #sleepMs(plan: PollPlan, facts: PollInputs): number {
    const now = this.#context.clock.now();
    const until = Math.min(
      plan.lookAgainAt ?? Number.POSITIVE_INFINITY,
      facts.pauseEndsAt ?? Number.POSITIVE_INFINITY,
      now + LONGEST_SLEEP_MS,
    );
    return Math.max(1, until - now);
  }

  /** Runs with a permit. Decides again, because waiting for the permit took time, and reserves credits. */
  async #order(): Promise<Task | undefined> {
    const { store, clock } = this.#context;
    const { choice } = this.#plan(await this.#readInputs());
    if (!choice) return undefined;
    const othersUnderWay = this.#inFlight.size > 0;
    const ordered = await store.transact((tx) => preparePoll(this.#context, tx, choice, othersUnderWay));
    if (ordered.kind === 'order' || ordered.kind === 'balance') {
      this.#hintTurns = countHintTurns(this.#hintTurns, choice);
      return ordered.kind === 'order' ? { ...ordered, wasHinted: this.#beginRead(choice) } : ordered;
    }
    const until = ordered.kind === 'no-budget' ? ordered.until : clock.now() + 10 * SECOND;
    const { onlyBackfill } = ordered;
    this.#blocked.set(choice.filter, { until, untilPollEnds: othersUnderWay, onlyBackfill });
    return undefined;
  }

  /** @returns whether a hint waited for this read */
  #beginRead({ work, filter }: PollChoice): boolean {
    const wasHinted = work === 'top' && this.#hints.beginRead(filter);
    if (wasHinted) this.#context.onHintedRead?.();
    return wasHinted;
  }

  async #carryOut(order: Task, permit: RequestPermit, drained: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    if (order.kind === 'order') {
      let found: number | undefined;
      try {
        found = await pollFilter(this.#context, order, permit, drained);
      } finally {
        this.#hints.endRead(order.filter, order.wasHinted, found, clock.now());
      }
      return;
    }
    await runBalanceCheck(this.#context, order, permit, drained);
    const until = clock.now() + AFTER_BALANCE_MS;
    this.#blocked.set(order.filter, { until, untilPollEnds: false });
  }

  #send(order: Task, permit: RequestPermit, drained: AbortSignal): void {
    const { log, clock } = this.#context;
    const { filter } = order;
    const poll = this.#carryOut(order, permit, drained)
      .catch((thrown: unknown) => {
        log.error('Poll failed', { filter, error: asError(thrown) });
        this.#blocked.set(filter, { until: clock.now() + AFTER_FAULT_MS, untilPollEnds: false });
      })
      .then(() => {
        this.#inFlight.delete(filter);
        for (const [blocked, { untilPollEnds }] of this.#blocked)
          if (untilPollEnds) this.#blocked.delete(blocked);
        this.#owedAt = undefined;
        this.#bell.wake();
      });
    this.#inFlight.set(filter, poll);
  }
}
