/** What other rooms use of cards. */
export { projectAlreadyClaimedMessage } from './card-questions.ts';
export { type DetailsReply, postDetailsOnce } from './details-actions.ts';
