/** How a bid or an approval waits before it is sent, and how the waiting ended. mrkdwn. Pure. */
import {
  countApprovals,
  type HoldEnd,
  isApproved,
  type SecondReason,
  type SpendingHold,
} from '../../spending/hold.ts';
import type { CapExceeded } from '../../spending/spending.ts';
import { formatDate, formatMention, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';

/** `today at 9:05 (in 30 seconds)`: Slack counts the seconds down. */
export function dueText({ dueAt }: SpendingHold): string {
  return dueAt === undefined ? 'soon' : `${formatDate(dueAt)} (${formatTimeAgo(dueAt)})`;
}

/** `waiting for a second approval (0 of 1)`, or `goes out today at 9:05 (in 30 seconds) unless …`. */
export function holdStateText(hold: SpendingHold | undefined): string {
  if (!hold) return 'waiting';
  const { second } = hold;
  if (second && !isApproved(hold))
    return (
      `waiting for ${second.needed === 1 ? 'a second approval' : 'second approvals'} ` +
      `(${countApprovals(hold)} of ${second.needed})`
    );
  return `goes out ${dueText(hold)} unless someone cancels it`;
}

/** `It goes out today at 9:05 (in 30 seconds) unless someone cancels it.` @param what its subject */
export function holdSentence(what: string, hold: SpendingHold | undefined): string {
  const isWaiting = !hold || (hold.second !== undefined && !isApproved(hold));
  return `${what} ${isWaiting ? 'is ' : ''}${holdStateText(hold)}.`;
}

/** `1 of 2 second approvals: @ana` */
export function approvalCountText({ second }: SpendingHold): string {
  if (!second) return '';
  const { given, needed } = second;
  const people = given.map(({ by }) => formatMention(by)).join(', ');
  const all = `${formatNumber(given.length)} of ${formatCount(needed, 'second approval')}`;
  return people ? `${all}: ${people}` : all;
}

const REASONS: Readonly<Record<SecondReason, string>> = {
  amount: 'the amount is above the limit',
  'amount-unknown': "the amount isn't known",
  connects: 'its connects are above the limit',
  'connects-unknown': "its price in connects isn't known",
  'new-client': 'the client has no known hires or spending',
  elsewhere: 'another channel that found this project requires it',
};

export function secondReasonsText(reasons: readonly SecondReason[]): string {
  return reasons.map((reason) => REASONS[reason]).join(', ');
}

export function holdEndText({ ended, second }: SpendingHold): string | undefined {
  if (!ended) return undefined;
  const who = ended.by === undefined ? 'Someone' : formatMention(ended.by);
  const texts: Readonly<Record<HoldEnd, string>> = {
    sent: `:outbox_tray: Sent to the marketplace ${formatDate(ended.at)}. The result is in this thread.`,
    canceled: `:no_entry_sign: *${who} canceled it.* Nothing was sent.`,
    rejected: `:no_entry_sign: *${who} rejected it.* Nothing was sent.`,
    expired:
      `:hourglass: *Not enough people approved it in time` +
      `${second ? ` (${second.given.length} of ${second.needed})` : ''}.* Nothing was sent.`,
    late:
      ":hourglass: *It was due while Gigdesk wasn't running, or couldn't reach Slack or the marketplace.* " +
      'Nothing was sent.',
    changed: ':warning: *The bid or its project changed while it waited.* Nothing was sent.',
    'not-allowed': ":lock: *The person who asked for it can't bid here anymore.* Nothing was sent.",
    'over-cap': ':octagonal_sign: *It would exceed the weekly cap on connects.* Nothing was sent.',
    'other-bid': ':warning: *Another bid on this project was sent meanwhile.* Nothing was sent.',
    closed: ":information_source: *The bid was deleted, or doesn't need approval anymore.* Nothing was sent.",
    'time-passed': ':hourglass: *The time set for this bid passed while it waited.* Nothing was sent.',
  };
  return texts[ended.kind];
}

/** Why nothing was sent: the numbers of the cap, unless it is another channel's. */
export function capExceededText({ of, cap, used, asks, isElsewhere }: CapExceeded): string {
  if (isElsewhere)
    return (
      ':octagonal_sign: *Nothing was sent: the weekly cap on connects of another channel that found this ' +
      'project would be exceeded.* Bids on it count there, too. The week starts on Monday. ' +
      'Ask an admin about the cap.'
    );
  const whose = of === 'channel' ? "This channel's" : 'Your';
  const bid = asks > 0 ? ` This bid needs at least ${formatCount(asks, 'connect')}.` : '';
  return (
    `:octagonal_sign: *Nothing was sent: ${whose.toLowerCase()} weekly cap on connects would be exceeded.* ` +
    `${whose} cap is ${formatCount(cap, 'connect')}, and ${formatNumber(used)} are used.${bid} ` +
    'The week starts on Monday. An admin can change the cap in `/gig settings`.'
  );
}
