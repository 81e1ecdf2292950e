/** One proposal in full: for `/gig proposals` with an ID, for a job's button, and in a modal. */
import type { ModalView } from '@slack/types';
import type { Job } from '../../bidding/bidding.ts';
import { type JobId, ProposalId } from '../../ids.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { FindProposalOutcome, ProposalReference } from '../../proposals/proposals.ts';
import {
  findJob,
  JOB_PRESS_OUTDATED,
  jobProposalMessage,
  jobViewDenialMessage,
  noProposalMessage,
} from '../bids/bids.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, Message, Services } from '../core/routes.ts';
import { PROPOSAL_REQUEST_LABEL } from '../core/slow-reply.ts';
import { joinLines, loadingView, noticeView } from '../kit/block-builders.ts';
import { parseJobId } from '../kit/button-values.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import {
  type ProposalFacts,
  type ProposalTextLimits,
  proposalBlocks,
  proposalDetailsMessage,
} from './proposal-details.ts';

export function noSuchProposalMessage(words: string): Message {
  return {
    text:
      `Couldn't find proposal ${codeText(words, 100)} in the marketplace. Check the number. ` +
      'The profile that sent it may not be connected to your team.',
  };
}

export const PROPOSAL_PRESS_OUTDATED: Message = {
  text: `This answer is out of date. Search again with ${codeText(`${SLASH_COMMAND} proposals`)}.`,
};

function readProposalFacts(
  { proposals, clock }: Services,
  { proposal, from }: Pick<Extract<FindProposalOutcome, { kind: 'found' }>, 'proposal' | 'from'>,
  job?: JobId,
): ProposalFacts {
  if (from === 'marketplace') return { proposal, readAt: clock.now(), job };
  const profile = proposal.profile?.id;
  const profileReadAt = proposals.mirror.estimateProgress().find((each) => each.profile === profile)?.readAt;
  return { proposal, profileReadAt, job };
}

export async function answerProposal(call: CommandCall, reference: ProposalReference): Promise<void> {
  const { services, args } = call;
  const found = await services.proposals.findProposal(reference);
  if (found.kind === 'found') return call.answer(proposalDetailsMessage(readProposalFacts(services, found)));
  const quoted = codeText(`${SLASH_COMMAND} proposals "${args}"`, 150);
  const { text } = noSuchProposalMessage(args);
  await call.answer({ text: joinLines(text, `To search for it as a word, use quotes: ${quoted}`) });
}

async function findJobProposal(
  job: Job,
  { proposals, log }: ActionCall['services'],
): Promise<FindProposalOutcome | { readonly kind: 'failed'; readonly code: string }> {
  const id = ProposalId.safeParse(job.proposal?.id).data;
  const { applicationUid: uid } = job;
  if (id === undefined && uid === undefined) return { kind: 'none' };
  try {
    return await proposals.findProposal({ id, uid });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    log.warn("could not load a job's proposal", { job: job.id, code: thrown.code });
    return { kind: 'failed', code: thrown.code };
  }
}

/** The full proposal if readable; else the last state read while Gigdesk followed the job. */
async function showJobProposal(call: ActionCall): Promise<void> {
  const id = parseJobId(call.value);
  if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
  const job = await findJob(call.services, id);
  const hidden = await jobViewDenialMessage(call, job);
  if (hidden) return call.answer(hidden);
  const found = job && (await findJobProposal(job, call.services));
  if (found?.kind === 'found')
    return call.answer(proposalDetailsMessage(readProposalFacts(call.services, found, id)));
  const trouble = found?.kind === 'failed' ? found.code : undefined;
  if (job?.proposal) return call.answer(jobProposalMessage(job, job.proposal, trouble));
  await call.answer(noProposalMessage(job, trouble));
}

export const showProposalAction: ActionRoute = {
  id: actionIds.proposalShow,
  needs: 'viewer',
  pendingLabel: PROPOSAL_REQUEST_LABEL,
  run: showJobProposal,
};

/** Out of 250 kB and 100 blocks: a character takes at most 3 bytes, except those that JSON escapes. */
const VIEW_ROOM: ProposalTextLimits = { letter: 30_000, answers: 35_000, answerBlocks: 75 };

function modalTitle(id: ProposalId): string {
  return `Proposal ${id}`;
}

export function proposalView(facts: ProposalFacts): ModalView {
  return noticeView(modalTitle(facts.proposal.id), proposalBlocks(facts, VIEW_ROOM).blocks);
}

async function loadIntoModal(call: ActionCall, viewId: string, id: ProposalId): Promise<void> {
  const { services } = call;
  try {
    const found = await services.proposals.findProposal({ id });
    const view =
      found.kind === 'found'
        ? proposalView(readProposalFacts(services, found))
        : noticeView(modalTitle(id), noSuchProposalMessage(String(id)).text);
    await updateViewIfOpen(services, viewId, view);
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not show a proposal', thrown);
    await updateViewIfOpen(services, viewId, noticeView(modalTitle(id), failure.text));
  }
}

/** At once from memory, since the trigger expires after 3 s; missing proposals load into the open modal. */
async function openModal(call: ActionCall): Promise<void> {
  const { slack, proposals } = call.services;
  const id = /^\d{1,15}$/u.test(call.value) ? ProposalId.safeParse(Number(call.value)).data : undefined;
  if (id === undefined) return call.answer(PROPOSAL_PRESS_OUTDATED);
  const proposal = proposals.mirror.get(id);
  if (proposal) {
    const facts = readProposalFacts(call.services, { proposal, from: 'mirror' });
    await slack.openView(call.triggerId, proposalView(facts));
    return;
  }
  await loadIntoModal(call, await slack.openView(call.triggerId, loadingView(modalTitle(id))), id);
}

export const openProposalAction: ActionRoute = {
  id: actionIds.proposalOpen,
  needs: 'viewer',
  run: openModal,
};
