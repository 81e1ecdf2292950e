/** Warnings about what a bid sends: unusual amounts, and a letter that nearly repeats another one. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Bid } from '../../bidding/bidding.ts';
import { findUnusualAmounts, type UnusualAmount } from '../../bidding/validate-bid-form.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { parseMoney, parseNonNegativeInteger } from '../../typed/numbers.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney } from '../kit/numbers.ts';
import { projectBudgetText } from '../kit/project/project-lines.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import type { BidFormFacts } from './bid-form-facts.ts';

type Budget = ListedProject['budget'];

interface WarnedBid {
  readonly request: Pick<Bid['request'], 'bidAmount' | 'boostConnects'>;
  readonly similarLetter?: Bid['similarLetter'] | undefined;
}

function unusualAmountText({ field, value, compared }: UnusualAmount, budget: Budget): string {
  if (field === 'boostConnects')
    return `*A boost of ${formatCount(value, 'connect')}* comes on top of the bid's own cost.`;
  const bid = `*The bid is ${formatMoney(value)}`;
  if (!compared) return `${bid}.* That's unusually high.`;
  const side = compared === 'above-budget' ? 'above' : 'below';
  return `${bid}, far ${side} the client's budget:* ${projectBudgetText(budget) ?? 'unknown'}.`;
}

function similarLetterText({ percent, at, title }: NonNullable<Bid['similarLetter']>): string {
  const other = title ? `*${safeLine(title, 100)}*` : 'another project';
  const share = percent >= 100 ? 'the same as' : `${percent}% the same as`;
  return `*This letter is ${share} one sent to another client:* ${other}, ${formatDate(at)}.`;
}

function listWarnings({ request, similarLetter }: WarnedBid, budget: Budget): readonly string[] {
  return [
    ...findUnusualAmounts(request, budget).map((each) => unusualAmountText(each, budget)),
    ...(similarLetter ? [similarLetterText(similarLetter)] : []),
  ];
}

/** mrkdwn; empty without warnings. @param budget the client's, as far as known */
export function bidWarningText(bid: WarnedBid, budget: Budget): string {
  return joinLines(...listWarnings(bid, budget).map((text) => `:warning: ${text}`));
}

export function formWarningBlocks({ draft, budget, similarLetter }: BidFormFacts): KnownBlock[] {
  const { bidAmount, boostConnects } = draft.form;
  const request = { bidAmount: parseMoney(bidAmount), boostConnects: parseNonNegativeInteger(boostConnects) };
  const text = joinLines(...listWarnings({ request, similarLetter }, budget));
  return text ? [alertBlock('warning', text)] : [];
}
