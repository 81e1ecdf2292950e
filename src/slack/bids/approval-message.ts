/** The message of a request for approval: who asks, what will be sent, and how it ended. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import {
  type ApprovalSubject,
  findApprovalTitle,
  hashApprovalFacts,
  isReviewEnded,
  isReviewOpen,
  lackedSecondApproval,
  listApprovalFacts,
} from '../../bidding/approval-request.ts';
import type { ApprovalReview, Job } from '../../bidding/bidding.ts';
import { UNKNOWN_JOB_STATUS } from '../../bidding/job-status-text.ts';
import type { JobId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  actionsBlocks,
  buttonElement,
  capitalize,
  contextBlock,
  joinLines,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { approvalRequestValueCodec, approveValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { cleanLine, clipText, formatDate, formatMention, safeLine, safeText } from '../kit/mrkdwn.ts';
import {
  findDisqualificationReason,
  isWaitingForReview,
  type JobStatusFields,
  jobLabel,
  jobStateText,
} from '../kit/words/job-text.ts';
import {
  approvalMessageBlocks,
  approvalTerms,
  needsReview,
  priceButtons,
  subjectLink,
} from './approval-blocks.ts';
import { jobActionButton } from './bid-buttons.ts';
import type { TemplatePreview } from './bid-form-preview.ts';
import { jobProgressText } from './bid-lines.ts';
import { holdSentence } from './hold-text.ts';

/** Our record of a job, with what its approval sends. */
export interface JobApprovalView {
  readonly job: Job;
  readonly subject: ApprovalSubject;
  /** Of the job's setup, for what the bid leaves to it; missing: it leaves nothing, or none is known. */
  readonly template?: TemplatePreview;
  /** The person who reads it asked for it. */
  readonly isOwn?: boolean;
}

const LONGEST_REASON = 600;

/** What the marketplace does about a rejection here: nothing. mrkdwn. */
export function staysOpenText(job: JobId): string {
  return (
    `Nothing was sent. Gigdesk can't reject bids in the marketplace, so ${jobLabel(job)} still waits for ` +
    'review there. Remove it in the dashboard.'
  );
}

function endedText(job: Job, ended: NonNullable<ApprovalReview['ended']>): string {
  if (ended.kind === 'rejected')
    return (
      `:no_entry_sign: *${formatMention(ended.by)} rejected this bid:* ` +
      safeText(ended.reason, LONGEST_REASON)
    );
  const why = lackedSecondApproval(job) ? 'Not enough people approved it' : 'Nobody answered';
  return `:hourglass: *${why} in time, so this bid counts as rejected* (${formatDate(ended.at)}).`;
}

interface Shown {
  /** Our record, or what the marketplace reports. */
  readonly job: JobStatusFields & Partial<Pick<Job, 'setup' | 'setupName'>>;
  readonly subject: ApprovalSubject;
  /** Why the AI disqualified the project, empty if it gave no reason; missing: as the subject says. */
  readonly disqualified?: string | undefined;
}

/** Leaves room for the AI's reason. */
const LONGEST_TITLE = 100;
const LONGEST_SETUP = 50;
const LONGEST_STATE = 60;

function findOverridden({ subject: { job, project }, disqualified }: Shown): string | undefined {
  return disqualified ?? findDisqualificationReason(job, project?.verdict);
}

function overrideText(reason: string | undefined): string {
  if (reason === undefined) return '';
  const why = cleanLine(reason);
  return why
    ? ` This overrides the AI's disqualification: ${why}`
    : " This overrides the AI's disqualification, which came without a reason.";
}

/** If the status leaves open whether the job waits for review. Quotes only what the marketplace says. */
function stateText(job: JobStatusFields): string {
  if (isWaitingForReview(job)) return '';
  const words = clipText(cleanLine(job.statusTitle || job.status), LONGEST_STATE);
  const what = words === '' || words === UNKNOWN_JOB_STATUS ? 'gives no state' : `says “${words}”`;
  return `The marketplace ${what}, so this bid may not need approval. `;
}

