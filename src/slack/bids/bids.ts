/** What other rooms use of bids. */
export { approveJobButton, bidButtons, canApproveJob } from './bid-buttons.ts';
export { findRecentProjectLookup } from './bid-facts.ts';
export { bidAmountText, biddingLines, jobProgressText } from './bid-lines.ts';
export { openBidAction, openBidModal, openBidModalForMessage, toCallOrigin } from './bid-open.ts';
export { readBidProjectInfo } from './bid-subject.ts';
export { disqualificationBlocks } from './disqualified.ts';
export { approvePressedJob } from './job-actions.ts';
export { JOB_PRESS_OUTDATED } from './job-answers.ts';
export { findJob, jobViewDenialMessage } from './job-permissions.ts';
export { jobProposalMessage, noProposalMessage } from './job-proposal.ts';
export { setupLine } from './setups-list.ts';
