/** What the bid form says of amounts that look like a typing mistake. Pure. */
import type { KnownBlock } from '@slack/types';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { BidDraft } from '../../bidding/bidding.ts';
import { asksAboutAmounts, findUnusualAmounts, type UnusualAmount } from '../../bidding/unusual-amounts.ts';
import { parseMoney, parseNonNegativeInteger } from '../../typed/numbers.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, joinFacts, joinLines, textMessage } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney } from '../kit/numbers.ts';
import { projectBudgetText, projectLink } from '../kit/project/project-lines.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import type { BidFormFacts } from './bid-form-facts.ts';
import { DRAFT_SAVED, openBidDraftButton } from './bid-outcome.ts';

/** The amounts that the form asks about before it sends them. */
export function unusualAmountBlocks({ draft, budget }: BidFormFacts): KnownBlock[] {
  if (!asksAboutAmounts(draft)) return [];
  const { bidAmount, boostConnects } = draft.form;
  const typed = omitUndefined({
    bidAmount: parseMoney(bidAmount),
    boostConnects: parseNonNegativeInteger(boostConnects),
  });
  const unusual = findUnusualAmounts(typed, budget);
  if (unusual.length === 0) return [];
  return [alertBlock('warning', joinLines(...unusual.map((each) => unusualAmountText(each, budget))))];
}

function unusualAmountText(
  { field, value, compared }: UnusualAmount,
  budget: BidFormFacts['budget'],
): string {
  if (field === 'boostConnects')
    return `*A boost of ${formatCount(value, 'connect')}* comes on top of the bid's own cost.`;
  const bid = `*Your bid is ${formatMoney(value)}`;
  if (!compared) return `${bid}.*`;
  const side = compared === 'above-budget' ? 'above' : 'below';
  return `${bid}, far ${side} the client's budget:* ${projectBudgetText(budget) ?? 'unknown'}.`;
}

/** Why a form with unusual amounts was not sent at first; they are shown beside their inputs. mrkdwn. */
export const AMOUNTS_NOT_SENT =
  ':hand: *Nothing was sent yet: an amount looks unusual.* Correct it below, or press *Send Anyway*.';

/** The same, when the form can't be shown again. */
export function amountsNotSentMessage({ id, title, url = '', form }: BidDraft): Message {
  const { bidAmount, boostConnects } = form;
  const words = joinLines(
    ':hand: *Nothing was sent yet: an amount in your bid looks unusual.*',
    projectLink({ title, url }),
    joinFacts(
      bidAmount && `Bid: ${safeLine(bidAmount, 40)}`,
      boostConnects && `Boost (connects): ${safeLine(boostConnects, 40)}`,
    ),
    DRAFT_SAVED,
  );
  return textMessage(words, actionsBlock([openBidDraftButton('Open Again', { id, title })]));
}