/**
 * What approving does: sends, spends, may override the AI. Plain text.
 * @param isNamed with the project and the setup
 */
export function approvalQuestion(shown: Shown, isNamed: boolean): string {
  const { job, subject } = shown;
  const { setup, setupName = setup === undefined ? '' : `setup ${setup}` } = job;
  const on = isNamed ? clipText(cleanLine(findApprovalTitle(subject)), LONGEST_TITLE) : '';
  const by = isNamed ? clipText(cleanLine(setupName), LONGEST_SETUP) : '';
  const sends = isWaitingForReview(job)
    ? 'This sends'
    : 'If the marketplace accepts the approval, this sends';
  const bid = `the bid${on ? ` on “${on}”` : ''}${by ? ` with ${by}` : ''}`;
  const what = `${sends} ${bid} and spends connects. ${approvalTerms(subject)}`;
  const doubt =
    job.approval?.state === 'unknown'
      ? ' An earlier approval may already have gone through: its outcome is unknown.'
      : '';
  return clipText(
    `${stateText(job)}${what}${doubt}${overrideText(findOverridden(shown))}`,
    slackLimits.confirmText.max,
  );
}

/**
 * Names what is approved: the attempt that the person saw, and exactly what they were shown.
 * @param own only this person sees the message: it shows the result of the approval
 */
export function approveValue({ job: { id, approval }, subject }: Shown, own?: true): string {
  const shown = hashApprovalFacts(listApprovalFacts(subject));
  return approveValueCodec.write({ job: id, seen: approval?.attempt ?? 0, shown, own });
}

/**
 * Shown to everyone: the role is checked when someone presses it. It asks for confirmation, since it spends
 * connects and may override the AI. Use only for a job that `canApproveJob` or `canTryApproval`.
 */
export function approveShownButton(shown: Shown, own?: true): Button {
  const { job, subject } = shown;
  const anyway = findOverridden(shown) === undefined ? '' : ' anyway';
  const pressed = buttonElement({
    id: actionIds.jobApprove,
    label: 'Approve',
    value: approveValue(shown, own),
    accessibilityLabel: `Approve bid ${job.id}: ${findApprovalTitle(subject)}`,
    confirm: {
      title: plainTextObject(`Approve bid #${job.id}${anyway}?`),
      text: plainTextObject(approvalQuestion(shown, true)),
      confirm: plainTextObject('Approve'),
      deny: plainTextObject('Not Yet'),
    },
  });
  return isWaitingForReview(job) ? { ...pressed, style: 'primary' } : pressed;
}

function requestButton(id: string, label: string, job: Job): Button[] {
  const { review } = job;
  if (!review) return [];
  const value = approvalRequestValueCodec.write({ job: job.id, round: review.round });
  return [buttonElement({ id, label, value, accessibilityLabel: `${label}: bid ${job.id}` })];
}

/** Only for an open request. */
export function rejectButtons(job: Job): Button[] {
  return isReviewOpen(job) ? requestButton(actionIds.jobReject, 'Reject', job) : [];
}

/** Only while the job still waits on the marketplace. */
export function askAgainButtons(job: Job): Button[] {
  return isReviewEnded(job) && isWaitingForReview(job)
    ? requestButton(actionIds.jobAskAgain, 'Ask Again', job)
    : [];
}

export function reviewButton(job: Pick<Job, 'id'>): Button {
  return jobActionButton(actionIds.jobReview, 'Review', job.id);
}

/** Approve; in place of it Review, which has Approve, where the message doesn't show all that is sent. */
export function decideButtons(shown: Shown, others: readonly Button[], own?: true): Button[] {
  const { job, subject } = shown;
  const decide: Button = needsReview(subject)
    ? { ...reviewButton(job), style: 'primary' }
    : approveShownButton(shown, own);
  return [decide, ...others];
}

function mentionGroup(group: string): string {
  return /^S[A-Z0-9]+$/u.test(group) ? `<!subteam^${group}>` : 'a user group';
}

export const MORE_APPROVERS = 'Workspace admins can, and an admin can add bidders with `/gig access`.';

