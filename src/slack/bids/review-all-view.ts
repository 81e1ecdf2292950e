/** The window with everything that waits for one person's approval, to approve several at once. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  type ApprovalSubject,
  findApprovalTitle,
  hashApprovalFacts,
  listApprovalFacts,
} from '../../bidding/approval-request.ts';
import type { HeldOrder, Job } from '../../bidding/bidding.ts';
import { refOf } from '../../bidding/held-order.ts';
import { BidId, JobId } from '../../ids.ts';
import type { ViewValues } from '../core/routes.ts';
import { contextBlock, DIVIDER, noticeView, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { checkboxesInput } from '../kit/inputs.ts';
import { cleanLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import { approvalContentBlocks, approvalTerms, needsReview } from './approval-blocks.ts';
import { approvalTemplateBlocks } from './approval-template.ts';
import type { TemplatePreview } from './bid-form-preview.ts';
import { approvalCountText } from './hold-text.ts';

export const REVIEW_ALL_TITLE = 'Review All';

/** A job that waits for its first approval, or what waits for a second one. */
export type WaitingApproval = (
  | { readonly kind: 'job'; readonly job: Job; readonly subject: ApprovalSubject }
  | { readonly kind: 'held'; readonly order: HeldOrder }
) & {
  /** Of the setup, for what the bid leaves to it; missing: nothing, or none is known. */
  readonly template?: TemplatePreview;
};

/** Each is shown in full, within Slack's 100 blocks. */
export const MOST_AT_ONCE = 6;
const FIELD = 'approve';

const NamedApproval = z.object({
  /** Of a job that waits for its first approval. */
  job: JobId.optional(),
  heldJob: JobId.optional(),
  heldBid: BidId.optional(),
  /** The attempt that the window shows; 0: none. */
  seen: z.number().int().min(0).max(1_000_000),
  shown: z.string().regex(/^[a-f\d]{16}$/u),
});
export type NamedApproval = z.infer<typeof NamedApproval>;

const count = z.number().int().min(0).max(1_000);
/** What waits, too, but isn't in the window: after these, and too long to show in full. */
const LeftOut = z.object({ more: count, tooLong: count });
type LeftOut = z.infer<typeof LeftOut>;

export const reviewAllCodec = jsonValueCodec(
  z.object({
    /** What the window shows, in the order of its checkboxes. */
    named: z.array(NamedApproval).max(MOST_AT_ONCE),
    leftOut: LeftOut,
  }),
);

export function subjectOf(waiting: WaitingApproval): ApprovalSubject {
  return waiting.kind === 'job' ? waiting.subject : waiting.order.subject;
}

/** Hash of what the window shows of it. */
export function hashShown(waiting: WaitingApproval): string {
  return hashApprovalFacts(listApprovalFacts(subjectOf(waiting)));
}

function nameOf(waiting: WaitingApproval): NamedApproval {
  const shown = hashShown(waiting);
  if (waiting.kind === 'job') return { job: waiting.job.id, seen: waiting.job.approval?.attempt ?? 0, shown };
  const ref = refOf(waiting.order);
  const seen = waiting.order.attempt;
  return ref.bid === undefined ? { heldJob: ref.job, seen, shown } : { heldBid: ref.bid, seen, shown };
}

function titleOf(waiting: WaitingApproval): string {
  const title = cleanLine(findApprovalTitle(subjectOf(waiting)));
  if (title) return title;
  return waiting.kind === 'job' ? jobLabel(waiting.job.id) : 'A bid';
}

function contentBlocks(waiting: WaitingApproval): KnownBlock[] {
  const subject = subjectOf(waiting);
  const blocks = [
    ...approvalContentBlocks(subject, 'list'),
    ...approvalTemplateBlocks(subject, waiting.template),
  ];
  if (waiting.kind === 'job') return blocks;
  return [...blocks, contextBlock(`Needs a second approval. ${approvalCountText(waiting.order.hold)}`)];
}

/** Only what fits is offered: nobody approves a letter whose end they didn't see. */
export function isShownInFull(waiting: WaitingApproval): boolean {
  return !needsReview(subjectOf(waiting));
}

function leftOutBlocks({ more, tooLong }: LeftOut): KnownBlock[] {
  const are = tooLong === 1 ? 'is' : 'are';
  const where = tooLong === 1 ? 'Review it in its thread' : 'Review them in their threads';
  return [
    ...(more > 0 ? [contextBlock(`${formatCount(more, 'more bid')} after these.`)] : []),
    ...(tooLong > 0
      ? [contextBlock(`${formatCount(tooLong, 'bid')} ${are} too long to show here in full. ${where}.`)]
      : []),
  ];
}

/** `Approve 4 of 5` */
function submitLabel(chosen: number, of: number): string {
  return `Approve ${chosen} of ${of}`;
}

/** @param waiting each is shown in full */
export function reviewAllView(
  waiting: readonly WaitingApproval[],
  chosen: number,
  leftOut: LeftOut,
): ModalView {
  if (waiting.length === 0)
    return noticeView(
      REVIEW_ALL_TITLE,
      leftOut.tooLong > 0 ? leftOutBlocks(leftOut) : 'Nothing waits for your approval here.',
    );
  return {
    type: 'modal',
    callback_id: viewIds.reviewAll,
    private_metadata: reviewAllCodec.write({ named: waiting.map(nameOf), leftOut }),
    title: plainTextObject(REVIEW_ALL_TITLE),
    submit: plainTextObject(submitLabel(chosen, waiting.length)),
    close: plainTextObject('Close'),
    blocks: [
      ...waiting.flatMap((each) => [...contentBlocks(each), DIVIDER]),
      checkboxesInput({
        id: FIELD,
        label: 'Approve',
        hint: 'Each is approved exactly as shown above. Approved bids spend connects.',
        dispatch: actionIds.reviewAllChoice,
        choices: waiting.map((each, place) => ({
          value: String(place),
          label: titleOf(each),
          description: approvalTerms(subjectOf(each)),
        })),
      }),
      ...leftOutBlocks(leftOut),
    ],
  };
}

/** The places of the checked ones. */
export function parseChosen(values: ViewValues): readonly number[] {
  return (values.get(FIELD)?.options ?? [])
    .map(Number)
    .filter((place) => Number.isInteger(place) && place >= 0 && place < MOST_AT_ONCE);
}

export const NOTHING_CHOSEN = { [FIELD]: 'Choose at least one.' };

/** The result of each. @param lines safe mrkdwn */
export function severalApprovedView(lines: readonly string[]): ModalView {
  return noticeView(
    REVIEW_ALL_TITLE,
    lines.map((line) => sectionBlock(line)),
  );
}
