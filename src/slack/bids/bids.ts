/** What other rooms use of bids. */
export { createApprovalViews, HOME_APPROVAL_VIEWS, openReview } from './approval-actions.ts';
export { reviewButton } from './approval-message.ts';
export { findApprovers } from './approvers.ts';
export { bidButtons, canApproveJob, disqualificationBlocks, openBidButton } from './bid-buttons.ts';
export { openBidCheck } from './bid-form-actions.ts';
export { findRecentProjectLookup } from './bid-form-facts.ts';
export { bidAmountText, biddingLines, jobProgressText } from './bid-lines.ts';
export {
  openBidAction,
  openBidModal,
  openBidModalForMessage,
  readBidProjectInfo,
  toCallOrigin,
} from './bid-open.ts';
export { findHeldOrder, openHeldReview } from './held-actions.ts';
export { heldOrderButton, heldOrderName } from './held-message.ts';
export { holdStateText } from './hold-text.ts';
export { jobProposalMessage, noProposalMessage } from './job-details.ts';
export { findJob, JOB_PRESS_OUTDATED, jobViewDenialMessage } from './jobs.ts';
export { setupLine } from './setups.ts';
