/** What other rooms use of status. */
export { requestsDelayedText } from './gate-status.ts';
export { allFeedsStoppedText } from './status-message.ts';
