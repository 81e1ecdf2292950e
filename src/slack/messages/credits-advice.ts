/** How a team gets more project credits: the only place that says so, since a trial needs other advice. Pure. */
import { TRIAL_CREDITS } from '../../credits/trial.ts';

/** The account as far as the advice depends on it. */
export interface AccountPlan {
  readonly looksLikeTrial?: true | undefined;
}

const TRIAL = `its ${TRIAL_CREDITS} credits don't renew`;

/**
 * Never certain: a paid account that was nearly empty from the start looks the same, so the date is named if there is one.
 * @param renews the date on which a paid plan's credits renew, as it is shown
 */
export function trialAdvice(renews?: string): string {
  const paid = renews === undefined ? '' : ` If you already have one, its credits renew ${renews}.`;
  return `This looks like a trial account: ${TRIAL}. You need a paid plan to get more.${paid}`;
}

/** The same as a fact among others, in place of the date of the reset. */
export function trialStatusText(renews?: string): string {
  const paid = renews === undefined ? '' : ` (on a paid plan they renew ${renews})`;
  return `looks like a trial: ${TRIAL}${paid}`;
}

/** What to do when the account runs out. @param account missing: not known here, so the advice holds for both */
export function moreCreditsAdvice(account?: AccountPlan, renews?: string): string {
  if (account?.looksLikeTrial) return trialAdvice(renews);
  const wait = renews === undefined ? 'wait until credits renew' : `wait until credits renew ${renews}`;
  if (account) return `Top up in the dashboard, or ${wait}.`;
  return `On a paid plan, top up in the dashboard or ${wait}. A trial's ${TRIAL_CREDITS} credits don't renew: you need a paid plan to get more.`;
}
