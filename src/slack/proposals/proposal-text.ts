/** A proposal's letter and answers as plain text, within the limits of a message or a modal. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import { contextBlock, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { cleanText } from '../kit/clean-text.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { findPartEnd, splitIntoParts } from '../kit/text-parts.ts';

const LONGEST_QUESTION = 600;

/** In characters and blocks; longer texts are clipped with a notice. */
export interface ProposalTextLimits {
  readonly letter: number;
  /** For all questions and answers together. */
  readonly answers: number;
  readonly answerBlocks: number;
}

function textBlocks(text: string): KnownBlock[] {
  return splitIntoParts(text).map((part) => ({ type: 'section', text: plainTextObject(part) }));
}

/** The start of the text, and whether it was clipped. */
function cut(text: string, most: number): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= most) return { shown: text, isCut: false };
  return { shown: text.slice(0, findPartEnd(text, 0, most)).trim(), isCut: true };
}

interface Words {
  readonly blocks: readonly KnownBlock[];
  /** Something did not fit. */
  readonly isCut: boolean;
}

function letterWords({ coverLetter }: Proposal, room: ProposalTextLimits): Words {
  const whole = cleanText(coverLetter);
  if (!whole) return { blocks: [sectionBlock('*Cover letter*\nNone')], isCut: false };
  const { shown, isCut } = cut(whole, room.letter);
  const blocks = [
    sectionBlock(`*Cover letter* · ${formatCount(whole.length, 'character')}`),
    ...textBlocks(shown),
  ];
  const notice = `Showing ${formatNumber(shown.length)} of ${formatNumber(whole.length)} characters.`;
  return { blocks: isCut ? [...blocks, contextBlock(notice)] : blocks, isCut };
}

/** One question with its answer, as far as there is room. */
function answerWords(
  { question, answer }: Proposal['answers'][number],
  place: number,
  room: number,
): { readonly blocks: KnownBlock[]; readonly size: number; readonly isCut: boolean } {
  const asked = safeLine(question, LONGEST_QUESTION) || 'No question text';
  const whole = cleanText(answer);
  const { shown, isCut } = cut(whole, Math.max(0, room - asked.length));
  const notice = `Showing ${formatNumber(shown.length)} of ${formatNumber(whole.length)} characters.`;
  const blocks = [
    sectionBlock(`*Question ${formatNumber(place)}:* ${asked}`),
    ...(whole ? textBlocks(shown) : [contextBlock('No answer')]),
    ...(isCut ? [contextBlock(notice)] : []),
  ];
  return { blocks, size: asked.length + shown.length, isCut };
}

function answersWords({ answers }: Proposal, room: ProposalTextLimits): Words {
  const blocks: KnownBlock[] = [];
  let left = room.answers;
  let isCut = false;
  for (const [index, each] of answers.entries()) {
    const next = answerWords(each, index + 1, left);
    // One block is for the notice.
    if (left < LONGEST_QUESTION || blocks.length + next.blocks.length >= room.answerBlocks) {
      const more = answers.length - index;
      return {
        blocks: [...blocks, contextBlock(`…and ${formatCount(more, 'more question')} and answers`)],
        isCut: true,
      };
    }
    blocks.push(...next.blocks);
    left -= next.size;
    isCut ||= next.isCut;
  }
  return { blocks, isCut };
}

/** The letter, then the answers. */
export function proposalTextBlocks(proposal: Proposal, room: ProposalTextLimits): Words {
  const letter = letterWords(proposal, room);
  const answers = answersWords(proposal, room);
  return { blocks: [...letter.blocks, ...answers.blocks], isCut: letter.isCut || answers.isCut };
}
