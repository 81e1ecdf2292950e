/**
 * Whether an account looks like a trial. The API never names the plan, but a trial's credits have a fixed ceiling. A paid
 * account that was nearly empty from the start looks the same, so this decides about words, never about spending. Pure.
 */
import type { CreditAccountRecord } from './records.ts';

/** For the whole trial; they don't renew and can't be topped up. Source: docs/marketplace-api.md, Limits. */
export const TRIAL_CREDITS = 50;

/** The highest balance the account has ever had, as far as known; undefined before the first. */
export function highestBalance(account: CreditAccountRecord): number | undefined {
  return account.highestBalance ?? estimateHighest(account);
}

export function looksLikeTrial(account: CreditAccountRecord): boolean {
  const highest = highestBalance(account);
  return highest !== undefined && highest <= TRIAL_CREDITS;
}

/** Spreads into what is shown or posted: present only where it is so. */
export function buildTrialFields(account: CreditAccountRecord): { readonly looksLikeTrial?: true } {
  return looksLikeTrial(account) ? { looksLikeTrial: true } : {};
}

/** Of an account that was stored before the highest balance was: what is left, and what was spent to get there. */
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
