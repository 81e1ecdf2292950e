import type { ProposalId } from '../../ids.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { PROPOSAL_PRESS_OUTDATED } from './proposal-missing.ts';
import {
  proposalGoneView,
  proposalLoadingView,
  proposalMessageView,
  proposalView,
} from './proposal-modal.ts';
import { readProposalFacts } from './proposal-read.ts';
import { parseProposalId } from './proposals-values.ts';

/** Loads the proposal into an open, waiting modal. */
async function load(call: ActionCall, viewId: string, id: ProposalId): Promise<void> {
  const { services } = call;
  try {
    const found = await services.proposals.findProposal({ id });
    const view =
      found.kind === 'found' ? proposalView(await readProposalFacts(call, found)) : proposalGoneView(id);
    await updateViewIfOpen(services, viewId, view);
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not show a proposal', thrown);
    await updateViewIfOpen(services, viewId, proposalMessageView(id, failure));
  }
}

/**
 * Opens at once from memory, since the trigger expires after 3 s; missing proposals load into the open modal.
 */
async function open(call: ActionCall): Promise<void> {
  const { slack, proposals } = call.services;
  const id = parseProposalId(call.value);
  if (id === undefined) return call.answer(PROPOSAL_PRESS_OUTDATED);
  const proposal = proposals.mirror.get(id);
  if (proposal) {
    const facts = await readProposalFacts(call, { proposal, from: 'mirror' });
    await slack.openView(call.triggerId, proposalView(facts));
    return;
  }
  await load(call, await slack.openView(call.triggerId, proposalLoadingView(id)), id);
}

export const openProposalAction: ActionRoute = { id: actionIds.proposalOpen, needs: 'viewer', run: open };
