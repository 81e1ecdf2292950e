/** What a stage of the response clock says: one card in its thread, or several in one message. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { UserId } from '../../ids.ts';
import { type PostContentOf, PostId, type ResponseItem } from '../../outbox/posts.ts';
import { isItemClosed, SNOOZE_MINUTES } from '../../response/response.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import type { MessageLinks } from '../kit/message-link.ts';
import {
  cleanLine,
  clipText,
  formatDate,
  formatLink,
  formatMention,
  formatTimeAgo,
  safeLine,
} from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';

export type ResponseContent = PostContentOf<'response'>;

/** The card of a pressed button; the message must list it. */
export const responseValueCodec = jsonValueCodec(z.object({ card: PostId }));

const GROUP = /^S[A-Z0-9]+$/u;
const TITLE = 150;

/** What happened, and what to do; once it is over, what had happened. mrkdwn. */
function stageText(item: ResponseItem): string {
  const { stage, since, claimedBy, expiresAt } = item;
  const is = isItemClosed(item) ? 'was' : 'is';
  const open = `open since ${formatDate(since, 'time')}`;
  const who = claimedBy === undefined ? 'The claim' : `${formatMention(claimedBy)}'s claim`;
  const expiry = expiresAt === undefined ? 'soon' : formatDate(expiresAt);
  switch (stage) {
    case 'nudge':
      return `:hourglass: This ${item.of} ${is} unclaimed (${open}).`;
    case 'lead':
      return `:exclamation: This ${item.of} ${is} still unclaimed (${open}).`;
    case 'warning':
      return isItemClosed(item)
        ? `:hourglass_flowing_sand: ${who} had no bid yet and was due to expire ${expiry}.`
        : `:hourglass_flowing_sand: ${who} has no bid yet and expires ${expiry}.`;
    case 'expiry':
      return (
        `:leftwards_arrow_with_hook: ${who} expired without a bid (claimed ${formatTimeAgo(since)}).` +
        (isItemClosed(item) ? '' : " It's open again.")
      );
  }
}

function doneText({ done }: ResponseItem): string | undefined {
  if (!done) return undefined;
  const who = formatMention(done.by);
  const until = done.until === undefined ? '' : ` until ${formatDate(done.until)}`;
  switch (done.what) {
    case 'extended':
      return `:white_check_mark: ${who} extended it${until}.`;
    case 'snoozed':
      return `:zzz: ${who} snoozed it${until}.`;
    case 'claimed':
      return `:raised_hand: ${who} claimed it.`;
  }
}

function overText({ over, stage, of }: ResponseItem): string | undefined {
  if (!over) return undefined;
  const by = over.by && formatMention(over.by);
  switch (over.what) {
    case 'claimed':
      return `:raised_hand: ${by ?? 'Someone'} claimed it.`;
    case 'assigned':
      return `:raised_hand: It was assigned${by ? ` to ${by}` : ''}.`;
    case 'released':
      return ':leftwards_arrow_with_hook: The claim was released.';
    case 'expired':
      return ':leftwards_arrow_with_hook: The claim expired.';
    case 'skipped':
      return `:no_entry_sign: ${by ?? 'Someone'} skipped it.`;
    case 'muted':
      return `:no_bell: ${by ?? 'Someone'} muted projects like this one.`;
    case 'bidding':
      return ':white_check_mark: A bid is in progress, so the claim stays.';
    case 'bid':
      return `:white_check_mark: This ${of} has a bid now.`;
    case 'again':
      return ':exclamation: Nobody claimed it, so a second nudge followed.';
    case 'off':
      return `:no_bell: ${stage === 'warning' ? "Claims don't expire now" : 'No more nudges'}.`;
  }
}

function outcomeText(item: ResponseItem): string | undefined {
  return overText(item) ?? doneText(item);
}

interface Press {
  readonly id: string;
  readonly label: string;
}

