/**
 * Refreshes the account's balance for free when a purchase is blocked. It repeats a lookup already paid for
 * in this billing period; the answer releases the credits that unanswered requests hold.
 */
import { markReservationUnansweredWithRetries } from '../credits/credits-service.ts';
import { createTimestampedId } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Transaction } from '../storage/store.ts';
import type { ProjectsContext } from './context.ts';
import type { Buyer, LookupLane } from './project-service.ts';

/** How many ledger entries to search for a lookup. */
const SOUGHT = 200;

interface Question {
  readonly id: string;
  readonly project: ProjectReference;
}

async function orderQuestion(
  context: ProjectsContext,
  tx: Transaction,
  { channel, user }: Buyer,
): Promise<Question | undefined> {
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

/**
 * @returns whether the balance was refreshed; false when no free lookup is known, or when the request fails.
 */
export async function refreshBalanceForPurchase(
  context: ProjectsContext,
  buyer: Buyer,
  lane: LookupLane,
): Promise<boolean> {
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
