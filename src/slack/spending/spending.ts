/** The rules for spending, in words. mrkdwn. Pure. */
import type { ChannelNotice } from '../../outbox/posts.ts';
import type { SpendingChoices } from '../../spending/spending.ts';
import { joinLines } from '../kit/block-builders.ts';
import { channelLink, formatMention } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber, formatPercent } from '../kit/numbers.ts';

export function cancelWindowLabel(seconds: number): string {
  if (seconds === 0) return 'Off: send at once';
  return seconds < 60 ? formatCount(seconds, 'second') : formatCount(seconds / 60, 'minute');
}

function secondText(rules: SpendingChoices): string {
  const { amountAbove, connectsAbove, newClients, approvals, notByAsker } = rules;
  const cases = [
    ...(amountAbove === undefined ? [] : [`above ${formatMoney(amountAbove)}`]),
    ...(connectsAbove === undefined ? [] : [`above ${formatCount(connectsAbove, 'connect')}`]),
    ...(newClients ? ['for clients without history'] : []),
  ];
  if (cases.length === 0) return 'Second approval: off';
  const people = approvals === 1 ? '1 more person' : `${approvals} more people`;
  const asker = notByAsker ? ', never the one who asked' : '';
  return `Second approval: ${cases.join(', ')} (by ${people}${asker})`;
}

function capText(cap: number | undefined): string {
  return cap === undefined ? 'no cap' : formatNumber(cap);
}

/** The rules, line by line. */
export function spendingRulesText(rules: SpendingChoices): string {
  const { cancelSeconds, channelCap, personCap } = rules;
  return joinLines(
    `• Cancel window: ${cancelSeconds === 0 ? 'off' : cancelWindowLabel(cancelSeconds)}`,
    `• ${secondText(rules)}`,
    `• Connects a week: ${capText(channelCap)} for the channel, ${capText(personCap)} for each person`,
  );
}

/** Posted once a week, for the channel and for each person. */
export function connectsCapNearText(notice: Extract<ChannelNotice, { about: 'connects-cap-near' }>): string {
  const { used, cap, user, channel } = notice;
  const share = `${formatNumber(used)} of ${formatCount(cap, 'connect')} (${formatPercent(used / cap)})`;
  return joinLines(
    user === undefined
      ? `:hourglass: *This channel has used ${share} of its weekly cap.*`
      : `:hourglass: *${formatMention(user)}, you've used ${share} of your weekly cap ` +
          `in ${channelLink(channel)}.*`,
    'Bids above the cap are not sent. The week starts on Monday. ' +
      'An admin can change the cap in `/gig settings`.',
  );
}
