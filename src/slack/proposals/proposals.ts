/** What other rooms use of proposals. */
export { type ProposalFacts, proposalDetailsMessage, sharedProposalMessage } from './proposal-details.ts';
export { proposalView } from './proposal-modal.ts';
export { findProposalReadTime } from './proposal-read.ts';
export {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
  proposalsStatusText,
} from './proposals-coverage.ts';
export { proposalsMessage, sharedProposalsMessage } from './proposals-found.ts';
export {
  noProposalsReason,
  readProposalsCoverage,
  readShownProposalsPage,
  saveResultsForSharing,
} from './render-proposals.ts';