/** Who is asked, by mention. mrkdwn. @param sentTo says that people got a direct message */
export function addressedText(
  { posted }: Pick<ApprovalReview, 'posted'>,
  sentTo: (people: string) => string,
): string {
  const { users = [], groups = [], direct = [] } = posted ?? {};
  const here = [...users.map(formatMention), ...groups.map(mentionGroup)];
  if (here.length > 0) return `${here.join(', ')}: please review it.`;
  if (direct.length > 0) return sentTo(direct.map(formatMention).join(', '));
  return `Gigdesk doesn't know anyone else who can approve it. ${MORE_APPROVERS}`;
}

/** Who asks for the approval. mrkdwn. */
export function askingText({ review }: Job): string {
  const who = review?.by ? formatMention(review.by) : undefined;
  if (!who) return ':raised_hand: *A bid made outside Gigdesk needs approval.*';
  return (review?.round ?? 1) > 1
    ? `:raised_hand: *${who} still wants to send this bid.*`
    : `:raised_hand: *${who} wants to send this bid.*`;
}

/** The job's state, and when its request counts as rejected. */
export function requestStateBlock(job: Job): KnownBlock {
  const expiresAt = job.review?.expiresAt;
  const expiry =
    expiresAt === undefined
      ? undefined
      : `If nobody answers by ${formatDate(expiresAt)}, it counts as rejected.`;
  return contextBlock(joinLines(capitalize(jobProgressText(job)), expiry));
}

function openMessage({ job, subject }: JobApprovalView, review: ApprovalReview): Message {
  const title = safeLine(findApprovalTitle(subject), 150) || jobLabel(job.id);
  const sentTo = (people: string) =>
    `Nobody in this channel can approve it, so Gigdesk sent it to ${people}.`;
  const blocks: KnownBlock[] = [
    sectionBlock(joinLines(askingText(job), addressedText(review, sentTo))),
    ...approvalMessageBlocks(subject),
    requestStateBlock(job),
    actionsBlock([...decideButtons({ job, subject }, rejectButtons(job)), ...priceButtons(subject)]),
  ];
  return { text: `Approval needed: ${title}`, blocks };
}

/** The outcome of a request that can't be answered any more. mrkdwn. */
export function closedText(job: Job): string {
  const { review, approval } = job;
  if (review?.ended)
    return joinLines(endedText(job, review.ended), isWaitingForReview(job) ? staysOpenText(job.id) : '');
  switch (approval?.state) {
    case 'approved':
      return (
        `:white_check_mark: *${formatMention(approval.by)} approved this bid.* ` +
        `Status: ${jobStateText(job)}.`
      );
    case 'held':
      return (
        `:hourglass_flowing_sand: ${formatMention(approval.by)} approved this bid. ` +
        `${holdSentence('It', approval.hold)} See the newer message in this thread.`
      );
    case 'sending':
      return `:hourglass_flowing_sand: ${formatMention(approval.by)} is approving this bid…`;
    case 'unknown':
      return `:grey_question: *We don't know if ${formatMention(approval.by)}'s approval went through.*`;
    case 'refused':
    case undefined:
      if (job.follow?.state === 'gone') return 'This bid is no longer in the marketplace.';
      return `This bid doesn't need approval anymore. Status: ${jobStateText(job)}.`;
  }
}

/** @param round which of the job's requests the message is. */
export function approvalRequestMessage(view: JobApprovalView, round: number): Message {
  const { job, subject } = view;
  const { review } = job;
  if (review?.round === round && isReviewOpen(job)) return openMessage(view, review);
  const isOlder = review !== undefined && review.round !== round;
  const outcome = isOlder ? 'A newer request replaced this one.' : closedText(job);
  const name = jobLabel(job.id);
  return {
    text: `Approval request for ${safeLine(findApprovalTitle(subject), 150) || name}: closed`,
    blocks: [
      sectionBlock(joinLines(`*${subjectLink(subject, name)}*`, outcome)),
      ...actionsBlocks(isOlder ? [] : askAgainButtons(job)),
    ],
  };
}
