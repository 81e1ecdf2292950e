/** Why projects could not be bought, in words. */
import type { NotBought } from '../../projects/purchases.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import { codeText } from './mistake.ts';

export type Unaffordable = Exclude<NotBought, { kind: 'failed' }>;

export function notBoughtText(outcome: Unaffordable): string {
  if (outcome.kind === 'account-spent') {
    const until = outcome.until === undefined ? '' : ` They reset ${date(outcome.until)}.`;
    return `The marketplace account has ${count(outcome.remaining, 'credit')} left, too few for this.${until} The account owner can top up in the dashboard.`;
  }
  const raise = `an admin can raise it with ${codeText('/gig budget <credits>')}`;
  return `This takes up to ${count(outcome.needs, 'credit')}, and this channel has ${outcome.left} left. Its budget resets ${date(outcome.resetsAt)}; ${raise}.`;
}
