/**
 * Learning the account's balance without spending: a project that was paid for in this billing period is looked up again.
 * It frees what requests without an answer hold.
 */
import type { Instant, Random } from '../clock.ts';
import { leaveOnRecord } from '../credits/leave-on-record.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Permit } from '../marketplace/gate.ts';
import { readProjectReference } from '../marketplace/project-key.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import { feedStates, filterKey, filters, type SeenProject, seenProjects } from './records.ts';
import { endTrouble, recordTrouble } from './tell-trouble.ts';
import { ruleFor } from './trouble.ts';

export interface BalanceOrder {
  readonly kind: 'balance';
  /** Names the reservation. */
  readonly id: string;
  /** Whose polls wait for it. */
  readonly filter: FilterId;
  readonly project: ProjectReference;
}

/** One of the newest, by chance: a project that the marketplace has taken back tells nothing. */
const AMONG = 10;

interface Known {
  readonly seen: SeenProject;
  readonly project: ProjectReference;
}

async function knownProjects(
  tx: ReadTransaction,
  team: FeedContext['team'],
  random: Random,
): Promise<Known | undefined> {
  const newest = await tx.list(seenProjects, { index: 'byAge', prefix: [team], limit: AMONG, reverse: true });
  const known = newest.flatMap(({ value: seen }) => {
    const project = readProjectReference(seen.project.url);
    return project ? [{ seen, project }] : [];
  });
  return known[Math.floor(random() * known.length)];
}

/** @returns undefined when no project is known, or none that may be asked for. */
export async function orderBalance(
  context: FeedContext,
  tx: Transaction,
  filter: FilterId,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<BalanceOrder | undefined> {
  const { credits, random, team } = context;
  const found = await knownProjects(tx, team, random);
  if (!found) return undefined;
  const { project, seen } = found;
  const { startsAt } = (await credits.budget(tx, channels[0] ?? ('' as ChannelId), at)).period;
  const subject = 'ciphertext' in project ? project.ciphertext : project.uid;
  const id = `balance:${subject}:${at}:${Math.floor(random() * 2 ** 48).toString(36)}`;
  const reserved = await credits.reserve(tx, {
    id,
    purchase: { endpoint: 'lookup', subject },
    channels,
    want: 1,
    // Paid for in this period it costs nothing; else one credit, however often it is tried.
    atLeast: seen.firstSeenAt >= startsAt ? 0 : 1,
    at,
  });
  return reserved.kind === 'reserved' ? { kind: 'balance', id, filter, project } : undefined;
}

/** Sends what was ordered and puts the balance on record. Uses up the permit. */
export async function learnBalance(
  context: FeedContext,
  order: BalanceOrder,
  permit: Permit,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock, marketplace, log } = context;
  try {
    const answer = await marketplace.lookup(order.project, { lane: 'feed', permit, signal });
    await store.transact(async (tx) => {
      const at = clock.now();
      await credits.settle(tx, order.id, answer.credits, at);
      await recover(context, tx, order.filter, at);
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      await leaveOnRecord(context, order.id, signal);
      throw thrown;
    }
    log.warn('the balance could not be learned', { code: thrown.code, status: thrown.details.status });
    await recordFailure(context, order, thrown, signal);
  }
}

async function recordFailure(
  context: FeedContext,
  order: BalanceOrder,
  error: MarketplaceError,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock } = context;
  await store.transact(async (tx) => {
    const at = clock.now();
    if (error.effect === 'none') await credits.release(tx, order.id);
    else await credits.leaveUnanswered(tx, order.id, at);
    // That one project can't be had is no trouble of the feed.
    if (!signal.aborted && ruleFor(error.code).concern !== 'filter')
      await recordTrouble(context, tx, order.filter, error, at);
  });
}

async function recover(context: FeedContext, tx: Transaction, id: FilterId, at: Instant): Promise<void> {
  const { team } = context;
  const filter = await readFilterState(tx, team, id);
  const feed = await readFeedState(tx, team);
  const ended = await endTrouble(context, tx, filter, feed, at);
  if (ended.filter !== filter) await tx.put(filters, filterKey(team, id), ended.filter);
  if (ended.feed !== feed) await tx.put(feedStates, [team], ended.feed);
}
