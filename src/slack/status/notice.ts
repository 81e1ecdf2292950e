/** One-time notices for a channel or a person. Pure. */
import type { Button } from '@slack/types';
import { type ChannelId, type ProjectKey, UserId } from '../../ids.ts';
import type { ChannelNotice } from '../../outbox/posts.ts';
import { describeSlackError, describeSlackErrorWithCode } from '../core/failures.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { commandButton, messageWithButtons, resumeButton, setBudgetButton } from '../kit/command-button.ts';
import { channelLink, codeText, formatDate, formatMention } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, formatPercent } from '../kit/numbers.ts';
import { type AccountTrialStatus, trialAdvice } from '../kit/words/credits-text.ts';
import { filterName, filterNames } from '../kit/words/filters.ts';
import { describeMarketplaceFailure, type FailureDescription } from '../kit/words/marketplace-failure.ts';
import { profileFeedText } from '../kit/words/profiles.ts';
import { connectsCapNearText } from '../spending/spending.ts';
import { describeProfileFailure } from '../subscriptions/subscriptions.ts';

type About<K extends ChannelNotice['about']> = Extract<ChannelNotice, { about: K }>;

function budgetLow(it: About<'budget-low'>): string {
  const used = it.limit > 0 ? ` (${formatPercent(it.used / it.limit)})` : '';
  const pace =
    it.runsOutAt === undefined ? '' : ` At this pace, the rest runs out ${formatDate(it.runsOutAt, 'date')}.`;
  if (it.isShared)
    return joinLines(
      `:hourglass: *Unconfirmed channels have used ${formatNumber(it.used)} of their ` +
        `${formatCount(it.limit, 'shared credit')}${used}.*${pace}`,
      sharedHint(it.resetsAt),
      trialLine(it),
    );
  return joinLines(
    `:hourglass: *This channel has used ${formatNumber(it.used)} of its ` +
      `${formatCount(it.limit, 'credit')}${used}.*${pace}`,
    `New projects go on hold when fewer than 10 credits are left, because a page of projects needs 10. ` +
      `The budget resets ${formatDate(it.resetsAt)}. An admin can raise it.`,
    trialLine(it),
  );
}

/** A budget reset doesn't help once a trial's credits are gone. */
function trialLine({ looksLikeTrial }: AccountTrialStatus): string | undefined {
  return looksLikeTrial && trialAdvice();
}

function sharedHint(resetsAt: number): string {
  return (
    'No admin has confirmed this channel, so it uses the shared budget. ' +
    `That budget resets ${formatDate(resetsAt)}. ` +
    'An admin can give this channel its own budget.'
  );
}

function budgetSpent(it: About<'budget-spent'>): string {
  if (it.isShared) {
    const all = formatCount(it.limit, 'shared credit');
    const left =
      it.left > 0
        ? `unconfirmed channels have ${formatNumber(it.left)} of their ${all} left, ` +
          'less than a page of projects costs'
        : `unconfirmed channels have used their ${all}`;
    return joinLines(
      `:octagonal_sign: *New projects are on hold: ${left}.*`,
      sharedHint(it.resetsAt),
      trialLine(it),
    );
  }
  const what =
    it.left > 0
      ? `*New projects are on hold: this channel has ${formatNumber(it.left)} of its ` +
        `${formatCount(it.limit, 'credit')} left.* A page of projects costs at least 10 credits. ` +
        'Lookups still work.'
      : `*New projects are on hold: this channel has used its budget of ${formatCount(it.limit, 'credit')}.*`;
  return joinLines(
    `:octagonal_sign: ${what}`,
    `They resume when the budget resets ${formatDate(it.resetsAt)}, or as soon as an admin raises it.`,
    trialLine(it),
  );
}

function accountSpent(it: About<'account-credits-spent'>): string {
  const resets = it.resetsAt === undefined ? undefined : formatDate(it.resetsAt);
  const left = it.remaining > 0 ? `only ${formatCount(it.remaining, 'credit')} left` : 'no credits left';
  const what = `:octagonal_sign: *New projects are on hold: the marketplace account has ${left}.*`;
  if (it.looksLikeTrial)
    return joinLines(
      what,
      `${trialAdvice(resets)} New projects then resume automatically, and nothing is lost.`,
    );
  return joinLines(
    `${what}${resets === undefined ? '' : ` Account credits renew ${resets}.`}`,
    'The account owner can top up in the dashboard. ' +
      'The feed then resumes automatically, and nothing is lost.',
  );
}

function newProjectsText({ filters }: About<'feed-failing' | 'feed-recovered'>): string {
  return filters.length > 0 ? `New projects from ${filterNames(filters)}` : 'New projects';
}

function stoppedText(feed: string, { since }: { since: number }, { what, next }: FailureDescription): string {
  return joinLines(`:warning: *${feed} stopped arriving ${formatDate(since)}: ${what}.*`, next);
}

