/** Makes one purchase for a person: reserve, call, settle. */
import type { Instant } from '../clock.ts';
import type { CreditsService } from '../credits/create-credits.ts';
import {
  getReservedFromBudget,
  markReservationUnansweredWithRetries,
  type PurchaseRecord,
} from '../credits/credits.ts';
import { type ChannelId, createTimestampedId, type ProjectKey, type UserId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import type { Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';

export type PurchaseFailure =
  | {
      readonly kind: 'no-budget';
      readonly left: number;
      /**
       * Credits reserved for requests in flight or without an answer; free again at the reset at the latest.
       */
      readonly held?: number;
      readonly needs: number;
      readonly resetsAt: Instant;
      /** The reset is due, but no answer has confirmed it yet. */
      readonly isOver?: true;
      /** No admin has confirmed the channel: `left` is from the budget that all such channels share. */
      readonly isShared?: true;
    }
  | {
      readonly kind: 'account-spent';
      readonly remaining: number;
      readonly until?: Instant;
      /** It may be a trial, whose credits don't renew. */
      readonly looksLikeTrial?: true;
    }
  /** `error.code` 'not-found' means that there is no such project (or result). */
  | {
      readonly kind: 'failed';
      readonly error: MarketplaceError;
      /** The time of that answer, if no new request was sent. */
      readonly askedAt?: Instant;
    };

export interface PurchaseCost {
  readonly charged: number;
  /** If the answer is incomplete: the maximum possible cost, including earlier lost tries. */
  readonly atMost?: number;
}

export interface Buyer {
  readonly channel: ChannelId;
  readonly user: UserId;
}

/** Who waits for a lookup: a person, or nobody (a link preview). */
export type LookupLane = 'person' | 'unfurl';

export interface ProjectsContext
  extends Pick<Workspace, 'store' | 'marketplace' | 'clock' | 'random' | 'log'> {
  readonly credits: CreditsService;
  readonly gate: Pick<RequestGate, 'status'>;
  /** A uid turned out to be this project's: both names mean one project from now on. */
  readonly onLinked?: (tx: Transaction, project: ProjectKey) => Promise<void>;
}

interface PurchaseRequest<T> {
  readonly buyer: Buyer;
  readonly lane: LookupLane;
  readonly purchase: PurchaseRecord;
  /** The maximum price; smaller amounts are useless. */
  readonly amount: number;
  readonly callMarketplace: () => Promise<T>;
  /** Runs in the transaction that records the price. */
  readonly recordPurchase?: (tx: Transaction, answer: T) => Promise<void>;
}

type PurchaseResult<T> = { readonly kind: 'bought'; readonly answer: T; readonly cost: PurchaseCost };

/** @throws StorageError; the reservation then stays until a later answer proves the real cost. */
export async function makePurchase<T extends { readonly credits: ResponseCredits }>(
  context: ProjectsContext,
  order: PurchaseRequest<T>,
): Promise<PurchaseResult<T> | PurchaseFailure> {
  const { endpoint, subject } = order.purchase;
  const id = createTimestampedId(`${endpoint}:${subject}`, context.clock.now(), context.random);
  const refused = await reserveOrLearn(context, order, id);
  if (refused) return refused;
  let answer: T;
  try {
    answer = await order.callMarketplace();
  } catch (error) {
    return settleFailure(context, order, id, error);
  }
  const { atMost } = await recordOrLeave(context, id, async (tx) => {
    const settlement = await context.credits.settleReservation(tx, id, answer.credits, context.clock.now());
    await order.recordPurchase?.(tx, answer);
    return settlement;
  });
  const cost = { charged: answer.credits.consumed, atMost };
  return { kind: 'bought', answer, cost };
}

/** If storing fails, the error reaches the person at once. Background retries mark the reservation. */
async function recordOrLeave<T>(
  context: ProjectsContext,
  id: string,
  record: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await context.store.transact(record);
  } catch (thrown) {
    void markReservationUnansweredWithRetries(context, id);
    throw thrown;
  }
}

/** If unanswered requests hold the needed credits, refreshes the balance once. */
async function reserveOrLearn<T>(context: ProjectsContext, order: PurchaseRequest<T>, id: string) {
  const refused = await reserve(context, order, id);
  const isFreed =
    refused?.isHeldUp === true && (await refreshBalanceForPurchase(context, order.buyer, order.lane));
  return isFreed ? (await reserve(context, order, id))?.why : refused?.why;
}

function reserve<T>(context: ProjectsContext, order: PurchaseRequest<T>, id: string) {
  const { credits, store } = context;
  const { buyer, purchase, amount } = order;
  const { channel, user } = buyer;
  const at = context.clock.now();
  return store.transact(async (tx): Promise<{ why: PurchaseFailure; isHeldUp?: true } | undefined> => {
    const asked = { id, purchase, channels: [channel], user, maxCredits: amount, minCredits: amount, at };
    const reserved = await credits.reserveCredits(tx, asked);
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
  { buyer, amount: needs }: PurchaseRequest<T>,
  at: Instant,
): Promise<PurchaseFailure> {
  const budget = await credits.readBudgetState(tx, buyer.channel, at);
  const { available: left, pool, period } = budget;
  const { resetsAt } = period;
  const isOver = period.isOver || undefined;
  const held = getReservedFromBudget(budget);
  return { kind: 'no-budget', left, held, needs, resetsAt, isOver, isShared: pool && true };
}

async function settleFailure<T>(
  context: ProjectsContext,
  order: PurchaseRequest<T>,
  id: string,
  error: unknown,
): Promise<PurchaseFailure> {
  const { credits, log } = context;
  const at = context.clock.now();
  const isRefusal = error instanceof MarketplaceError && error.effect === 'none';
  if (isRefusal && error.code === 'credits-depleted') return refuseDepleted(context, id, error);
  await recordOrLeave(context, id, (tx) =>
    isRefusal ? credits.releaseReservation(tx, id) : credits.markUnanswered(tx, id, at),
  );
  if (!(error instanceof MarketplaceError)) throw error;
  log.warn('Project request failed', { ...order.purchase, code: error.code, effect: error.effect });
  return { kind: 'failed', error };
}

async function refuseDepleted(context: ProjectsContext, id: string, { details }: MarketplaceError) {
  const { credits, clock } = context;
  const at = clock.now();
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = details;
  return recordOrLeave(context, id, async (tx): Promise<PurchaseFailure> => {
    await credits.recordCreditsDepleted(tx, id, { remaining, resetsAt }, at);
    const account = await credits.readAccountState(tx, at);
    const until = resetsAt ?? (account.confirmed ? account.resetsAt : undefined);
    const { looksLikeTrial } = account;
    return { kind: 'account-spent', remaining: remaining ?? 0, until, looksLikeTrial };
  });
}

/** How many ledger entries to search for a lookup. */
const SOUGHT = 200;

async function orderQuestion(context: ProjectsContext, tx: Transaction, { channel, user }: Buyer) {
  const { credits, clock, random } = context;
  const at = clock.now();
  const { period } = await credits.readBudgetState(tx, channel, at);
  const ledger = await credits.readLedger(tx, { limit: SOUGHT });
  const subject = ledger.find((entry) => entry.purchase.endpoint === 'lookup' && entry.at >= period.startsAt)
    ?.purchase.subject;
  if (subject === undefined) return undefined;
  const id = createTimestampedId(`balance:${subject}`, at, random);
  const purchase = { endpoint: 'lookup', subject } as const;
  const asked = { id, purchase, channels: [channel], user, maxCredits: 1, minCredits: 0, at };
  if ((await credits.reserveCredits(tx, asked)).kind !== 'reserved') return undefined;
  return { id, project: subject.startsWith('~') ? { ciphertext: subject } : { uid: subject } };
}

/** @returns whether the balance was refreshed; false if no free lookup is known, or if it fails */
async function refreshBalanceForPurchase(context: ProjectsContext, buyer: Buyer, lane: LookupLane) {
  const { store, credits, marketplace, clock, log } = context;
  const question = await store.transact((tx) => orderQuestion(context, tx, buyer));
  if (!question) return false;
  const { id, project } = question;
  try {
    const answer = await marketplace.lookUpProject(project, { lane });
    await store.transact((tx) => credits.settleReservation(tx, id, answer.credits, clock.now()));
    return true;
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      void markReservationUnansweredWithRetries(context, id);
      throw thrown;
    }
    const { code, effect } = thrown;
    log.warn("Couldn't read the credit balance", { code, effect });
    await store.transact((tx) =>
      effect === 'none' ? credits.releaseReservation(tx, id) : credits.markUnanswered(tx, id, clock.now()),
    );
    return false;
  }
}
