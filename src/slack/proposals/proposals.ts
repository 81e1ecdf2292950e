/** What other rooms use of proposals. */
export { findProposalReadTime, proposalView } from './proposal-command.ts';
export { type ProposalFacts, proposalDetailsMessage, sharedProposalMessage } from './proposal-details.ts';
export { noProposalsReason, readProposalsCoverage, readShownProposalsPage } from './proposals-command.ts';
export {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
  proposalsStatusText,
} from './proposals-coverage.ts';
export { proposalsMessage, sharedProposalsMessage } from './proposals-found.ts';
