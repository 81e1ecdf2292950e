/** One proposal in a modal: opens at once, from memory. Pure. */
import type { ModalView } from '@slack/types';
import type { ProposalId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlocks } from '../kit/block-builders.ts';
import { loadingView, noticeView } from '../kit/notice-view.ts';
import { shareToChannelButton } from '../sharing/sharing.ts';
import { type ProposalFacts, proposalFootBlocks, proposalHeadBlocks } from './proposal-details.ts';
import { noSuchProposalMessage } from './proposal-missing.ts';
import { type ProposalTextLimits, proposalTextBlocks } from './proposal-text.ts';

/** Out of 250 kB and 100 blocks: a character takes at most 3 bytes, except those that JSON escapes. */
const VIEW_ROOM: ProposalTextLimits = { letter: 30_000, answers: 35_000, answerBlocks: 75 };

function titleOf(id: ProposalId): string {
  return `Proposal ${id}`;
}

/** Its `private_metadata` is the ID of what it shows: that record has the channel to share with. */
export function proposalView(facts: ProposalFacts): ModalView {
  const { proposal, share, isShared } = facts;
  const button =
    share !== undefined && !isShared ? [shareToChannelButton(share, `proposal ${proposal.id}`)] : [];
  const view = noticeView(titleOf(proposal.id), [
    ...proposalHeadBlocks(proposal),
    ...proposalTextBlocks(proposal, VIEW_ROOM).blocks,
    ...proposalFootBlocks(facts),
    ...actionsBlocks(button),
  ]);
  return share === undefined ? view : { ...view, private_metadata: share };
}

export function proposalLoadingView(id: ProposalId): ModalView {
  return loadingView(titleOf(id));
}

export function proposalGoneView(id: ProposalId): ModalView {
  return proposalMessageView(id, noSuchProposalMessage(String(id)));
}

/** Replaces the proposal if it could not be read. */
export function proposalMessageView(id: ProposalId, { text }: Message): ModalView {
  return noticeView(titleOf(id), text);
}
