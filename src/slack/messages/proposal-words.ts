/** The long texts of a proposal, its letter and its answers, as plain text within what a message or a modal holds. */
import type { KnownBlock } from '@slack/types';
import type { Proposal } from '../../marketplace/schema.ts';
import { cleanText } from '../blocks/clean-text.ts';
import { limits } from '../blocks/limits.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { context, plain, section } from './parts.ts';

const PART = limits.sectionText.max;
/** How far back from a full block a line's or a word's end is looked for. */
const LOOK_BACK = 400;
const LONGEST_QUESTION = 600;

/** In characters and blocks; what goes beyond is cut with a notice. */
export interface Room {
  readonly letter: number;
  /** All questions and answers together. */
  readonly answers: number;
  readonly answerBlocks: number;
}

/** Never between the halves of a pair; behind a line or a word where one ends near. */
function endOfPart(text: string, from: number, most: number): number {
  const full = from + most;
  if (full >= text.length) return text.length;
  const near = text.slice(Math.max(from + 1, full - LOOK_BACK), full);
  const gap = Math.max(near.lastIndexOf('\n'), near.lastIndexOf(' '));
  if (gap >= 0) return full - near.length + gap + 1;
  const last = text.charCodeAt(full - 1);
  return last >= 0xd800 && last <= 0xdbff && most > 1 ? full - 1 : full;
}

/** Parts of at most 3,000 characters, without white space at their ends; none is empty. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = endOfPart(text, from, PART);
    const part = text.slice(from, end).trim();
    if (part) parts.push(part);
    from = end;
  }
  return parts;
}

function textBlocks(text: string): KnownBlock[] {
  return partsOf(text).map((part) => ({ type: 'section', text: plain(part) }));
}

/** Its beginning, and how much there is of it. */
function cut(text: string, most: number): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= most) return { shown: text, isCut: false };
  return { shown: text.slice(0, endOfPart(text, 0, most)).trim(), isCut: true };
}

interface Words {
  readonly blocks: readonly KnownBlock[];
  /** Something did not fit. */
  readonly isCut: boolean;
}

function letterWords({ coverLetter }: Proposal, room: Room): Words {
  const whole = cleanText(coverLetter);
  if (!whole) return { blocks: [section('*Cover letter*\nThere is none.')], isCut: false };
  const { shown, isCut } = cut(whole, room.letter);
  const blocks = [section(`*Cover letter* · ${count(whole.length, 'character')}`), ...textBlocks(shown)];
  const notice = `Cut at ${number(shown.length)} of ${number(whole.length)} characters.`;
  return { blocks: isCut ? [...blocks, context(notice)] : blocks, isCut };
}

/** One question with its answer; what there is no room for is left out. */
function answerWords(
  { question, answer }: Proposal['answers'][number],
  place: number,
  room: number,
): { readonly blocks: KnownBlock[]; readonly size: number; readonly isCut: boolean } {
  const asked = safeLine(question, LONGEST_QUESTION) || 'Without words';
  const whole = cleanText(answer);
  const { shown, isCut } = cut(whole, Math.max(0, room - asked.length));
  const notice = `Cut at ${number(shown.length)} of ${number(whole.length)} characters.`;
  const blocks = [
    section(`*Question ${number(place)}:* ${asked}`),
    ...(whole ? textBlocks(shown) : [context('Not answered.')]),
    ...(isCut ? [context(notice)] : []),
  ];
  return { blocks, size: asked.length + shown.length, isCut };
}

function answersWords({ answers }: Proposal, room: Room): Words {
  const blocks: KnownBlock[] = [];
  let left = room.answers;
  let isCut = false;
  for (const [index, each] of answers.entries()) {
    const next = answerWords(each, index + 1, left);
    // One block is for the notice.
    if (left < LONGEST_QUESTION || blocks.length + next.blocks.length >= room.answerBlocks) {
      const more = answers.length - index;
      return {
        blocks: [...blocks, context(`…and ${count(more, 'more question')} with their answers.`)],
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
export function proposalWords(proposal: Proposal, room: Room): Words {
  const letter = letterWords(proposal, room);
  const answers = answersWords(proposal, room);
  return { blocks: [...letter.blocks, ...answers.blocks], isCut: letter.isCut || answers.isCut };
}
