/** What a channel (or a person) is told once, in words. */

import { type ChannelId, type ProjectKey, UserId } from '../../ids.ts';
import type { Notice } from '../../outbox/posts.ts';
import { channelLink, date, mention } from '../blocks/mrkdwn.ts';
import { count, number, percent } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { type AccountKind, trialAdvice } from './credits-advice.ts';
import { filterName, filterNames } from './filter-name.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';
import { profileFeedText } from './profile-name.ts';
import { describeProfileTrouble } from './profile-trouble.ts';
import { describeSlackTrouble, describeWithCode } from './slack-trouble.ts';
import { describeTrouble } from './trouble.ts';

type About<K extends Notice['about']> = Extract<Notice, { about: K }>;

function budgetLow(it: About<'budget-low'>): string {
  const used = it.limit > 0 ? ` (${percent(it.used / it.limit)})` : '';
  const pace =
    it.runsOutAt === undefined ? '' : ` At this pace the rest is gone ${date(it.runsOutAt, 'date')}.`;
  if (it.isShared)
    return lines(
      `:hourglass: *${number(it.used)} of the ${count(it.limit, 'credit')} that unconfirmed channels share are used${used}.*${pace}`,
      sharedHint(it.resetsAt),
      trialLine(it),
    );
  return lines(
    `:hourglass: *${number(it.used)} of this channel's ${count(it.limit, 'credit')} are used${used}.*${pace}`,
    `The budget resets ${date(it.resetsAt)}; an admin can raise it with ${codeText('/gig budget <credits>')}.`,
    trialLine(it),
  );
}

/** A budget that resets buys nothing once a trial's credits are gone. */
function trialLine({ looksLikeTrial }: AccountKind): string | undefined {
  return looksLikeTrial && trialAdvice();
}

/** How a channel gets a budget to itself. */
function sharedHint(resetsAt: number): string {
  return `No admin has confirmed this channel, so it shares them with all unconfirmed channels until the reset ${date(resetsAt)}. An admin gives it a budget of its own with ${codeText('/gig budget <credits>')}.`;
}

function budgetSpent(it: About<'budget-spent'>): string {
  if (it.isShared) {
    const left =
      it.left > 0 ? `has ${number(it.left)} left, fewer than a page of projects takes` : 'is used up';
    return lines(
      `:octagonal_sign: *The budget of ${count(it.limit, 'credit')} that unconfirmed channels share ${left}, so new projects wait.*`,
      sharedHint(it.resetsAt),
      trialLine(it),
    );
  }
  const what =
    it.left > 0
      ? `*This channel has ${number(it.left)} of its ${count(it.limit, 'credit')} left, so new projects wait:* a page of them takes at least 10. Lookups go on.`
      : `*This channel's budget of ${count(it.limit, 'credit')} is used up, so new projects wait.*`;
  return lines(
    `:octagonal_sign: ${what}`,
    `They come when the budget resets ${date(it.resetsAt)}, or at once when an admin raises it with ${codeText('/gig budget <credits>')}.`,
    trialLine(it),
  );
}

function accountSpent(it: About<'account-credits-spent'>): string {
  const resets = it.resetsAt === undefined ? undefined : date(it.resetsAt);
  const left = it.remaining > 0 ? `only ${count(it.remaining, 'credit')} left` : 'no credits left';
  const what = `:octagonal_sign: *The marketplace account has ${left}, so new projects wait.*`;
  if (it.looksLikeTrial)
    return lines(what, `${trialAdvice(resets)} New projects then come again, and nothing is lost.`);
  return lines(
    `${what}${resets === undefined ? '' : ` They reset ${resets}.`}`,
    'The account owner can top up in the dashboard. The feed then goes on by itself, and nothing is lost.',
  );
}

function feedFailing(it: About<'feed-failing'>): string {
  const { what, next } = describeTrouble(it.code);
  const of = it.filters.length > 0 ? ` of ${filterNames(it.filters)}` : '';
  return lines(
    `:warning: *New projects${of} don't come: ${what}*, since ${date(it.since)}.`,
    `${next} \`/gig status\` shows how it stands.`,
  );
}

