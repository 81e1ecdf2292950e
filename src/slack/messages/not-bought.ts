/** Why projects could not be bought, in words. */
import type { NotBought } from '../../projects/purchases.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import { trialAdvice } from './credits-advice.ts';
import { codeText } from './mistake.ts';
import { capital } from './parts.ts';

export type Unaffordable = Exclude<NotBought, { kind: 'failed' }>;

function left(credits: number): string {
  return credits > 0 ? count(credits, 'credit') : 'no credits';
}

function accountSpentText(it: Extract<Unaffordable, { kind: 'account-spent' }>): string {
  const { remaining, until, looksLikeTrial } = it;
  const what = `The marketplace account has ${left(remaining)} left${remaining > 0 ? ", which isn't enough for this" : ''}.`;
  const resets = until === undefined ? undefined : date(until);
  if (looksLikeTrial) return `${what} ${trialAdvice(resets)}`;
  return `${what}${resets === undefined ? '' : ` They renew ${resets}.`} The account owner can top up in the dashboard.`;
}

export function notBoughtText(outcome: Unaffordable): string {
  if (outcome.kind === 'account-spent') return accountSpentText(outcome);
  const { held = 0, needs } = outcome;
  const reset = date(outcome.resetsAt);
  const { isShared } = outcome;
  const raise = isShared
    ? `an admin can give this channel its own budget with ${codeText('/gig budget <credits>')}`
    : `an admin can raise it with ${codeText('/gig budget <credits>')}`;
  const may = `This may cost ${count(needs, 'credit')}, but`;
  const has = isShared
    ? `${may} the budget shared by unconfirmed channels has ${left(outcome.left)} left. No admin has confirmed this channel.`
    : `${may} this channel has ${left(outcome.left)} left.`;
  const budget = isShared ? 'The shared budget' : 'The budget';
  if (outcome.left + held >= needs)
    return `${has} ${count(held, 'credit')} ${held === 1 ? 'is' : 'are'} reserved for requests that got no response. A late response may release them, and the reset ${reset} will. ${capital(raise)}.`;
  if (outcome.isOver)
    return `${has} ${budget} was due to reset ${reset}, but the marketplace hasn't confirmed that yet. Try again in 5 minutes, or ${raise}.`;
  return `${has} ${budget} resets ${reset}. ${capital(raise)}.`;
}
