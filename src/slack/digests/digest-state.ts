/**
 * A digest's lines on credits and feeds, and times in its time zone: everyone in the channel reads the same.
 * Pure.
 */

import type { Button } from '@slack/types';
import { DAY, type Instant } from '../../clock.ts';
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN } from '../../digests/split-digest.ts';
import { FilterId } from '../../ids.ts';
import {
  daysBetween,
  findWeekday,
  formatTimeOfDay,
  isTimezone,
  type LocalDay,
  localTime,
} from '../../schedule/local-time.ts';
import { BUDGET_TOO_LOW } from '../budgets/budgets.ts';
import { describeSlackError } from '../core/failures.ts';
import { capitalize, joinFacts, joinLines } from '../kit/block-builders.ts';
import { commandButton, resumeButton, setBudgetButton } from '../kit/command-button.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, joinWithMore, usageBarText } from '../kit/numbers.ts';
import { trialStatusText } from '../kit/words/credits-text.ts';
import { filterName } from '../kit/words/filters.ts';
import { SHORT_MONTHS, SHORT_WEEKDAYS } from '../kit/words/labels.ts';
import { describeMarketplaceFailure, type FailureDescription } from '../kit/words/marketplace-failure.ts';
import { feedKindText, profileFeedText } from '../kit/words/profiles.ts';
import { describeProfileFailure } from '../subscriptions/subscriptions.ts';

/** `, 3 days before the reset`; empty if the reset is on the same day. */
function aheadText(runsOutAt: number, { credits, timezone }: DigestFacts, what = 'the reset'): string {
  const days = daysBetween(local(runsOutAt, timezone).day, local(credits.resetsAt, timezone).day);
  return days > 0 ? `, ${formatCount(days, 'day')} before ${what}` : '';
}

/** With the hour if it is within a day: `today at 4:10 PM`, `Thu, Nov 19`. */
function runOutText(at: Instant, { to, timezone }: DigestFacts): string {
  return at - to < DAY ? formatUpcomingTime(at, to, timezone) : formatShortDate(at, timezone);
}

function resetDay({ credits, timezone }: DigestFacts): string {
  return `${formatShortDate(credits.resetsAt, timezone)}${credits.confirmed ? '' : ' (estimated)'}`;
}

/** Too little is left for a page of projects. */
function isChannelBudgetUsedUp({ credits: { limit, settled } }: DigestFacts): boolean {
  return limit !== 'unlimited' && limit - settled < MIN_PROJECTS_PAGE_SIZE;
}

function channelForecast(facts: DigestFacts): string {
  const { limit, runsOutAt, isEarly } = facts.credits;
  if (isChannelBudgetUsedUp(facts))
    return (
      `too few credits for a page of projects: new ones wait for the reset ${resetDay(facts)} ` +
      'or a higher budget'
    );
  if (runsOutAt !== undefined)
    return `runs out ${runOutText(runsOutAt, facts)} at this pace${aheadText(runsOutAt, facts)}`;
  return limit === 'unlimited' || isEarly ? '' : `lasts until the reset ${resetDay(facts)} at this pace`;
}

function accountForecast(facts: DigestFacts): string | undefined {
  const { accountLeft, accountRunsOutAt, accountLooksLikeTrial } = facts.credits;
  const left = accountLeft === undefined ? undefined : `${formatCount(accountLeft, 'credit')} left`;
  const ends =
    accountRunsOutAt === undefined
      ? undefined
      : `run out ${runOutText(accountRunsOutAt, facts)} at this ` +
        `pace${accountLooksLikeTrial ? '' : aheadText(accountRunsOutAt, facts, 'they renew')}`;
  const all = joinFacts(left, ends, accountLooksLikeTrial && trialStatusText(resetDay(facts)));
  return all && `Account: ${all}`;
}

