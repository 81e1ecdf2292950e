/** One proposal with all that is known of it: for the person alone, and as it is shared with the channel. */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { JobId, UserId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import { dateFirst, mention, safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { costAndPlace, jobName } from './job-words.ts';
import { codeText } from './mistake.ts';
import { actions, button, context, fields, line, lines, section } from './parts.ts';
import {
  freelancerText,
  managerText,
  momentText,
  organizationText,
  outcomeMarks,
  outcomeText,
  profileText,
  proposalTitle,
  templateName,
  termsText,
} from './proposal-facts.ts';
import { proposalWords, type Room } from './proposal-words.ts';
import { SHARED_NOTE, shareButton } from './proposals-share.ts';
import { ago } from './when.ts';

export interface ProposalFacts {
  readonly proposal: Proposal;
  /** When it was read by itself. */
  readonly readAt?: Instant | undefined;
  /** When its profile was last read, where it comes out of the mirror. */
  readonly profileReadAt?: Instant | undefined;
  /** The job that it came of, where that was asked for. */
  readonly job?: JobId | undefined;
  /** By which it can be shared; missing: it can't be. */
  readonly share?: string | undefined;
  /** The person has shared it. */
  readonly isShared?: boolean;
}

/** All text of a message is 13,000 characters; what these leave is for everything else. */
const MESSAGE_ROOM: Room = { letter: 6_000, answers: 3_000, answerBlocks: 30 };
const LONGEST_UID = 80;

function fact(label: string, words: string | undefined): string[] {
  return words ? [`*${label}*\n${words}`] : [];
}

function occupationText({ occupation, occupationUid }: Proposal): string | undefined {
  const name = safeLine(occupation ?? '', 80);
  return name || (occupationUid ? codeText(occupationUid, 40) : undefined);
}

/** In two columns; ten at the most. */
function factsOf(proposal: Proposal): readonly string[] {
  return [
    ...fact('Sent', momentText(proposal.submittedAt, dateFirst)),
    ...fact('Job posted', momentText(proposal.jobPostedAt, dateFirst)),
    ...fact('Freelancer', freelancerText(proposal)),
    ...fact('Profile', profileText(proposal)),
    ...fact('Organization', organizationText(proposal)),
    ...fact('Business manager', managerText(proposal)),
    ...fact('Terms', termsText(proposal)),
    ...fact('Cost and position', costAndPlace(proposal)),
    ...fact('Template', templateName(proposal)),
    ...fact('Occupation', occupationText(proposal)),
  ];
}

function footText({ proposal, readAt, profileReadAt, job }: ProposalFacts): string {
  const { id, applicationUid } = proposal;
  return line(
    `Proposal ${id}`,
    job === undefined ? undefined : jobName(job),
    applicationUid ? `application ${codeText(applicationUid, LONGEST_UID)}` : undefined,
    readAt === undefined ? undefined : `checked ${ago(readAt)}`,
    profileReadAt === undefined ? undefined : `profile last checked ${ago(profileReadAt)}`,
  );
}

/** What stands above the letter, everywhere where a proposal is shown in full. */
export function proposalHead(proposal: Proposal): KnownBlock[] {
  const facts = factsOf(proposal);
  return [
    section(lines(`*${proposalTitle(proposal)}*`, outcomeMarks(proposal))),
    ...(facts.length > 0 ? [fields(facts)] : []),
  ];
}

/** What stands below the answers. */
export function proposalFoot(facts: ProposalFacts): KnownBlock[] {
  return [context(footText(facts)), ...(facts.isShared ? [context(SHARED_NOTE)] : [])];
}

function notificationText(proposal: Proposal): string {
  return `${proposalTitle(proposal)}: ${outcomeText(proposal)}`;
}

/** Ephemeral. What does not fit is a press away. */
export function proposalMessage(facts: ProposalFacts): Message {
  const { proposal, share, isShared } = facts;
  const words = proposalWords(proposal, MESSAGE_ROOM);
  const buttons = [
    ...(words.isCut
      ? [button({ id: actionIds.proposalOpen, label: 'Read All', value: String(proposal.id) })]
      : []),
    ...(share !== undefined && !isShared ? [shareButton(share, `proposal ${proposal.id}`)] : []),
  ];
  return {
    text: notificationText(proposal),
    blocks: [
      ...proposalHead(proposal),
      ...words.blocks,
      ...proposalFoot(facts),
      ...(buttons.length > 0 ? [actions(buttons)] : []),
    ],
  };
}

/** For the channel. */
export function sharedProposalMessage(facts: ProposalFacts, by: UserId): Message {
  const { proposal } = facts;
  const words = proposalWords(proposal, MESSAGE_ROOM);
  const all = `Read it in full with ${codeText(`${COMMAND} proposal ${proposal.id}`)}.`;
  return {
    text: `${mention(by)} shared a proposal: ${notificationText(proposal)}`,
    blocks: [
      section(`${mention(by)} shared a proposal:`),
      ...proposalHead(proposal),
      ...words.blocks,
      ...proposalFoot({ ...facts, isShared: false }),
      ...(words.isCut ? [context(all)] : []),
    ],
  };
}
