/**
 * Whether an account looks like a trial. The API never names the plan, but a trial's credits have a fixed
 * ceiling. A paid account that was nearly empty from the start looks the same, so this affects texts, never
 * spending. Pure.
 */
import type { CreditAccountRecord } from './records.ts';

/** For the whole trial; they don't renew and can't be topped up. Source: docs/marketplace-api.md, Limits. */
export const TRIAL_CREDITS = 50;

/** The highest known balance of the account ever; undefined before the first. */
export function getHighestEverBalance(account: CreditAccountRecord): number | undefined {
  return account.highestBalance ?? estimateHighest(account);
}

export function looksLikeTrial(account: CreditAccountRecord): boolean {
  const highest = getHighestEverBalance(account);
  return highest !== undefined && highest <= TRIAL_CREDITS;
}

/** Spread into displayed or posted data; empty if it doesn't look like a trial. */
export function buildTrialFields(account: CreditAccountRecord): { readonly looksLikeTrial?: true } {
  return looksLikeTrial(account) ? { looksLikeTrial: true } : {};
}

/** For an account stored before `getHighestEverBalance` existed: the remaining credits plus those spent. */
function estimateHighest({
  balance,
  remaining,
  tally,
  byChannels,
  outside,
}: CreditAccountRecord): number | undefined {
  if (remaining === undefined) return balance;
  // Answers arrive in any order: the lowest balance is the one after all spending.
  return Math.min(remaining, tally.lowest ?? remaining) + byChannels + outside;
}
