/** What the bid form and the review say of a letter that nearly repeats another one. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Bid, BidDraft } from '../../bidding/bidding.ts';
import { findLetterQuestion } from '../../bidding/similar-letter.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, joinLines, sectionBlock, textMessage } from '../kit/block-builders.ts';
import { formatDate, safeLine } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { DRAFT_SAVED, openBidDraftButton } from './bid-outcome.ts';

/** mrkdwn. */
function similarLetterText({ percent, at, title }: NonNullable<Bid['similarLetter']>): string {
  const other = title ? `*${safeLine(title, 100)}*` : 'another project';
  const share = percent >= 100 ? 'the same as' : `${percent}% the same as`;
  return `*This letter is ${share} one sent to another client:* ${other}, ${formatDate(at)}.`;
}

/** The letter that the form asks about before it sends it. */
export function similarLetterBlocks(draft: BidDraft): KnownBlock[] {
  const similar = findLetterQuestion(draft);
  return similar ? [alertBlock('warning', similarLetterText(similar))] : [];
}

/** For people who approve the bid: it was sent after this warning. */
export function repeatedLetterBlocks(bid: Pick<Bid, 'similarLetter'> | undefined): KnownBlock[] {
  return bid?.similarLetter ? [sectionBlock(`:warning: ${similarLetterText(bid.similarLetter)}`)] : [];
}

/** Why a form was not sent at first; the warning is beside its letter. mrkdwn. */
export const LETTER_NOT_SENT =
  ':hand: *Nothing was sent yet: the letter nearly repeats another one.* Change it below, or press ' +
  '*Send Anyway*.';

/** The same, when the form can't be shown again. */
export function letterNotSentMessage({ id, title, url = '' }: BidDraft): Message {
  const words = joinLines(
    ':hand: *Nothing was sent yet: the letter in your bid nearly repeats one sent to another client.*',
    projectLink({ title, url }),
    DRAFT_SAVED,
  );
  return textMessage(words, actionsBlock([openBidDraftButton('Open Again', { id, title })]));
}
