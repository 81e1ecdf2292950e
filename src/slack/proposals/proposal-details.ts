/**
 * A proposal's facts in short lines, and all that is known of it within the limits of a message or a modal.
 * Names are strangers' text; all results are mrkdwn. Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { JobId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import { listReachedOutcomes } from '../../proposals/outcomes.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  capitalize,
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
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import { connectsAndPositionText, jobLabel } from '../kit/words/job-text.ts';
import { OUTCOMES_BY_IMPORTANCE, outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';
import { organizationName, profileName } from '../kit/words/profiles.ts';

/** The job's title, or `Proposal 900` if unknown. */
export function proposalTitle({ id, jobTitle }: Proposal): string {
  return safeLine(jobTitle ?? '', 150) || `Proposal ${id}`;
}

/** undefined for a moment that Slack can't show. @param write the format for this place */
export function formatTimeIfShowable<T>(at: Instant | undefined, write: (at: Instant) => T): T | undefined {
  return at === undefined || at < 0 ? undefined : write(at);
}

/** `:tada: Hired · :eyes: viewed · from an invitation`, or `Not viewed yet`. */
function outcomeBadgesText(proposal: Proposal): string {
  const reached = listReachedOutcomes(proposal);
  const outcomes = OUTCOMES_BY_IMPORTANCE.filter((outcome) => reached.includes(outcome)).map(
    (each, place) =>
      `${outcomeEmoji([each])} ${place === 0 ? capitalize(outcomeLabel(each)) : outcomeLabel(each)}`,
  );
  return joinFacts(
    ...(outcomes.length > 0 ? outcomes : ['Not viewed yet']),
    proposal.fromInvitation ? ':envelope: from an invitation' : undefined,
    proposal.archived ? ':file_cabinet: archived' : undefined,
  );
}

/** Its outcomes as plain text, for notifications. */
export function proposalOutcomeText(proposal: Proposal): string {
  return outcomeLabels(listReachedOutcomes(proposal)) || 'not viewed yet';
}

function nameText(name: string | undefined): string | undefined {
  return safeLine(name ?? '', 80) || undefined;
}

export function proposalFreelancerText({ freelancer }: Proposal): string | undefined {
  return freelancer && (nameText(freelancer.name) ?? `freelancer ${freelancer.id}`);
}

export function proposalProfileText({ profile }: Proposal): string | undefined {
  return profile && profileName({ id: profile.id, name: profile.label });
}

/** `“Short pitch” (12), letter A` */
export function proposalTemplateName({ template, variant }: Proposal): string | undefined {
  const name = template && nameText(template.name);
  const called = name ? `“${name}” (${template.id})` : template && String(template.id);
  const letter = safeLine(variant ?? '', 40);
  return [called, letter && `letter ${letter}`].filter(Boolean).join(', ') || undefined;
}

/** `$1,500 fixed`, `$45 an hour, raised by 10% (frequency 6)`: the frequency's unit is not documented. */
function proposalTermsText({ terms }: Proposal): string | undefined {
  const { fixedPrice, hourlyRate, increasePercent, increaseFrequency } = terms;
  const often = increaseFrequency === undefined ? '' : ` (frequency ${formatNumber(increaseFrequency)})`;
  const raise = increasePercent ? `${formatNumber(increasePercent)}% increase${often}` : undefined;
  // 0 means none: no bid is below 3 dollars.
  const fixed = fixedPrice && `${formatMoney(fixedPrice)} fixed`;
  const hourly = hourlyRate && `${formatMoney(hourlyRate)} an hour`;
  return [fixed, hourly, raise].filter(Boolean).join(', ') || undefined;
}

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

function cut(text: string, most: number) {
  if (text.length <= most) return { shown: text, isCut: false };
  return { shown: text.slice(0, findPartEnd(text, 0, most)).trim(), isCut: true };
}

interface Words {
  readonly blocks: readonly KnownBlock[];
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

function answerWords({ question, answer }: Proposal['answers'][number], place: number, room: number) {
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
      const more = `…and ${formatCount(answers.length - index, 'more question')} and answers`;
      return { blocks: [...blocks, contextBlock(more)], isCut: true };
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

function factsOf(proposal: Proposal): readonly string[] {
  const { occupation = '', occupationUid, organization: sender, businessManager: manager } = proposal;
  return [
    ...fact('Sent', formatTimeIfShowable(proposal.submittedAt, formatDateCapitalized)),
    ...fact('Project posted', formatTimeIfShowable(proposal.jobPostedAt, formatDateCapitalized)),
    ...fact('Freelancer', proposalFreelancerText(proposal)),
    ...fact('Profile', proposalProfileText(proposal)),
    ...fact('Organization', sender && organizationName({ id: sender.id, name: sender.label })),
    ...fact('Business manager', manager && (nameText(manager.name) ?? `manager ${manager.id}`)),
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
