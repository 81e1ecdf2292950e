/** Which rules of a channel concern a bid, and the week that it counts for. Pure. */
import { listDollarAmounts } from '../base/amounts.ts';
import type { Instant } from '../clock.ts';
import type { UserId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { addDays, isTimezone, localTime } from '../schedule/local-time.ts';
import type { SecondNeed, SecondReason } from './hold.ts';
import type { CapExceeded, SpendingRules } from './spending.ts';

function leastOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Rules that hold all that either of them asks for. Caps are those of `own`. */
export function joinRules(own: SpendingRules, other: SpendingRules): SpendingRules {
  return {
    ...own,
    cancelSeconds: Math.max(own.cancelSeconds, other.cancelSeconds),
    newClients: own.newClients || other.newClients,
    approvals: Math.max(own.approvals, other.approvals),
    notByAsker: own.notByAsker || other.notByAsker,
    amountAbove: leastOf(own.amountAbove, other.amountAbove),
    connectsAbove: leastOf(own.connectsAbove, other.connectsAbove),
  };
}

/** What a bid costs and who the client is, as far as known. */
export interface OrderFacts {
  /** The bid's amount. */
  readonly amount?: number | undefined;
  /** Its price in connects, without the boost. */
  readonly price?: number | undefined;
  /** The boost in connects; missing: unknown, because the job was made elsewhere. */
  readonly boost?: number | undefined;
  /** Missing: unknown. */
  readonly client?: Pick<ListedProject['client'], 'totalHires' | 'totalSpent' | 'totalSpentLabel'>;
}

function findAmountReason({ amountAbove }: SpendingRules, { amount }: OrderFacts): SecondReason | undefined {
  if (amountAbove === undefined) return undefined;
  if (amount === undefined) return 'amount-unknown';
  return amount > amountAbove ? 'amount' : undefined;
}

function findConnectsReason(
  { connectsAbove }: SpendingRules,
  { price, boost }: OrderFacts,
): SecondReason | undefined {
  if (connectsAbove === undefined) return undefined;
  if ((price ?? 0) + (boost ?? 0) > connectsAbove) return 'connects';
  return price === undefined || boost === undefined ? 'connects-unknown' : undefined;
}

function findClientReason({ newClients }: SpendingRules, { client }: OrderFacts): SecondReason | undefined {
  const { totalHires = 0, totalSpent, totalSpentLabel } = client ?? {};
  const spent = totalSpent ?? Math.max(0, ...listDollarAmounts(totalSpentLabel));
  return newClients && totalHires <= 0 && spent <= 0 ? 'new-client' : undefined;
}

/** Why the rules ask for a second approval; empty: they don't. What is unknown needs one, too. */
export function findSecondReasons(rules: SpendingRules, facts: OrderFacts): readonly SecondReason[] {
  const reasons = [
    findAmountReason(rules, facts),
    findConnectsReason(rules, facts),
    findClientReason(rules, facts),
  ];
  return reasons.filter((reason) => reason !== undefined);
}

/**
 * @param others the rules of other channels that found the project: the strictest of all hold
 * @param askers who want a job approved; empty for a bid, which its sender asks for
 */
export function findSecondNeed(
  own: SpendingRules,
  others: readonly SpendingRules[],
  facts: OrderFacts,
  askers: readonly UserId[] = [],
): SecondNeed | undefined {
  const rules = others.reduce(joinRules, own);
  const reasons = findSecondReasons(rules, facts);
  if (reasons.length === 0) return undefined;
  const not = rules.notByAsker ? askers : [];
  const isElsewhere =
    findSecondReasons(own, facts).length < reasons.length || rules.approvals > own.approvals;
  return { needed: rules.approvals, reasons: isElsewhere ? [...reasons, 'elsewhere'] : reasons, not };
}

/** What a bid adds to its week. An unknown price counts once it is known. */
export function countConnects({ price = 0, boost = 0 }: OrderFacts): number {
  return price + boost;
}

/** The Monday of the week, as a day. A zone that this machine doesn't know counts as UTC. */
export function findWeek(at: Instant, timezone: string): string {
  const { day, weekday } = localTime(at, isTimezone(timezone) ? timezone : 'UTC');
  return addDays(day, 1 - weekday);
}

/**
 * Whether a bid fits under a cap. Once the cap is used up, a bid of an unknown price doesn't fit either.
 * @param used this week, without the bid
 */
export function findExceededCap(
  of: CapExceeded['of'],
  cap: number | undefined,
  used: number,
  asks: number,
): Omit<CapExceeded, 'isElsewhere'> | undefined {
  if (cap === undefined || used + Math.max(asks, 1) <= cap) return undefined;
  return { kind: 'over-cap', of, cap, used, asks };
}

const WARNED_AT = 0.8;

/** Whether a week has used so much of its cap that people are warned. */
export function isNearCap(cap: number | undefined, used: number): cap is number {
  return cap !== undefined && used > 0 && used >= cap * WARNED_AT;
}
