/** What other rooms use of status. */
export { allFeedsStoppedText } from './status-message.ts';
export { requestsDelayedText } from './status-parts.ts';
