/** What other rooms use of cards. */
export { CLAIM_WORDS } from './card-actions.ts';
export { compactCardText } from './card-message.ts';
export { projectAlreadyClaimedMessage } from './card-notices.ts';
export { findWindowRefusal, WINDOW_OUTDATED } from './card-window.ts';
export { projectHistoryBlocks } from './details-view.ts';
export {
  lookUpForCost,
  openDetailsWindow,
  type ProjectHistory,
  readProjectHistory,
} from './details-window.ts';
