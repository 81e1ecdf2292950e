/** One proposal with everything known about it, within the limits of a message or a modal. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { JobId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  fieldsSection,
  joinFacts,
  joinLines,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { findPartEnd, splitIntoParts } from '../kit/long-text.ts';
import { cleanText, codeText, formatDateCapitalized, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { connectsAndPositionText, jobLabel } from '../kit/words/job-text.ts';
import {
  formatTimeIfShowable,
  managerText,
  organizationText,
  outcomeBadgesText,
  proposalFreelancerText,
  proposalOutcomeText,
  proposalProfileText,
  proposalTemplateName,
  proposalTermsText,
  proposalTitle,
} from './proposal-facts.ts';

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

export interface ProposalFacts {
  readonly proposal: Proposal;
  /** When the proposal itself was read. */
  readonly readAt?: Instant | undefined;
  /** When its profile was last read, for a proposal from the mirror. */
  readonly profileReadAt?: Instant | undefined;
  /** The job that created it, if requested. */
  readonly job?: JobId | undefined;
}

/** All text of a message is limited to 13,000 characters; these limits leave room for everything else. */
const MESSAGE_ROOM: ProposalTextLimits = { letter: 6_000, answers: 3_000, answerBlocks: 30 };
const LONGEST_UID = 80;

function fact(label: string, words: string | undefined): string[] {
  return words ? [`*${label}*\n${words}`] : [];
}

/** In two columns; at most ten. */
function factsOf(proposal: Proposal): readonly string[] {
  const { occupation = '', occupationUid } = proposal;
  return [
    ...fact('Sent', formatTimeIfShowable(proposal.submittedAt, formatDateCapitalized)),
    ...fact('Project posted', formatTimeIfShowable(proposal.jobPostedAt, formatDateCapitalized)),
    ...fact('Freelancer', proposalFreelancerText(proposal)),
    ...fact('Profile', proposalProfileText(proposal)),
    ...fact('Organization', organizationText(proposal)),
    ...fact('Business manager', managerText(proposal)),
    ...fact('Terms', proposalTermsText(proposal)),
    ...fact('Cost and position', connectsAndPositionText(proposal)),
    ...fact('Template', proposalTemplateName(proposal)),
    ...fact('Occupation', safeLine(occupation, 80) || (occupationUid && codeText(occupationUid, 40))),
  ];
}

function footText({ proposal, readAt, profileReadAt, job }: ProposalFacts): string {
  const { id, applicationUid } = proposal;
  return joinFacts(
    `Proposal ${id}`,
    job === undefined ? undefined : jobLabel(job),
    applicationUid ? `application ${codeText(applicationUid, LONGEST_UID)}` : undefined,
    readAt === undefined ? undefined : `checked ${formatTimeAgo(readAt)}`,
    profileReadAt === undefined ? undefined : `profile last checked ${formatTimeAgo(profileReadAt)}`,
  );
}

/** Title and facts, the letter, the answers, and when all that was read. */
export function proposalBlocks(shown: ProposalFacts, room: ProposalTextLimits): Words {
  const { proposal } = shown;
  const facts = factsOf(proposal);
  const letter = letterWords(proposal, room);
  const answers = answersWords(proposal, room);
  const blocks = [
    sectionBlock(joinLines(`*${proposalTitle(proposal)}*`, outcomeBadgesText(proposal))),
    ...(facts.length > 0 ? [fieldsSection(facts)] : []),
    ...letter.blocks,
    ...answers.blocks,
    contextBlock(footText(shown)),
  ];
  return { blocks, isCut: letter.isCut || answers.isCut };
}

/** Ephemeral. A button shows the rest. */
export function proposalDetailsMessage(facts: ProposalFacts): Message {
  const { proposal } = facts;
  const { blocks, isCut } = proposalBlocks(facts, MESSAGE_ROOM);
  const readAll = { id: actionIds.proposalOpen, label: 'Read All', value: String(proposal.id) };
  return {
    text: `${proposalTitle(proposal)}: ${proposalOutcomeText(proposal)}`,
    blocks: [...blocks, ...(isCut ? [actionsBlock([buttonElement(readAll)])] : [])],
  };
}
