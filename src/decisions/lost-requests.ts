/** What a decision has cost, if the answers to some of its requests were lost: known later, or never. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { Key, ReadTransaction, Transaction } from '../storage/store.ts';
import { type DecisionCost, findDecision, listOutcomes, recordOutcome, toCost } from './decisions.ts';

type CreditCost = Pick<DecisionCost, 'credits' | 'uncertainCredits'>;

export interface LostRequest {
  /** undefined: nothing can prove it any more. */
  readonly credits: number | undefined;
  /** What was reserved for it. */
  readonly atMost: number;
}

const LOST = 'lost-request';

interface CostSoFar {
  readonly cost: CreditCost;
  /** How the decision's work has ended: what was uncertain then is in `cost`. */
  readonly endedAs: string | undefined;
}

async function readCostSoFar(tx: ReadTransaction, audit: Key): Promise<CostSoFar> {
  const decision = await findDecision(tx, audit);
  const outcomes = decision ? await listOutcomes(tx, decision) : [];
  const cost = outcomes.findLast((it) => it.cost)?.cost ?? {};
  return { cost, endedAs: outcomes.findLast(({ result }) => result !== LOST)?.result };
}

/** The cost of a decision's lost requests, as far as settled before it ended. */
export async function readLostCost(tx: ReadTransaction, audit: Key): Promise<CreditCost> {
  return (await readCostSoFar(tx, audit)).cost;
}

/** Adds a lost request to the decision's cost. The latest outcome has the whole cost. */
export async function recordLostRequest(
  tx: Transaction,
  audit: Key,
  { credits, atMost }: LostRequest,
  at: Instant,
): Promise<void> {
  const { cost, endedAs } = await readCostSoFar(tx, audit);
  // Its end has said so.
  if (credits === undefined && endedAs !== undefined) return;
  const known = (cost.credits ?? 0) + (credits ?? 0);
  const before = cost.uncertainCredits ?? 0;
  const settled = endedAs === undefined ? 0 : atMost;
  const uncertain = credits === undefined ? before + atMost : Math.max(0, before - settled);
  await recordOutcome(tx, audit, at, {
    result: endedAs ?? LOST,
    words:
      credits === undefined
        ? `a request without an answer may have cost up to ${atMost} credits`
        : `a request without an answer cost ${credits} of at most ${atMost} credits`,
    ...omitUndefined({ cost: toCost({ credits: known, uncertainCredits: uncertain || undefined }) }),
  });
}
