/** The windows of an approval: Review, with all that will be sent, and Reject, with a reason. Pure. */
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { findApprovalTitle } from '../../bidding/approval-request.ts';
import {
  actionsBlocks,
  capitalize,
  contextBlock,
  formView,
  noticeView,
  plainTextObject,
  plainTextSection,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { approvalRequestValueCodec } from '../kit/button-values.ts';
import { textInput } from '../kit/inputs.ts';
import { cleanLine } from '../kit/mrkdwn.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import { priceButtons, reviewContent } from './approval-blocks.ts';
import {
  approvalQuestion,
  approveValue,
  askAgainButtons,
  askingText,
  closedText,
  type JobApprovalView,
  rejectButtons,
  requestStateBlock,
} from './approval-message.ts';
import { canApproveJob, canTryApproval } from './bid-buttons.ts';

export const REVIEW_TITLE = 'Review Bid';
export const REJECT_TITLE = 'Reject Bid';

/** The callback IDs of both windows: those of the Home tab redraw it afterwards. */
export interface ApprovalViewIds {
  readonly review: string;
  readonly reject: string;
}

/** @param opening the result of an action; safe mrkdwn */
export function reviewView(view: JobApprovalView, ids: ApprovalViewIds, opening?: string): ModalView {
  const { job, subject } = view;
  const top = textSections(opening);
  if (!canApproveJob(job) && !canTryApproval(job)) {
    const closed = [...top, sectionBlock(closedText(job)), ...actionsBlocks(askAgainButtons(job))];
    return noticeView(REVIEW_TITLE, closed);
  }
  const { blocks, isWhole } = reviewContent(subject, view.template);
  return {
    type: 'modal',
    callback_id: ids.review,
    private_metadata: approveValue(view),
    title: plainTextObject(REVIEW_TITLE),
    submit: isWhole ? plainTextObject('Approve') : undefined,
    close: plainTextObject('Cancel'),
    blocks: [
      ...top,
      ...(job.review ? [sectionBlock(askingText(job))] : []),
      ...(view.isOwn ? [contextBlock('This is your own bid.')] : []),
      ...blocks,
      plainTextSection(approvalQuestion(view, false)),
      requestStateBlock(job),
      ...actionsBlocks([...rejectButtons(job), ...priceButtons(subject)]),
    ],
  };
}

export const REASON_FIELD = 'reason';
const LONGEST_REASON = 500;

export const RejectionReason = z.string().trim().min(1).max(LONGEST_REASON);

export function rejectView(
  { job, subject }: JobApprovalView,
  round: number,
  ids: ApprovalViewIds,
): ModalView {
  const title = findApprovalTitle(subject);
  const carries = approvalRequestValueCodec.write({ job: job.id, round });
  return formView({ id: ids.reject, carries, title: REJECT_TITLE, submit: 'Reject' }, [
    ...(title ? [plainTextSection(cleanLine(title))] : []),
    textInput({
      id: REASON_FIELD,
      label: 'Reason',
      hint: 'Posted in the thread, where the person who asked is mentioned.',
      multiline: true,
      maxLength: LONGEST_REASON,
    }),
    contextBlock(
      `${capitalize(jobLabel(job.id))} won't be sent. In the marketplace, it waits for review until ` +
        'someone removes it in the dashboard.',
    ),
  ]);
}
