import { parseProposalReference } from '../../proposals/proposal-service.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { proposalDetailsMessage } from './proposal-details.ts';
import {
  invalidProposalIdMessage,
  missingProposalIdMessage,
  noSuchProposalMessage,
} from './proposal-missing.ts';
import { readProposalFacts } from './proposal-read.ts';

async function run(call: CommandCall): Promise<void> {
  if (call.args === '') return call.answer(missingProposalIdMessage());
  const reference = parseProposalReference(call.args);
  if (!reference) return call.answer(invalidProposalIdMessage(call.args));
  const found = await call.services.proposals.findProposal(reference);
  if (found.kind === 'none') return call.answer(noSuchProposalMessage(call.args));
  await call.answer(proposalDetailsMessage(await readProposalFacts(call, found)));
}

export const proposalCommand: CommandRoute = {
  word: 'proposal',
  topic: 'proposals',
  needs: 'viewer',
  usage: ['proposal <id | application uid>'],
  summary: 'Show a proposal in full: letter, answers, terms, boost, position and outcome.',
  details:
    'Only you see the reply until you share it. ' +
    "It costs no credits, and works for profiles that aren't followed.",
  examples: ['proposal 900', 'proposal 1795165021234567890'],
  isSlow: true,
  run,
};