/** `312 of 500 credits spent this billing period`, `312 credits spent this billing period`. */
export function creditsSpentText({ credits: { settled, limit, isShared } }: DigestFacts): string {
  if (limit === 'unlimited') return `${formatCount(settled, 'credit')} spent this billing period`;
  const which = isShared ? ' shared by unconfirmed channels' : '';
  return `${formatNumber(settled)} of ${formatCount(limit, 'credit')}${which} spent this billing period`;
}

/** Why the credits need attention, completes a sentence; undefined if they last until the reset. */
export function creditsWarningText(facts: DigestFacts): string | undefined {
  const { runsOutAt, accountRunsOutAt } = facts.credits;
  if (isChannelBudgetUsedUp(facts) || runsOutAt !== undefined) return channelForecast(facts);
  return accountRunsOutAt === undefined ? undefined : accountForecast(facts);
}

/** mrkdwn. */
export function digestCreditsText(facts: DigestFacts): string {
  const { limit, settled, spent } = facts.credits;
  const part = spent === 0 ? 'none' : spent >= settled ? 'all' : formatNumber(spent);
  const since = formatPastTime(facts.from, facts.to, facts.timezone);
  const bar = limit === 'unlimited' ? 'no channel budget' : usageBarText(settled, limit);
  return joinLines(
    `:coin: *${creditsSpentText(facts)}*${settled === 0 ? '' : `, ${part} of them since ${since}`}`,
    joinFacts(bar, channelForecast(facts)),
    accountForecast(facts),
  );
}

/**
 * `3 proposals sent by the profiles this channel follows · 48 connects (cost known for 2) · boost: 10
 * connects`; undefined if none were sent. A profile's proposals count wherever they were sent from.
 */
export function digestConnectsText({ connects }: DigestFacts): string | undefined {
  if (!connects || connects.proposals === 0) return undefined;
  const { proposals, spent, boost, priced } = connects;
  const known = priced < proposals ? ` (cost known for ${formatNumber(priced)})` : '';
  return joinFacts(
    `:outbox_tray: *${formatCount(proposals, 'proposal')} sent* by the profiles this channel follows`,
    priced > 0 ? `${formatCount(spent, 'connect')}${known}` : undefined,
    boost > 0 ? `boost: ${formatCount(boost, 'connect')}` : undefined,
  );
}

type FeedFacts = DigestFacts['feeds'][number];

function nameOf({ feed, id, name, state }: FeedFacts): string {
  // A pause delays both projects and invitations; a feed-wide failure affects only the filters.
  if (feed === 'all') return state === 'paused' ? 'New projects and invitations' : 'New projects';
  if (id === undefined) return feed === 'filter' ? 'A filter' : capitalize(feedKindText(feed));
  if (feed !== 'filter') return profileFeedText({ feed, profile: { id, name } });
  const filter = FilterId.safeParse(id);
  return filter.success ? capitalize(filterName({ id: filter.data, name })) : 'A filter';
}

function troubleOf({ feed, id, name, code = '' }: FeedFacts, { credits }: DigestFacts): FailureDescription {
  const account = { looksLikeTrial: credits.accountLooksLikeTrial };
  if (feed === 'filter' || feed === 'all' || id === undefined)
    return describeMarketplaceFailure(code, account);
  return describeProfileFailure({ feed, profile: { id, name }, code });
}

function feedText(it: FeedFacts, facts: DigestFacts): string {
  const { to, timezone } = facts;
  const since = it.since === undefined ? '' : ` since ${formatPastTime(it.since, to, timezone)}`;
  const name = `*${nameOf(it)}*`;
  switch (it.state) {
    case 'failing': {
      const { what, next } = troubleOf(it, facts);
      return `:warning: ${name}: failing${since}. ${capitalize(what)}. ${next}`;
    }
    case 'failed': {
      const { what } = troubleOf(it, facts);
      return `:white_check_mark: ${name}: working again. It was failing${since} (${what}).`;
    }
    case 'paused':
      return `:double_vertical_bar: ${name}: paused${since}.`;
    case 'stopped':
      return (
        `:red_circle: ${name}: stopped${since}. ` +
        `Slack rejects posts here: ${describeSlackError(it.code ?? '')}.`
      );
    case 'out-of-budget':
      return (
        `:octagonal_sign: ${name}: waiting${since}. ${capitalize(BUDGET_TOO_LOW)}. ` +
        'An admin can raise it.'
      );
  }
}

