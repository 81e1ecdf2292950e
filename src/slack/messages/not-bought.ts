/** Why projects could not be bought, in words. */
import type { NotBought } from '../../projects/purchases.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { trialAdvice } from './credits-advice.ts';
import { codeText } from './mistake.ts';

export type Unaffordable = Exclude<NotBought, { kind: 'failed' }>;

function left(credits: number): string {
  return credits > 0 ? count(credits, 'credit') : 'no credits';
}

function accountSpentText(it: Extract<Unaffordable, { kind: 'account-spent' }>): string {
  const { remaining, until, looksLikeTrial } = it;
  const what = `The marketplace account has ${left(remaining)} left${remaining > 0 ? ', too few for this' : ''}.`;
  const resets = until === undefined ? undefined : date(until);
  if (looksLikeTrial) return `${what} ${trialAdvice(resets)}`;
  return `${what}${resets === undefined ? '' : ` They reset ${resets}.`} The account owner can top up in the dashboard.`;
}

export function notBoughtText(outcome: Unaffordable): string {
  if (outcome.kind === 'account-spent') return accountSpentText(outcome);
  const { held = 0, needs } = outcome;
  const reset = date(outcome.resetsAt);
  const { isShared } = outcome;
  const raise = isShared
    ? `an admin can give this channel a budget of its own with ${codeText('/gig budget <credits>')}`
    : `an admin can raise it with ${codeText('/gig budget <credits>')}`;
  const has = isShared
    ? `No admin has confirmed this channel. All unconfirmed channels share a budget with ${left(outcome.left)} left`
    : `This channel has ${left(outcome.left)} left`;
  if (outcome.left + held >= needs)
    return `${has}, and this may take ${number(needs)}: ${count(held, 'credit')} ${held === 1 ? 'is' : 'are'} held for requests without an answer. A later answer may free them, the reset ${reset} does; ${raise}.`;
  if (outcome.isOver)
    return `${has}, and this may take ${number(needs)}. ${isShared ? 'It' : 'Its budget'} was due to reset ${reset}, but the marketplace hasn't confirmed that yet. Try again in 5 minutes, or ${raise}.`;
  return `${has}, and this may take ${number(needs)}. ${isShared ? 'It' : 'Its budget'} resets ${reset}; ${raise}.`;
}
