/** What other rooms use of cards. */
export { projectAlreadyClaimedMessage } from './card-questions.ts';
export { findWindowRefusal, WINDOW_OUTDATED } from './card-window.ts';
export { pastBlocks } from './details-view.ts';
