/** How a team gets more project credits. Kept in one place, since a trial needs different advice. Pure. */
import { TRIAL_CREDITS } from '../../../credits/balance.ts';

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
