/** What other rooms use of sharing. */
export { SHARED_NOTE, shareToChannelButton } from './share-messages.ts';
export { type ShownProposals, saveShownProposals } from './shown-proposals.ts';
