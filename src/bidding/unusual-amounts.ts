/** Amounts of a bid that look like a typing mistake. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { budgetType, listBudgetAmounts } from '../query/project-rules.ts';
import type { BidRequest } from './records.ts';

/** More than this many times the client's budget: a bid that high hardly wins. */
const ABOVE = 3;
/** At most the budget divided by this: a digit is missing. */
const BELOW = 10;
/** In dollars, where the client names no budget. */
const HIGH = { hourly: 300, fixed: 50_000 } as const;
/** In connects. The API names no price for a boost: it only comes on top of the bid's own. */
const HIGH_BOOST = 100;

export interface UnusualAmount {
  readonly field: 'bidAmount' | 'boostConnects';
  readonly value: number;
  /** Missing: it is high for any project. */
  readonly compared?: 'above-budget' | 'below-budget';
}

function findUnusualBid(amount: number, budget: ListedProject['budget']): UnusualAmount | undefined {
  const named = listBudgetAmounts(budget);
  const unusual = { field: 'bidAmount', value: amount } as const;
  if (named.length === 0) {
    const high = HIGH[budgetType(budget) ?? 'fixed'];
    return amount > high ? unusual : undefined;
  }
  if (amount > ABOVE * Math.max(...named)) return { ...unusual, compared: 'above-budget' };
  return amount * BELOW <= Math.min(...named) ? { ...unusual, compared: 'below-budget' } : undefined;
}

/** @param budget of the client, as far as known */
export function findUnusualAmounts(
  { bidAmount, boostConnects }: Pick<BidRequest, 'bidAmount' | 'boostConnects'>,
  budget: ListedProject['budget'],
): readonly UnusualAmount[] {
  const bid = bidAmount === undefined ? undefined : findUnusualBid(bidAmount, budget);
  const hasHighBoost = boostConnects !== undefined && boostConnects > HIGH_BOOST;
  return [
    ...(bid ? [bid] : []),
    ...(hasHighBoost ? [{ field: 'boostConnects', value: boostConnects } as const] : []),
  ];
}
