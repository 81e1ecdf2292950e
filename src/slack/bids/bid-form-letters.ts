/** “Start from a letter that worked”: our similar proposals that got an answer. Pure. */
import type { KnownBlock } from '@slack/types';
import type { AnsweredLetter } from '../../proposals/create-search.ts';
import { buttonElement, capitalize, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanLine, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { outcomeEmoji, outcomeLabel } from '../kit/words/labels.ts';
import type { BidFormFacts } from './bid-form-facts.ts';

const LONGEST_TITLE = 150;
const FIRST_WORDS = 200;

function letterRow({ proposal, shared }: AnsweredLetter): KnownBlock {
  const { id, jobTitle = '', submittedAt, coverLetter } = proposal;
  const outcome = proposal.hired ? 'hired' : 'interviewed';
  // Slack can't show a moment before 1970.
  const sent = submittedAt !== undefined && submittedAt >= 0 && `sent ${formatTimeAgo(submittedAt)}`;
  const words = joinLines(
    `*${safeLine(jobTitle, LONGEST_TITLE) || `Proposal ${id}`}*`,
    joinFacts(
      `${outcomeEmoji([outcome])} ${capitalize(outcomeLabel(outcome))}`,
      sent || undefined,
      `also about ${safeLine(shared.join(', '), 120)}`,
    ),
    `“${safeLine(coverLetter, FIRST_WORDS)}”`,
  );
  const title = cleanLine(jobTitle) || `proposal ${id}`;
  return sectionBlock(
    words,
    buttonElement({
      id: actionIds.bidUseLetter,
      label: 'Use Letter',
      value: String(id),
      accessibilityLabel: `Use the letter for ${title}`,
    }),
  );
}

/** The letter that an inserted one replaced can come back. */
function insertedBlocks({ draft: { insertedLetter } }: BidFormFacts): KnownBlock[] {
  if (!insertedLetter) return [];
  const words = 'The letter below is inserted. Change it to fit this project before you send it.';
  if (insertedLetter.replaced === undefined) return [sectionBlock(words)];
  const swap = buttonElement({ id: actionIds.bidSwapLetter, label: 'Swap Letters', value: 'swap' });
  return [sectionBlock(`${words} Your previous letter is kept.`, swap)];
}

/** Above the letter's input; nothing while no similar proposal got an answer. */
export function answeredLetterBlocks(facts: BidFormFacts): KnownBlock[] {
  const { letters = [] } = facts;
  return [
    ...(letters.length > 0
      ? [
          sectionBlock(
            '*Start from a letter that worked.* Similar proposals that led to an interview or a hire:',
          ),
          ...letters.map(letterRow),
        ]
      : []),
    ...insertedBlocks(facts),
  ];
}
