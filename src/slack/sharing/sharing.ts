/** What other rooms use of sharing. */
export {
  SHARED_NOTE,
  type ShownProposals,
  saveResultsForSharing,
  shareToChannelButton,
} from './shown-proposals.ts';
