/** What other rooms use of cards. */
export { CLAIM_WORDS } from './card-actions.ts';
export { compactCardText } from './card-message.ts';
export { projectAlreadyClaimedMessage } from './card-notices.ts';
export { findWindowRefusal, WINDOW_OUTDATED } from './card-window.ts';
export { lookUpForCost, openDetailsWindow } from './details-window.ts';
export { type ProjectHistory, projectHistoryBlocks, readProjectHistory } from './project-history.ts';
