/** The response clock of a workspace. */
import { type Instant, MINUTE } from '../clock.ts';
import type { Card } from '../feed/records.ts';
import { ChannelId, type UserId } from '../ids.ts';
import type { Post } from '../outbox/posts.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import {
  cardChanges,
  clearNotedMutes,
  listCardChanges,
  listWatchedChannels,
  type WatchedChannel,
} from '../sources/card-changes.ts';
import { type ReadTransaction, scanRecordsInPages, type Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { type ClockRules, newClock, phaseOf, stepClock } from './clocks.ts';
import { closeEndedItems, closeItems } from './ended-items.ts';
import { gatherResponseTimes, type MeasuredPeriod } from './gather-times.ts';
import { type ClockContext, postDueStages, readClockRules } from './post-stages.ts';
import { extendClaim, markItemDone, showItemEnd, snoozeStages } from './press-stages.ts';
import { type ResponseClock, responseClocks } from './records.ts';
import {
  type CardDeadlines,
  type ClockPlace,
  changePlan,
  type FindUnavailable,
  type ResponsePlan,
  readResponseSettings,
} from './response.ts';
import { findClaimExpiry, findClockStart, listStageTargets } from './stages.ts';
import { findPostedAt, readWatchedCard } from './watched-cards.ts';
import { addWorkingTime } from './working-time.ts';

interface ResponseContext extends ClockContext, Pick<Workspace, 'store' | 'clock'> {
  readonly findUnavailable: FindUnavailable;
}

/** Per transaction, which delays other writers. */
const CHANGES_AT_ONCE = 50;

async function stepAndStore(
  tx: Transaction,
  stored: ResponseClock | undefined,
  clock: ResponseClock,
  rules: ClockRules,
): Promise<void> {
  const card = await readWatchedCard(tx, clock, rules.channel);
  // A muted card's clock goes on, in case the mute is undone: its next stage sees whether it is.
  const isMuted = card?.over?.what === 'muted';
  const step = stepClock(clock, isMuted ? { ...card, state: 'open' } : card, rules);
  // What is due is sent in a moment, by its own step.
  const stepped = step.kind === 'due' ? { ...clock, dueAt: rules.now } : step.clock;
  const next = await closeEndedItems(tx, stepped, card, rules.plan);
  if (JSON.stringify(next) === JSON.stringify(stored)) return;
  await tx.put(responseClocks, next);
}

/**
 * A bid ends a clock, or a warning: then the claim's time starts again. Otherwise, the clock sees it when
 * its next stage is due.
 */
async function followBid(tx: Transaction, clock: ResponseClock, rules: ClockRules): Promise<void> {
  const card = await readWatchedCard(tx, clock, rules.channel);
  const next = await closeEndedItems(tx, clock, card, rules.plan);
  if (card?.state === 'ended' || next !== clock) await stepAndStore(tx, clock, next, rules);
}

/** @returns whether there may be more changes */
function followCardChanges(context: ResponseContext): Promise<boolean> {
  const { store, clock } = context;
  return store.transact(async (tx) => {
    const now = clock.now();
    const changes = await listCardChanges(tx, CHANGES_AT_ONCE);
    for (const change of changes) {
      const { channel, post, at } = change;
      await tx.delete(cardChanges, cardChanges.key(change));
      const rules = await readClockRules(tx, context, channel, now);
      if (!rules) continue;
      const before = await tx.get(responseClocks, [channel, post]);
      if (at !== undefined) await stepAndStore(tx, before, before ?? newClock(channel, post, at), rules);
      else if (before) await followBid(tx, before, rules);
    }
    return changes.length === CHANGES_AT_ONCE;
  });
}

/** Passes a channel's clocks to `visit`, some in each transaction. @param index byOpen: with open messages */
async function visitClocks(
  context: ResponseContext,
  channel: ChannelId,
  index: 'byDue' | 'byOpen',
  visit: (tx: Transaction, clock: ResponseClock, rules: ClockRules | undefined) => Promise<unknown>,
): Promise<void> {
  const { store, clock } = context;
  const posts: ResponseClock['post'][] = [];
  const range = { index, prefix: [channel] } as const;
  await scanRecordsInPages(store, responseClocks, range, async (_, page) => {
    posts.push(...page.map(({ post }) => post));
  });
  for (let from = 0; from < posts.length; from += CHANGES_AT_ONCE)
    await store.transact(async (tx) => {
      const rules = await readClockRules(tx, context, channel, clock.now());
      for (const post of posts.slice(from, from + CHANGES_AT_ONCE)) {
        const found = await tx.get(responseClocks, [channel, post]);
        if (found) await visit(tx, found, rules);
      }
    });
}

/** Finds the next stage of every running clock again: after a change of the settings or of the wall clock. */
function refreshClocks(
  context: ResponseContext,
  channel: ChannelId,
  change: (clock: ResponseClock, now: Instant) => ResponseClock = (it) => it,
): Promise<void> {
  return visitClocks(context, channel, 'byDue', async (tx, running, rules) => {
    if (rules) return stepAndStore(tx, running, change(running, rules.now), rules);
    const closed = await closeItems(tx, running, () => ({ what: 'off' }));
    return tx.put(responseClocks, closed);
  });
}

async function followMutes(context: ResponseContext, watched: WatchedChannel): Promise<void> {
  await visitClocks(context, watched.channel, 'byOpen', async (tx, clock, rules) => {
    if (!rules) return;
    const card = await readWatchedCard(tx, clock, rules.channel);
    const next = await closeEndedItems(tx, clock, card, rules.plan);
    if (next !== clock) await tx.put(responseClocks, next);
  });
  await context.store.transact((tx) => clearNotedMutes(tx, watched));
}

async function postDueStagesIn(context: ResponseContext, channel: ChannelId, signal: AbortSignal) {
  const { store, clock, findUnavailable } = context;
  const settings = await store.read((tx) => readResponseSettings(tx, channel));
  const named = settings ? listStageTargets('nudge', settings) : [];
  const unavailable = named.length > 0 ? await findUnavailable(channel, named) : new Set<string>();
  let isMore = true;
  while (isMore && !signal.aborted)
    isMore = await store.transact((tx) => postDueStages(tx, context, channel, unavailable, clock.now()));
}

function createStageJob(context: ResponseContext): ScheduledJob {
  const { store } = context;
  let lastRun: Instant | undefined;
  return {
    name: 'response clock',
    async runIfDue(at, signal) {
      while (!signal.aborted && (await followCardChanges(context)));
      const watched = await store.read(listWatchedChannels);
      for (const each of watched) if (each.newMutes && !signal.aborted) await followMutes(context, each);
      // Clocks that began in a future that never came wait too long.
      if (lastRun === undefined || at < lastRun - MINUTE)
        for (const { channel } of watched) await refreshClocks(context, channel);
      lastRun = at;
      for (const { channel } of watched) {
        if (signal.aborted) return;
        const range = { index: 'byDue', prefix: [channel], to: [at + 1], limit: 1 };
        const due = await store.read((tx) => tx.list(responseClocks, range));
        if (due.length > 0) await postDueStagesIn(context, channel, signal);
      }
    },
  };
}

/**
 * What a card shows of its clock. Every moment is fixed until the card changes: Slack shows how much time is
 * left, so no message is edited because time passes.
 * @param card of an invitation, with its arrival as `publishedAt`
 * @returns undefined if the channel's clock is off, or the card never has one
 */
async function readDeadlines(
  context: ClockContext,
  tx: ReadTransaction,
  shown: Post,
  card: Partial<Pick<Card, 'claim' | 'firstClaim' | 'skip' | 'sharedBy' | 'publishedAt' | 'postedAt'>>,
): Promise<CardDeadlines | undefined> {
  const { claim, firstClaim, publishedAt, postedAt } = card;
  if (card.skip !== undefined || card.sharedBy !== undefined) return undefined;
  const channel = ChannelId.parse(shown.channel);
  // The moment doesn't matter: neither do pauses, for a deadline.
  const rules = await readClockRules(tx, context, channel, 0);
  if (!rules) return undefined;
  const { plan, work } = rules;
  // Targets are for cards that were posted on their own at once, not for those of a summary.
  const hasTargets = postedAt !== undefined && shown.bundle === undefined;
  const start = hasTargets ? findClockStart(publishedAt, findPostedAt(shown, postedAt)) : undefined;
  const dueBy = (minutes: number) =>
    start === undefined ? undefined : addWorkingTime(start, minutes * MINUTE, work);
  // A card that comes back has no target: its first one is over.
  if (!claim) return { claimBy: firstClaim ? undefined : dueBy(plan.claimTarget) };
  const clock = await tx.get(responseClocks, [channel, shown.id]);
  // An extended claim counts from its extension.
  const isExtended = clock && clock.phase === phaseOf({ claim }) && clock.extended > 0;
  const bidBy = dueBy(plan.bidTarget);
  return {
    bidBy: bidBy !== undefined && bidBy > claim.at ? bidBy : undefined,
    claimExpiresAt: findClaimExpiry(isExtended ? clock.since : claim.at, plan, work),
  };
}

export type ResponseService = ReturnType<typeof createResponseService>;

export function createResponseService(context: ResponseContext) {
  const { store, clock } = context;
  return {
    /** undefined: never saved. */
    readSettings: (channel: ChannelId) => store.read((tx) => readResponseSettings(tx, channel)),
    /** Changes only what differs between `shown` and `wanted`. */
    async changePlan(
      channel: ChannelId,
      choices: { readonly shown: ResponsePlan; readonly wanted: ResponsePlan },
      by: UserId,
    ) {
      const outcome = await store.transact((tx) => changePlan(tx, { channel, by, at: clock.now() }, choices));
      // Clocks that stood still begin again; otherwise only their next stage may have moved.
      const isRestart = !outcome.wasOn && outcome.plan.isOn;
      if (outcome.changed.length > 0)
        await refreshClocks(context, channel, (it, now) => (isRestart ? { ...it, since: now } : it));
      return outcome;
    },
    /** Restarts the time of a claim. Only for the person who claimed it, or an admin. */
    extendClaim: (place: ClockPlace, who: { readonly by: UserId; readonly mayExtendOthers: boolean }) =>
      store.transact((tx) => extendClaim(tx, context, place, { ...who, at: clock.now() })),
    /** Postpones the next stages of an unclaimed card. */
    snooze: (place: ClockPlace, by: UserId) =>
      store.transact((tx) => snoozeStages(tx, context, place, { by, at: clock.now() })),
    /** Shows on the stage's message that a person claimed the card there. */
    noteClaim: (place: ClockPlace, by: UserId) =>
      store.transact((tx) => markItemDone(tx, place, { by, what: 'claimed' })),
    /** Shows on the stage's message what happened to the card, if its buttons lead nowhere now. */
    showEnd: (place: ClockPlace) => store.transact((tx) => showItemEnd(tx, place)),
    /** Inside delivery's transaction. */
    readDeadlines: readDeadlines.bind(null, context),
    /** How fast the channel was; reads no more than the period. */
    readTimes: (channel: ChannelId, period: MeasuredPeriod) => gatherResponseTimes(context, channel, period),
    /** Every minute: sends the stages that are due, and releases expired claims. */
    job: createStageJob(context),
  };
}
