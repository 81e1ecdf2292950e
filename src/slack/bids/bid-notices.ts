/** The bid modal without a form: loading, messages and next steps. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { DraftId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, loadingView, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { BID_TITLE } from './bid-form.ts';

/** Actions in the view find the draft, and with it the channel whose roles apply. */
function ofDraft(view: ModalView, draft: DraftId | undefined): ModalView {
  return draft === undefined ? view : { ...view, private_metadata: draft };
}

export function bidLoadingView(draft: DraftId): ModalView {
  return ofDraft(loadingView(BID_TITLE), draft);
}

function reload(draft: DraftId): KnownBlock {
  return actionsBlock([buttonElement({ id: actionIds.bidReload, label: 'Reload', value: draft })]);
}

/** The setups could not be read. @param failure the error message */
export function setupsFailedView(failure: Message, draft: DraftId): ModalView {
  const words = `${failure.text}\nCouldn't load the auto bidding setups, and a bid needs one.`;
  return ofDraft(noticeView(BID_TITLE, [sectionBlock(words), reload(draft)]), draft);
}

export function noSetupsView(draft: DraftId): ModalView {
  const words =
    'The marketplace account has no auto bidding setups, and a bid needs one. ' +
    "Create one in the marketplace's dashboard, then press Reload.";
  return ofDraft(noticeView(BID_TITLE, [sectionBlock(words), reload(draft)]), draft);
}

export function bidSendingView(draft: DraftId): ModalView {
  const words =
    ':hourglass_flowing_sand: Sending your bid…\nYou can close this. The result also appears in the thread.';
  return ofDraft(noticeView(BID_TITLE, words), draft);
}

/** A message in place of the modal. */
export function bidMessageView({ text, blocks }: Message, draft: DraftId | undefined): ModalView {
  return ofDraft(noticeView(BID_TITLE, blocks ?? text), draft);
}

export function bidCheckingView(draft: DraftId | undefined): ModalView {
  return ofDraft(noticeView(BID_TITLE, ':mag: Checking whether this bid exists…'), draft);
}