const PRESSES: Readonly<Record<ResponseItem['stage'], Press>> = {
  nudge: { id: actionIds.responseSnooze, label: `Snooze ${SNOOZE_MINUTES} Min` },
  lead: { id: actionIds.responseClaim, label: 'Claim' },
  warning: { id: actionIds.responseExtend, label: 'Extend' },
  expiry: { id: actionIds.responseClaim, label: 'Claim Again' },
};

function itemButton(item: ResponseItem, { id, label }: Press): Button {
  const title = clipText(cleanLine(item.title), 60);
  return buttonElement({
    id,
    label,
    value: responseValueCodec.write({ card: item.card }),
    accessibilityLabel: `${label}: ${title}`,
  });
}

/** A nudge can be answered with a claim, too. */
function itemButtons(item: ResponseItem): Button[] {
  return [
    ...(item.stage === 'nudge' ? [itemButton(item, { id: actionIds.responseClaim, label: 'Claim' })] : []),
    itemButton(item, PRESSES[item.stage]),
  ];
}

/** @param named a person that the text names anyway */
function mentionText({ mention }: ResponseContent, named?: UserId): string {
  const groups = mention.groups.filter((id) => GROUP.test(id)).map((id) => `<!subteam^${id}>`);
  const users = mention.users.filter((user) => user !== named);
  return [...users.map(formatMention), ...groups].join(' ');
}

function singleMessage(content: ResponseContent, item: ResponseItem): Message {
  const called = mentionText(content, item.claimedBy);
  const text = [called, stageText(item)].filter((each) => each !== '').join(' ');
  const outcome = outcomeText(item);
  return {
    text,
    blocks: [sectionBlock(joinLines(text, outcome)), ...(outcome ? [] : [actionsBlock(itemButtons(item))])],
  };
}

/** `2 cards unclaimed`, `1 of 2 cards unclaimed`, `2 cards were unclaimed`. */
function headText({ items, more }: ResponseContent): string {
  const count = items.length + more;
  // Cards that aren't listed count as open: nothing is known about them here.
  const isWaiting = (item: ResponseItem) => !isItemClosed(item) || item.done?.what === 'extended';
  const open = items.filter(isWaiting).length + more;
  const isAll = (stages: readonly string[]) => items.every(({ stage }) => stages.includes(stage));
  const head = (noun: string, state: string) => {
    const counted = formatCount(count, noun);
    if (open === 0) return `${counted} ${count === 1 ? 'was' : 'were'} ${state}`;
    return open === count ? `${counted} ${state}` : `${formatNumber(open)} of ${counted} ${state}`;
  };
  if (isAll(['nudge', 'lead'])) return head('card', 'unclaimed');
  if (isAll(['warning', 'expiry'])) return head('claim', 'without a bid');
  return head('card', 'waiting for a claim or a bid');
}

function itemBlocks(item: ResponseItem, links: MessageLinks): KnownBlock[] {
  const link = links.get(item.card);
  const title =
    link === undefined
      ? safeLine(item.title, TITLE) || 'Untitled project'
      : formatLink(link, cleanLine(item.title) || 'Untitled project', TITLE);
  const text = joinLines(`*${title}*`, stageText(item), outcomeText(item));
  if (item.done ?? item.over) return [sectionBlock(text)];
  const buttons = itemButtons(item);
  // A section has room for one button.
  return buttons.length > 1 ? [sectionBlock(text), actionsBlock(buttons)] : [sectionBlock(text, buttons[0])];
}

export function responseMessage(content: ResponseContent, links: MessageLinks): Message {
  const [only, second] = content.items;
  if (only && !second && content.more === 0) return singleMessage(content, only);
  const called = mentionText(content);
  const head = `:hourglass: ${headText(content)}`;
  const text = called ? `${called} ${head}` : head;
  return {
    text,
    blocks: [
      sectionBlock(`*${head}*${called ? `\n${called}` : ''}`),
      ...content.items.flatMap((item) => itemBlocks(item, links)),
      ...(content.more > 0
        ? [contextBlock(`…and ${formatNumber(content.more)} more. Their cards are in this channel.`)]
        : []),
    ],
  };
}
