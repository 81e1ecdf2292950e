/** What other rooms use of bids. */
export { approveJobButton, bidButtons, canApproveJob, disqualificationBlocks } from './bid-buttons.ts';
export { findRecentProjectLookup } from './bid-facts.ts';
export { bidAmountText, biddingLines, jobProgressText } from './bid-lines.ts';
export { openBidAction, openBidModal, openBidModalForMessage, toCallOrigin } from './bid-open.ts';
export { readBidProjectInfo } from './bid-subject.ts';
export { JOB_PRESS_OUTDATED } from './job-answers.ts';
export { jobProposalMessage, noProposalMessage } from './job-details.ts';
export { approvePressedJob, findJob, jobViewDenialMessage } from './jobs.ts';
export { setupLine } from './setups-list.ts';
