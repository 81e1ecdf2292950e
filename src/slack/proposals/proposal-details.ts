/** One proposal with everything known about it: for one person, and shared with the channel. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { JobId, UserId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  fieldsSection,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { formatDateCapitalized, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { codeText } from '../kit/query-error.ts';
import { formatTimeAgo } from '../kit/time-ago.ts';
import { connectsAndPositionText, jobLabel } from '../kit/words/job-text.ts';
import { SHARED_NOTE, shareToChannelButton } from '../sharing/sharing.ts';
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
import { type ProposalTextLimits, proposalTextBlocks } from './proposal-text.ts';

export interface ProposalFacts {
  readonly proposal: Proposal;
  /** When the proposal itself was read. */
  readonly readAt?: Instant | undefined;
  /** When its profile was last read, for a proposal from the mirror. */
  readonly profileReadAt?: Instant | undefined;
  /** The job that created it, if requested. */
  readonly job?: JobId | undefined;
  /** The key for sharing it; missing: it can't be shared. */
  readonly share?: string | undefined;
  /** The user has shared it. */
  readonly isShared?: boolean;
}

/** All text of a message is limited to 13,000 characters; these limits leave room for everything else. */
const MESSAGE_ROOM: ProposalTextLimits = { letter: 6_000, answers: 3_000, answerBlocks: 30 };
const LONGEST_UID = 80;

function fact(label: string, words: string | undefined): string[] {
  return words ? [`*${label}*\n${words}`] : [];
}

function occupationText({ occupation, occupationUid }: Proposal): string | undefined {
  const name = safeLine(occupation ?? '', 80);
  return name || (occupationUid ? codeText(occupationUid, 40) : undefined);
}

/** In two columns; at most ten. */
function factsOf(proposal: Proposal): readonly string[] {
  return [
    ...fact('Sent', formatTimeIfShowable(proposal.submittedAt, formatDateCapitalized)),
    ...fact('Job posted', formatTimeIfShowable(proposal.jobPostedAt, formatDateCapitalized)),
    ...fact('Freelancer', proposalFreelancerText(proposal)),
    ...fact('Profile', proposalProfileText(proposal)),
    ...fact('Organization', organizationText(proposal)),
    ...fact('Business manager', managerText(proposal)),
    ...fact('Terms', proposalTermsText(proposal)),
    ...fact('Cost and position', connectsAndPositionText(proposal)),
    ...fact('Template', proposalTemplateName(proposal)),
    ...fact('Occupation', occupationText(proposal)),
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

/** The blocks above the letter, wherever a full proposal shows. */
export function proposalHeadBlocks(proposal: Proposal): KnownBlock[] {
  const facts = factsOf(proposal);
  return [
    sectionBlock(joinLines(`*${proposalTitle(proposal)}*`, outcomeBadgesText(proposal))),
    ...(facts.length > 0 ? [fieldsSection(facts)] : []),
  ];
}

/** The blocks below the answers. */
export function proposalFootBlocks(facts: ProposalFacts): KnownBlock[] {
  return [contextBlock(footText(facts)), ...(facts.isShared ? [contextBlock(SHARED_NOTE)] : [])];
}

function notificationText(proposal: Proposal): string {
  return `${proposalTitle(proposal)}: ${proposalOutcomeText(proposal)}`;
}

/** Ephemeral. A button shows the rest. */
export function proposalDetailsMessage(facts: ProposalFacts): Message {
  const { proposal, share, isShared } = facts;
  const words = proposalTextBlocks(proposal, MESSAGE_ROOM);
  const buttons = [
    ...(words.isCut
      ? [buttonElement({ id: actionIds.proposalOpen, label: 'Read All', value: String(proposal.id) })]
      : []),
    ...(share !== undefined && !isShared ? [shareToChannelButton(share, `proposal ${proposal.id}`)] : []),
  ];
  return {
    text: notificationText(proposal),
    blocks: [
      ...proposalHeadBlocks(proposal),
      ...words.blocks,
      ...proposalFootBlocks(facts),
      ...actionsBlocks(buttons),
    ],
  };
}

/** For the channel. */
export function sharedProposalMessage(facts: ProposalFacts, by: UserId): Message {
  const { proposal } = facts;
  const words = proposalTextBlocks(proposal, MESSAGE_ROOM);
  const all = `Read it in full with ${codeText(`${SLASH_COMMAND} proposal ${proposal.id}`)}.`;
  return {
    text: `${formatMention(by)} shared a proposal: ${notificationText(proposal)}`,
    blocks: [
      sectionBlock(`${formatMention(by)} shared a proposal:`),
      ...proposalHeadBlocks(proposal),
      ...words.blocks,
      ...proposalFootBlocks({ ...facts, isShared: false }),
      ...(words.isCut ? [contextBlock(all)] : []),
    ],
  };
}
