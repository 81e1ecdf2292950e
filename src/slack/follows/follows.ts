/** What other rooms use of personal follow. */
export { notifyMeButton } from './follow-messages.ts';