function unreachable(it: About<'channel-unreachable'>): string {
  return joinLines(
    `:warning: *Gigdesk can no longer post in ${channelLink(it.channel)}: ` +
      `${describeSlackError(it.error)}.* Your feeds there have stopped.`,
    'Fix that first (`/invite @gigdesk` adds Gigdesk back). ' +
      'Then an admin can resume the feeds. Nothing is lost meanwhile.',
    it.error === 'channel_not_found'
      ? 'Did someone convert or share the channel? Then Slack gave it a new ID without telling Gigdesk. ' +
          'Run `/gig subscribe` in the channel to set it up again.'
      : undefined,
  );
}

function placeText(channel: ChannelId): string {
  return /^[UW]/u.test(channel)
    ? `direct messages with ${formatMention(UserId.parse(channel))}`
    : channelLink(channel);
}

/** A lookup accepts it. */
function isPlainId(project: ProjectKey | undefined): project is ProjectKey {
  return project !== undefined && /^~?[\w-]{1,60}$/u.test(project);
}

function postGivenUp(it: About<'post-given-up'>): string {
  const place = placeText(it.channel);
  const project = isPlainId(it.project) ? ` Project: ${codeText(it.project)}.` : '';
  const further = 'For the next hour, more of these appear only in the log.';
  if (it.why === 'unclear')
    return joinLines(
      `:warning: *A post may be missing in ${place}.* ` +
        `Slack didn't confirm it and won't show the history there: ${describeSlackErrorWithCode(it.error)}.`,
      `Gigdesk won't send it again, so it can't appear twice.${project} ${further}`,
    );
  return joinLines(
    `:warning: *Couldn't post in ${place}: ${describeSlackErrorWithCode(it.error)}.* ` +
      'Slack rejected the post several times, even as plain text.',
    `Other posts still arrive.${project} ${further}`,
  );
}

function conversationRefused(it: About<'conversation-refused'>): string {
  const place = placeText(it.channel);
  return joinLines(
    `:warning: *Slack is refusing posts in ${place}: ${describeSlackErrorWithCode(it.error)}.* ` +
      'Posts wait there. Gigdesk retries at least every 10 minutes.',
    "Check the Slack app's permissions and who can post there. Other conversations still get their posts.",
  );
}

function backfillDone(it: About<'backfill-done'>): string {
  const done = `Backfill from ${filterName(it.filter)} is done:`;
  if (it.posted === 0) return `${done} no past projects match.`;
  if (it.posted >= it.asked) return `${done} ${formatCount(it.posted, 'past project')} posted.`;
  return (
    `${done} ${formatNumber(it.posted)} of ${formatCount(it.asked, 'past project')} posted. ` +
    'No other past projects match.'
  );
}

function words(notice: ChannelNotice): string {
  switch (notice.about) {
    case 'budget-low':
      return budgetLow(notice);
    case 'budget-spent':
      return budgetSpent(notice);
    case 'account-credits-spent':
      return accountSpent(notice);
    case 'feed-failing':
      return stoppedText(newProjectsText(notice), notice, describeMarketplaceFailure(notice.code));
    case 'feed-recovered':
      return (
        `:white_check_mark: *${newProjectsText(notice)} are back.* ` +
        `Posting what you missed since ${formatDate(notice.since)}, within budget.`
      );
    case 'channel-unreachable':
      return unreachable(notice);
    case 'conversation-refused':
      return conversationRefused(notice);
    case 'post-given-up':
      return postGivenUp(notice);
    case 'profile-failing':
      return stoppedText(profileFeedText(notice), notice, describeProfileFailure(notice));
    case 'profile-recovered':
      return (
        `:white_check_mark: *${profileFeedText(notice)} are back.* ` +
        `Posting what you missed since ${formatDate(notice.since)}.`
      );
    case 'backfill-done':
      return backfillDone(notice);
    case 'connects-cap-near':
      return connectsCapNearText(notice);
  }
}

function buttonsOf(notice: ChannelNotice): readonly Button[] {
  switch (notice.about) {
    case 'budget-low':
    case 'budget-spent':
      return [setBudgetButton()];
    case 'feed-failing':
      return [commandButton({ command: 'status', label: 'Status' })];
    case 'profile-failing':
      return [commandButton({ command: 'list', label: 'Subscriptions' })];
    case 'channel-unreachable':
      return [resumeButton(notice.channel)];
    case 'post-given-up':
      return isPlainId(notice.project)
        ? [commandButton({ command: 'lookup', label: 'Look Up (1 Credit)', args: notice.project })]
        : [];
    case 'account-credits-spent':
    case 'conversation-refused':
    case 'feed-recovered':
    case 'profile-recovered':
    case 'backfill-done':
    case 'connects-cap-near':
      return [];
  }
}

export function noticeMessage(notice: ChannelNotice): Message {
  return messageWithButtons(words(notice), ...buttonsOf(notice));
}
