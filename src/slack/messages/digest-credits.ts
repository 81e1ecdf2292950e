/** What a digest says of credits and connects. */
import { SMALLEST_PAGE } from '../../credits/book.ts';
import type { DigestFacts } from '../../digests/facts.ts';
import { count, number } from '../blocks/numbers.ts';
import { trialFact } from './credits-advice.ts';
import { beforeText, daysUntil, dayText } from './digest-times.ts';
import { meter } from './meter.ts';
import { line, lines } from './parts.ts';

/** `, 3 days before the reset`; nothing where the reset comes the same day. */
function aheadText(runsOutAt: number, { credits, timezone }: DigestFacts): string {
  const days = daysUntil(runsOutAt, credits.resetsAt, timezone);
  return days > 0 ? `, ${count(days, 'day')} before the reset` : '';
}

function resetText(facts: DigestFacts): string {
  return `the reset ${resetDay(facts)}`;
}

function resetDay({ credits, timezone }: DigestFacts): string {
  return `${dayText(credits.resetsAt, timezone)}${credits.confirmed ? '' : ' (assumed)'}`;
}

/** What is left does not buy a page of projects any more. */
export function isUsedUp({ credits: { limit, settled } }: DigestFacts): boolean {
  return limit !== 'unlimited' && limit - settled < SMALLEST_PAGE;
}

function channelForecast(facts: DigestFacts): string {
  const { limit, runsOutAt, isEarly } = facts.credits;
  if (isUsedUp(facts))
    return `too little for a page: new projects wait for ${resetText(facts)} or a raise (\`/gig budget\`)`;
  if (runsOutAt !== undefined)
    return `at this pace used up ${dayText(runsOutAt, facts.timezone)}${aheadText(runsOutAt, facts)}`;
  return limit === 'unlimited' || isEarly ? '' : `enough until ${resetText(facts)} at this pace`;
}

function accountForecast(facts: DigestFacts): string | undefined {
  const { accountLeft, accountRunsOutAt, accountLooksLikeTrial } = facts.credits;
  const left = accountLeft === undefined ? undefined : `${number(accountLeft)} left`;
  const ends =
    accountRunsOutAt === undefined
      ? undefined
      : `used up ${dayText(accountRunsOutAt, facts.timezone)} at this pace${accountLooksLikeTrial ? '' : aheadText(accountRunsOutAt, facts)}`;
  const all = line(left, ends, accountLooksLikeTrial && trialFact(resetDay(facts)));
  return all && `Account: ${all}`;
}

/** `312 of 500 credits spent`, `312 credits spent`. */
export function spentOf({ credits: { settled, limit, isShared } }: DigestFacts): string {
  if (limit === 'unlimited') return `${count(settled, 'credit')} spent`;
  const of = `${number(settled)} of ${count(limit, 'credit')}`;
  return isShared ? `${of} shared by unconfirmed channels spent` : `${of} spent`;
}

/** Whether the credits are no reason to look: what is left lasts until the reset. */
export function creditsLast(facts: DigestFacts): boolean {
  const { runsOutAt, accountRunsOutAt } = facts.credits;
  return !isUsedUp(facts) && runsOutAt === undefined && accountRunsOutAt === undefined;
}

/** In half a sentence, why the credits are a reason to look. */
export function creditsTrouble(facts: DigestFacts): string {
  const own = channelForecast(facts);
  if (isUsedUp(facts) || facts.credits.runsOutAt !== undefined) return own;
  return accountForecast(facts) ?? '';
}

/** mrkdwn. */
export function creditsText(facts: DigestFacts): string {
  const { limit, settled, spent } = facts.credits;
  const isAll = spent === 0 || spent >= settled;
  const since = beforeText(facts.from, facts.to, facts.timezone);
  const bar = limit === 'unlimited' ? 'no limit of its own' : meter(settled, limit);
  return lines(
    `:coin: *${spentOf(facts)}*${isAll ? '' : `, ${number(spent)} of them since ${since}`}`,
    line(bar, channelForecast(facts)),
    accountForecast(facts),
  );
}

/** `3 proposals sent for 48 connects, told for 2 of them · boost 10`; undefined where nothing was sent. */
export function connectsText({ connects }: DigestFacts): string | undefined {
  if (!connects || connects.proposals === 0) return undefined;
  const { proposals, spent, boost, priced = proposals } = connects;
  const known = priced < proposals ? `, told for ${number(priced)} of them` : '';
  const price = priced > 0 ? ` for ${count(spent, 'connect')}${known}` : '';
  return line(
    `:outbox_tray: *${count(proposals, 'proposal')} sent*${price}`,
    boost > 0 ? `boost ${number(boost)}` : undefined,
  );
}
