/** Why there were too few credits to buy projects. Pure. */
import type { PurchaseFailure } from '../../../projects/project-service.ts';
import { capitalize } from '../block-builders.ts';
import { formatDate } from '../mrkdwn.ts';
import { formatCount } from '../numbers.ts';
import { codeText } from '../query-error.ts';
import { trialAdvice } from './credits-advice.ts';

export type InsufficientCredits = Exclude<PurchaseFailure, { kind: 'failed' }>;

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