/** Current problems before past ones. mrkdwn; undefined if there are none. */
export function digestFeedsText(facts: DigestFacts): string | undefined {
  const feeds = facts.feeds.toSorted((a, b) => Number(a.state === 'failed') - Number(b.state === 'failed'));
  const more = feeds.length - DIGEST_ROWS_SHOWN.feeds;
  return (
    joinLines(
      ...feeds.slice(0, DIGEST_ROWS_SHOWN.feeds).map((each) => feedText(each, facts)),
      more > 0 ? `…and ${formatCount(more, 'more feed')}` : undefined,
    ) || undefined
  );
}

/** What restarts the feeds that wait, and a list of all. */
export function digestFeedButtons({ feeds }: DigestFacts): readonly Button[] {
  const isHeld = feeds.some(({ state }) => state === 'paused' || state === 'stopped');
  const isShort = feeds.some(({ state }) => state === 'out-of-budget');
  return [
    ...(isHeld ? [resumeButton()] : []),
    ...(isShort ? [setBudgetButton()] : []),
    ...(feeds.length > DIGEST_ROWS_SHOWN.feeds
      ? [commandButton({ command: 'list', label: 'Subscriptions' })]
      : []),
  ];
}

/** mrkdwn; undefined if none is near its limit. */
export function setupsNearLimitText({ setups }: DigestFacts): string | undefined {
  if (setups.length === 0) return undefined;
  const names = joinWithMore(
    setups,
    DIGEST_ROWS_SHOWN.setups,
    ({ id, name, sentToday, dailyLimit }) =>
      `${name === '' ? `setup ${id}` : `“${safeLine(name, 60)}”`} ` +
      `(${formatNumber(sentToday)} of ${formatNumber(dailyLimit)} sent)`,
  );
  return `:hourglass_flowing_sand: *Setups at or near their daily limit:* ${names}`;
}

/** Reads a time zone unknown to this machine (from another machine's records) as UTC. */
function local(at: Instant, timezone: string) {
  return localTime(at, isTimezone(timezone) ? timezone : 'UTC');
}

/** `Nov 19` */
export function formatMonthDay(day: LocalDay): string {
  const [, month = 1, date = 1] = day.split('-').map(Number);
  return `${SHORT_MONTHS[month - 1]} ${date}`;
}

function dayWords(day: LocalDay): string {
  return `${SHORT_WEEKDAYS[findWeekday(day) - 1]}, ${formatMonthDay(day)}`;
}

/** `Thu, Nov 19` */
export function formatShortDate(at: Instant, timezone: string): string {
  return dayWords(local(at, timezone).day);
}

/** `today at 9:00 AM`, `yesterday at …`, `Mon at …` within a week, else `Mon, Nov 9 at 9:00 AM`. */
export function formatPastTime(at: Instant, now: Instant, timezone: string): string {
  const then = local(at, timezone);
  const days = daysBetween(then.day, local(now, timezone).day);
  const clock = formatTimeOfDay(then.minute);
  if (days === 0) return `today at ${clock}`;
  if (days === 1) return `yesterday at ${clock}`;
  const day = days > 0 && days < 7 ? SHORT_WEEKDAYS[then.weekday - 1] : dayWords(then.day);
  return `${day} at ${clock}`;
}

/** `today at 5:00 PM`, `tomorrow at 9:00 AM`, else `Mon, Nov 23 at 9:00 AM`. */
export function formatUpcomingTime(at: Instant, now: Instant, timezone: string): string {
  const then = local(at, timezone);
  const days = daysBetween(local(now, timezone).day, then.day);
  const day = days === 0 ? 'today' : days === 1 ? 'tomorrow' : dayWords(then.day);
  return `${day} at ${formatTimeOfDay(then.minute)}`;
}