function feedRecovered(it: About<'feed-recovered'>): string {
  const of = it.filters.length > 0 ? ` of ${filterNames(it.filters)}` : '';
  return `:white_check_mark: *New projects${of} come again.* What appeared since ${date(it.since)} follows now, as far as the budget goes.`;
}

function unreachable(it: About<'channel-unreachable'>): string {
  return lines(
    `:warning: *I can't post in ${channelLink(it.channel)} any more: ${describeSlackTrouble(it.error)}.* Your subscriptions there have stopped.`,
    'When that is put right (`/invite @gigdesk` lets me in again), an admin brings them back with `/gig resume` there. Nothing is lost meanwhile.',
  );
}

function placeText(channel: ChannelId): string {
  return /^[UW]/u.test(channel)
    ? `direct messages with ${mention(UserId.parse(channel))}`
    : channelLink(channel);
}

/** An id that is no more than an id: it comes from the marketplace. */
function lookupText(project: ProjectKey | undefined): string {
  if (project === undefined || !/^~?[\w-]{1,60}$/u.test(project)) return '';
  return ` ${codeText(`/gig lookup ${project}`)} shows the project.`;
}

function postGivenUp(it: About<'post-given-up'>): string {
  const place = placeText(it.channel);
  const further = 'For the next hour, the log alone lists more of these.';
  if (it.why === 'unclear')
    return lines(
      `:warning: *A post may be missing in ${place}.* Slack didn't confirm it and won't show the history there: ${describeWithCode(it.error)}.`,
      `Gigdesk won't send it again, so that it can't appear twice.${lookupText(it.project)} ${further}`,
    );
  return lines(
    `:warning: *Gigdesk gave up a post in ${place}: ${describeWithCode(it.error)}.* Slack refused it several times, also as plain text.`,
    `Other posts still arrive.${lookupText(it.project)} ${further}`,
  );
}

function conversationRefused(it: About<'conversation-refused'>): string {
  const place = placeText(it.channel);
  return lines(
    `:warning: *Slack refuses Gigdesk's posts in ${place}: ${describeWithCode(it.error)}.* Posts wait there. Gigdesk retries at least every 10 minutes.`,
    'Check the permissions of the Slack app and who can post there. Other conversations still get their posts.',
  );
}

function profileFailing(it: About<'profile-failing'>): string {
  const { what, next } = describeProfileTrouble(it);
  return lines(
    `:warning: *${profileFeedText(it)} don't come: ${what}*, since ${date(it.since)}.`,
    `${next} ${codeText('/gig list')} shows how it stands.`,
  );
}

function profileRecovered(it: About<'profile-recovered'>): string {
  return `:white_check_mark: *${profileFeedText(it)} come again.* What is new since ${date(it.since)} follows now.`;
}

function backfillDone(it: About<'backfill-done'>): string {
  const of = filterName(it.filter);
  if (it.posted === 0) return `The backfill of ${of} is done: it found no past project that matches.`;
  if (it.posted >= it.asked) return `The backfill of ${of} is done: ${count(it.posted, 'past project')}.`;
  return `The backfill of ${of} is done: ${number(it.posted)} of the ${count(it.asked, 'past project')} asked for; there are no more that match.`;
}

function words(notice: Notice): string {
  switch (notice.about) {
    case 'budget-low':
      return budgetLow(notice);
    case 'budget-spent':
      return budgetSpent(notice);
    case 'account-credits-spent':
      return accountSpent(notice);
    case 'feed-failing':
      return feedFailing(notice);
    case 'feed-recovered':
      return feedRecovered(notice);
    case 'channel-unreachable':
      return unreachable(notice);
    case 'conversation-refused':
      return conversationRefused(notice);
    case 'post-given-up':
      return postGivenUp(notice);
    case 'profile-failing':
      return profileFailing(notice);
    case 'profile-recovered':
      return profileRecovered(notice);
    case 'backfill-done':
      return backfillDone(notice);
  }
}

export function noticeMessage(notice: Notice): Message {
  return { text: words(notice) };
}
