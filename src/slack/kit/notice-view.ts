/** Modals that only show something, without a submit button. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import { plainTextObject, sectionBlock } from './block-builders.ts';
import { viewIds } from './ids.ts';
import { slackLimits } from './limits.ts';
import { clipText } from './mrkdwn.ts';

/** @param what safe mrkdwn, or blocks. */
export function noticeView(title: string, what: string | readonly KnownBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: viewIds.notice,
    title: plainTextObject(clipText(title, slackLimits.viewTitle.max)),
    close: plainTextObject('Close'),
    blocks: typeof what === 'string' ? [sectionBlock(what)] : [...what],
  };
}

/** Opens at once, while its content loads. */
export function loadingView(title: string): ModalView {
  return noticeView(title, ':hourglass_flowing_sand: Loading…');
}
