import { readProposalReference } from '../../proposals/find-proposal.ts';
import { readProposalFacts } from '../actions/proposal-read.ts';
import { proposalMessage } from '../messages/proposal-full.ts';
import {
  noReferenceMessage,
  noSuchProposalMessage,
  whichProposalMessage,
} from '../messages/proposal-missing.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';

async function run(call: CommandCall): Promise<void> {
  if (call.args === '') return call.answer(whichProposalMessage());
  const reference = readProposalReference(call.args);
  if (!reference) return call.answer(noReferenceMessage(call.args));
  const found = await call.services.proposals.find(reference);
  if (found.kind === 'none') return call.answer(noSuchProposalMessage(call.args));
  await call.answer(proposalMessage(await readProposalFacts(call, found)));
}

export const proposal: CommandRoute = {
  word: 'proposal',
  topic: 'proposals',
  needs: 'viewer',
  usage: ['proposal <id | application uid>'],
  summary: 'Show a proposal in full: letter, answers, terms, boost, position and outcome.',
  details:
    "Only you see the reply until you share it. It costs no credits, and works for profiles that aren't followed.",
  examples: ['proposal 900', 'proposal 1795165021234567890'],
  mayWait: true,
  run,
};
