/** One purchase for a person: reserve, call, settle. */
import type { Instant } from '../clock.ts';
import { heldOf, type Purchase } from '../credits/book.ts';
import { leaveOnRecord } from '../credits/leave-on-record.ts';
import { momentId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { CreditsAnswer } from '../marketplace/schema.ts';
import { known } from '../marketplace/wire-values.ts';
import type { Transaction } from '../storage/store.ts';
import type { ProjectsContext } from './context.ts';
import { learnBalance } from './learn-balance.ts';
import type { Buyer, Cost, LookupLane, NotBought } from './purchases.ts';

export interface Order<T> {
  readonly buyer: Buyer;
  readonly lane: LookupLane;
  readonly purchase: Purchase;
  /** What it costs at the most; nothing smaller is of use. */
  readonly amount: number;
  readonly call: () => Promise<T>;
  /** Kept in the same transaction as the price. */
  readonly keep?: (tx: Transaction, answer: T) => Promise<void>;
}

export type Bought<T> = { readonly kind: 'bought'; readonly answer: T; readonly cost: Cost };

/** @throws StorageError; then what was reserved stays so until a later answer proves what it cost. */
export async function buy<T extends { readonly credits: CreditsAnswer }>(
  context: ProjectsContext,
  order: Order<T>,
): Promise<Bought<T> | NotBought> {
  const id = newReservationId(context, order.purchase);
  const refused = await reserveOrLearn(context, order, id);
  if (refused) return refused;
  let answer: T;
  try {
    answer = await order.call();
  } catch (error) {
    return settleFailure(context, order, id, error);
  }
  const { atMost } = await recordOrLeave(context, id, async (tx) => {
    const settlement = await context.credits.settle(tx, id, answer.credits, context.clock.now());
    await order.keep?.(tx, answer);
    return settlement;
  });
  const cost = { charged: answer.credits.consumed, ...(atMost === undefined ? {} : { atMost }) };
  return { kind: 'bought', answer, cost };
}

/** Nobody waits for the leaving: the person hears at once that it failed. */
async function recordOrLeave<T>(
  context: ProjectsContext,
  id: string,
  record: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await context.store.transact(record);
  } catch (thrown) {
    void leaveOnRecord(context, id);
    throw thrown;
  }
}

function newReservationId({ clock, random }: ProjectsContext, { endpoint, subject }: Purchase): string {
  return momentId(`${endpoint}:${subject}`, clock.now(), random);
}

/** Where requests without an answer stand in the way, the balance is asked for, once. */
async function reserveOrLearn<T>(
  context: ProjectsContext,
  order: Order<T>,
  id: string,
): Promise<NotBought | undefined> {
  const refused = await reserve(context, order, id);
  const isFreed = refused?.isHeldUp === true && (await learnBalance(context, order.buyer, order.lane));
  return isFreed ? (await reserve(context, order, id))?.why : refused?.why;
}

interface Refused {
  readonly why: NotBought;
  readonly isHeldUp?: true;
}

function reserve<T>(context: ProjectsContext, order: Order<T>, id: string): Promise<Refused | undefined> {
  const { credits, store } = context;
  const { buyer, purchase, amount } = order;
  const at = context.clock.now();
  return store.transact(async (tx) => {
    const reserved = await credits.reserve(tx, {
      id,
      purchase,
      channels: [buyer.channel],
      user: buyer.user,
      want: amount,
      atLeast: amount,
      at,
    });
    switch (reserved.kind) {
      case 'reserved':
        return undefined;
      case 'account-spent':
        return { why: reserved };
      case 'unanswered':
        return { why: await notAffordable(context, tx, order, at), isHeldUp: true };
      case 'no-budget':
        return { why: await notAffordable(context, tx, order, at) };
    }
  });
}

async function notAffordable<T>(
  { credits }: ProjectsContext,
  tx: Transaction,
  { buyer, amount: needs }: Order<T>,
  at: Instant,
): Promise<NotBought> {
  const budget = await credits.budget(tx, buyer.channel, at);
  const { available: left, pool, period } = budget;
  const { resetsAt, isOver } = period;
  return {
    kind: 'no-budget',
    left,
    held: heldOf(budget),
    needs,
    resetsAt,
    ...(isOver ? { isOver } : {}),
    ...(pool ? { isShared: true } : {}),
  };
}

async function settleFailure<T>(
  context: ProjectsContext,
  order: Order<T>,
  id: string,
  error: unknown,
): Promise<NotBought> {
  const { credits, log } = context;
  const at = context.clock.now();
  const isRefusal = error instanceof MarketplaceError && error.effect === 'none';
  if (isRefusal && error.code === 'credits-depleted') return refuseDepleted(context, id, error);
  await recordOrLeave(context, id, (tx) =>
    isRefusal ? credits.release(tx, id) : credits.leaveUnanswered(tx, id, at),
  );
  if (!(error instanceof MarketplaceError)) throw error;
  log.warn('Project request failed', { ...order.purchase, code: error.code, effect: error.effect });
  return { kind: 'failed', error };
}

async function refuseDepleted(
  context: ProjectsContext,
  id: string,
  { details }: MarketplaceError,
): Promise<NotBought> {
  const { credits, clock } = context;
  const at = clock.now();
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = details;
  const told = {
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
  return recordOrLeave(context, id, async (tx) => {
    await credits.refuseDepleted(tx, id, told, at);
    const account = await credits.account(tx, at);
    const until = resetsAt ?? (account.confirmed ? account.resetsAt : undefined);
    const { looksLikeTrial } = account;
    return { kind: 'account-spent', remaining: remaining ?? 0, ...known({ until, looksLikeTrial }) };
  });
}
