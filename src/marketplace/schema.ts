/**
 * Domain shapes of the marketplace's answers, as Gigdesk stores and uses them: camelCase, times as instants,
 * only the fields that it uses. Projects need only a title and url; everything else may be missing.
 */
export { ApprovedJob, BiddingSetup, CreatedJob, JobStatusReport } from './wire/bidding.ts';
export { Paging, ResponseCredits } from './wire/envelope.ts';
export {
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  type ProjectClient,
  type WorkHistoryEntry,
} from './wire/projects.ts';
export {
  Invitation,
  Proposal,
  ProposalTemplate,
  type ProposalTemplateInput,
  type ProposalTexts,
  type ProposalWithoutTexts,
} from './wire/proposals.ts';
export { Verdict } from './wire/verdict.ts';
