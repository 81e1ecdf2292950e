/** What other rooms use of proposals. */
export { noProposalsReason, readProposalsCoverage } from './proposals-command.ts';
export {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
  proposalsStatusText,
} from './proposals-coverage.ts';
