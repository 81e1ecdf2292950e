/** Credits and connects in a digest. Pure. */
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits-service.ts';
import type { DigestFacts } from '../../digests/facts.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { usageBarText } from '../kit/meter.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { trialStatusText } from '../kit/words/credits-text.ts';
import { daysUntil, formatPastTime, formatShortDate } from '../kit/words/digest-times.ts';

/**
 * `, 3 days before the reset`; empty if the reset is on the same day. @param what `the reset`, or another
 * name for it
 */
function aheadText(runsOutAt: number, { credits, timezone }: DigestFacts, what = 'the reset'): string {
  const days = daysUntil(runsOutAt, credits.resetsAt, timezone);
  return days > 0 ? `, ${formatCount(days, 'day')} before ${what}` : '';
}

function resetText(facts: DigestFacts): string {
  return `the reset ${resetDay(facts)}`;
}

function resetDay({ credits, timezone }: DigestFacts): string {
  return `${formatShortDate(credits.resetsAt, timezone)}${credits.confirmed ? '' : ' (estimated)'}`;
}

/** Too little is left for a page of projects. */
export function isChannelBudgetUsedUp({ credits: { limit, settled } }: DigestFacts): boolean {
  return limit !== 'unlimited' && limit - settled < MIN_PROJECTS_PAGE_SIZE;
}

function channelForecast(facts: DigestFacts): string {
  const { limit, runsOutAt, isEarly } = facts.credits;
  if (isChannelBudgetUsedUp(facts))
    return (
      `too few credits for a page of projects: new ones wait for ${resetText(facts)} or a higher budget ` +
      '(`/gig budget`)'
    );
  if (runsOutAt !== undefined) {
    const day = formatShortDate(runsOutAt, facts.timezone);
    return `runs out ${day} at this pace${aheadText(runsOutAt, facts)}`;
  }
  return limit === 'unlimited' || isEarly ? '' : `lasts until ${resetText(facts)} at this pace`;
}

function accountForecast(facts: DigestFacts): string | undefined {
  const { accountLeft, accountRunsOutAt, accountLooksLikeTrial } = facts.credits;
  const left = accountLeft === undefined ? undefined : `${formatCount(accountLeft, 'credit')} left`;
  const ends =
    accountRunsOutAt === undefined
      ? undefined
      : `run out ${formatShortDate(accountRunsOutAt, facts.timezone)} at this ` +
        `pace${accountLooksLikeTrial ? '' : aheadText(accountRunsOutAt, facts, 'they renew')}`;
  const all = joinFacts(left, ends, accountLooksLikeTrial && trialStatusText(resetDay(facts)));
  return all && `Account: ${all}`;
}

/** `312 of 500 credits spent`, `312 credits spent`. */
export function creditsSpentText({ credits: { settled, limit, isShared } }: DigestFacts): string {
  if (limit === 'unlimited') return `${formatCount(settled, 'credit')} spent`;
  if (!isShared) return `${formatNumber(settled)} of ${formatCount(limit, 'credit')} spent`;
  return `${formatNumber(settled)} of ${formatCount(limit, 'credit')} shared by unconfirmed channels spent`;
}

/** Whether the credits last until the reset, so that they need no attention. */
export function hasCreditsUntilReset(facts: DigestFacts): boolean {
  const { runsOutAt, accountRunsOutAt } = facts.credits;
  return !isChannelBudgetUsedUp(facts) && runsOutAt === undefined && accountRunsOutAt === undefined;
}

/** Why the credits need attention, completes a sentence. */
export function creditsWarningText(facts: DigestFacts): string {
  const own = channelForecast(facts);
  if (isChannelBudgetUsedUp(facts) || facts.credits.runsOutAt !== undefined) return own;
  return accountForecast(facts) ?? '';
}

/** mrkdwn. */
export function digestCreditsText(facts: DigestFacts): string {
  const { limit, settled, spent } = facts.credits;
  const isAll = spent === 0 || spent >= settled;
  const since = formatPastTime(facts.from, facts.to, facts.timezone);
  const bar = limit === 'unlimited' ? 'no channel budget' : usageBarText(settled, limit);
  return joinLines(
    `:coin: *${creditsSpentText(facts)}*${isAll ? '' : `, ${formatNumber(spent)} of them since ${since}`}`,
    joinFacts(bar, channelForecast(facts)),
    accountForecast(facts),
  );
}

/**
 * `3 proposals sent for 48 connects (cost known for 2) · boost: 10 connects`; undefined if none were sent.
 */
export function digestConnectsText({ connects }: DigestFacts): string | undefined {
  if (!connects || connects.proposals === 0) return undefined;
  const { proposals, spent, boost, priced = proposals } = connects;
  const known = priced < proposals ? ` (cost known for ${formatNumber(priced)})` : '';
  const price = priced > 0 ? ` for ${formatCount(spent, 'connect')}${known}` : '';
  return joinFacts(
    `:outbox_tray: *${formatCount(proposals, 'proposal')} sent*${price}`,
    boost > 0 ? `boost: ${formatCount(boost, 'connect')}` : undefined,
  );
}
