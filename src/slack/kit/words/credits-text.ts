/** What credits cost, why there are too few, and how a team gets more: a trial has its own advice. Pure. */
import { TRIAL_CREDITS } from '../../../credits/balance.ts';
import type { PurchaseCost, PurchaseFailure } from '../../../projects/projects.ts';
import { capitalize } from '../block-builders.ts';
import { codeText, formatDate } from '../mrkdwn.ts';
import { formatCount } from '../numbers.ts';

/** The account data that the advice depends on. */
export interface AccountTrialStatus {
  readonly looksLikeTrial?: true | undefined;
}

const TRIAL = `its ${TRIAL_CREDITS} credits don't renew`;

/**
 * Never certain: a paid account that started nearly empty looks the same, so the text includes the renewal
 * date if there is one.
 * @param renews the formatted date on which a paid plan's credits renew
 */
export function trialAdvice(renews?: string): string {
  const paid = renews === undefined ? '' : ` If you already have one, its credits renew ${renews}.`;
  return `This looks like a trial account: ${TRIAL}. You need a paid plan to get more.${paid}`;
}

/** The short form, shown in place of the reset date. */
export function trialStatusText(renews?: string): string {
  const paid = renews === undefined ? '' : ` (on a paid plan they renew ${renews})`;
  return `looks like a trial: ${TRIAL}${paid}`;
}

/** What to do when the account runs out. @param account missing: unknown, so the advice covers both cases */
export function moreCreditsAdvice(account?: AccountTrialStatus, renews?: string): string {
  if (account?.looksLikeTrial) return trialAdvice(renews);
  const wait = renews === undefined ? 'wait until credits renew' : `wait until credits renew ${renews}`;
  if (account) return `Top up in the dashboard, or ${wait}.`;
  return (
    `On a paid plan, top up in the dashboard or ${wait}. ` +
    `A trial's ${TRIAL_CREDITS} credits don't renew: you need a paid plan to get more.`
  );
}

export function chargedCreditsText({ charged, atMost }: PurchaseCost): string {
  if (atMost !== undefined) return `Charged to this channel: at most ${formatCount(atMost, 'credit')}.`;
  return charged === 0
    ? 'No credits charged.'
    : `Charged to this channel: ${formatCount(charged, 'credit')}.`;
}

type InsufficientCredits = Exclude<PurchaseFailure, { kind: 'failed' }>;

function left(credits: number): string {
  return credits > 0 ? formatCount(credits, 'credit') : 'no credits';
}

function accountSpentText(it: Extract<InsufficientCredits, { kind: 'account-spent' }>): string {
  const { remaining, until, looksLikeTrial } = it;
  const what =
    `The marketplace account has ${left(remaining)} ` +
    `left${remaining > 0 ? ", which isn't enough for this" : ''}.`;
  const resets = until === undefined ? undefined : formatDate(until);
  if (looksLikeTrial) return `${what} ${trialAdvice(resets)}`;
  return (
    `${what}${resets === undefined ? '' : ` They renew ${resets}.`} The account owner can top up in the ` +
    'dashboard.'
  );
}

export function insufficientCreditsText(outcome: InsufficientCredits): string {
  if (outcome.kind === 'account-spent') return accountSpentText(outcome);
  const { held = 0, needs } = outcome;
  const reset = formatDate(outcome.resetsAt);
  const { isShared } = outcome;
  const raise = isShared
    ? `an admin can give this channel its own budget with ${codeText('/gig budget <credits>')}`
    : `an admin can raise it with ${codeText('/gig budget <credits>')}`;
  const may = `This may cost ${formatCount(needs, 'credit')}, but`;
  const has = isShared
    ? `${may} the budget shared by unconfirmed channels has ${left(outcome.left)} left. ` +
      'No admin has confirmed this channel.'
    : `${may} this channel has ${left(outcome.left)} left.`;
  const budget = isShared ? 'The shared budget' : 'The budget';
  if (outcome.left + held >= needs)
    return (
      `${has} ${formatCount(held, 'credit')} ${held === 1 ? 'is' : 'are'} reserved for requests that got ` +
      `no response. A late response may release them, and the reset ${reset} will. ${capitalize(raise)}.`
    );
  if (outcome.isOver)
    return (
      `${has} ${budget} was due to reset ${reset}, but the marketplace hasn't confirmed that yet. ` +
      `Try again in 5 minutes, or ${raise}.`
    );
  return `${has} ${budget} resets ${reset}. ${capitalize(raise)}.`;
}
