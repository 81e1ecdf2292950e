/** Answers for jobs that can't be shown, and the result of pressing Approve. Pure. */

import type { JobApprovalResult } from '../../bidding/bidding.ts';
import type { Job, JobApproval } from '../../bidding/records.ts';
import { isDirectMessage, type JobId, type UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { capitalize, joinLines } from '../kit/block-builders.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { channelLink, codeText, formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { jobLabel, jobStateText } from '../kit/words/job-text.ts';
import {
  refusalAdviceText,
  refusalReasonText,
  unclearResponseText,
} from '../kit/words/marketplace-failure.ts';
import { overriddenVerdictText } from './bid-news.ts';

export const JOB_EXAMPLE = 'job 123';

/** @param written what the user typed as the ID; may be empty. */
export function noJobIdMessage(written: string): Message {
  if (written === '')
    return inputErrorMessage(
      "Which auto bidding job? Enter its ID from the card or the marketplace's dashboard.",
      JOB_EXAMPLE,
    );
  return inputErrorMessage(
    `${codeText(written, 60)} isn't a valid job ID. ` +
      "Enter the number from the card or the marketplace's dashboard.",
    JOB_EXAMPLE,
  );
}

/** @param last our last record of it, if any. */
export function noSuchJobMessage(id: JobId, last?: Job): Message {
  return {
    text: joinLines(
      last
        ? `${capitalize(jobLabel(id))} is no longer in the marketplace. ` +
            'It may have been deleted in the dashboard.'
        : `Couldn't find ${jobLabel(id)} in the marketplace. ` +
            "Check the ID on the card or in the marketplace's dashboard.",
      last && `Last known status: ${jobStateText(last)} (${formatDate(last.readAt)}).`,
    ),
  };
}

/** Reveals only that Gigdesk knows the job. */
export function hiddenJobMessage(id: JobId): Message {
  return {
    text:
      `:lock: ${capitalize(jobLabel(id))} belongs to a private channel you aren't in. ` +
      'Ask one of its members.',
  };
}

export function jobVisibilityUnknownMessage(id: JobId): Message {
  return {
    text:
      `:warning: Couldn't check with Slack whether you can see ${jobLabel(id)}, so nothing was done. ` +
      "Try again in a minute, or use the job's own channel.",
  };
}

/** Why a channel's bidder can't approve it. */
export const UNKNOWN_JOB_CHANNEL_HINT =
  "Gigdesk doesn't know this job's channel, so only people who can bid everywhere can approve it.";

export function otherChannelJobHint({ channel }: Pick<Job, 'channel'>): string {
  return (
    `This job belongs to ${isDirectMessage(channel) ? 'a direct message' : channelLink(channel)}, ` +
    'so your role there applies.'
  );
}

/** For a button whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text:
    'This button is out of date, so nothing was done. ' +
    `Check the job's status with ${codeText('/gig job <id>')}.`,
};

/** Names the approver that the marketplace reports, and the one we know. */
function approvedText(job: Job, approval: JobApproval): string {
  const names = safeLine(approval.approvedBy ?? '', 80);
  return joinLines(
    `:white_check_mark: *${capitalize(jobLabel(job.id))} is approved* by ` +
      `${formatMention(approval.by)}${names ? ` (approver in the marketplace: “${names}”)` : ''}. ` +
      `Status: ${jobStateText(job)}.`,
    overriddenVerdictText(approval.overrode),
  );
}

function askedText(job: Job, by: UserId): string {
  const { approval } = job;
  const name = capitalize(jobLabel(job.id));
  if (approval?.state === 'approved') return approvedText(job, approval);
  if (approval?.state === 'refused') {
    const refusal = approval.refusal ?? { code: '' };
    return joinLines(
      `:no_entry_sign: *${name} wasn't approved:* ${refusalReasonText(refusal)}. ` +
        `Requested by ${formatMention(by)}.`,
      refusalAdviceText(refusal),
    );
  }
  if (approval?.refusal) {
    return joinLines(
      `:no_entry_sign: *This approval of ${jobLabel(job.id)} was rejected:* ` +
        `${refusalReasonText(approval.refusal)}. Requested by ${formatMention(by)}.`,
      `${formatMention(approval.by)}'s earlier approval may have gone through: its outcome is unknown. ` +
        "Gigdesk is checking the job's status and will post it in the thread.",
    );
  }
  const answered = approval && unclearResponseText(approval);
  return joinLines(
    answered
      ? `:grey_question: *${capitalize(answered)}, so we don't know if ${jobLabel(job.id)} is approved.* ` +
          `Requested by ${formatMention(by)}.`
      : ':grey_question: *No response from the marketplace: ' +
          `we don't know if ${jobLabel(job.id)} is approved.* Requested by ${formatMention(by)}.`,
    "Gigdesk is checking the job's status and will post it in the thread. " +
      "You can't approve it again until then.",
  );
}

/** Someone else approved first: who, when, and with what result. */
function takenText(job: Job): string {
  const { approval } = job;
  const name = capitalize(jobLabel(job.id));
  const look = `Check its status with ${codeText(`/gig job ${job.id}`)}.`;
  if (!approval) return `${name} has changed, so nothing was sent. ${look}`;
  const who = `${formatMention(approval.by)}`;
  const when = formatDate(approval.at);
  const nothing = 'Your approval was not sent.';
  switch (approval.state) {
    case 'approved':
      return `${who} already approved ${jobLabel(job.id)} ${when}. ${nothing}`;
    case 'sending':
      return `${who} is already approving ${jobLabel(job.id)} (sent ${when}). ${nothing}`;
    case 'unknown':
      return (
        `${capitalize(unclearResponseText(approval) ?? 'no response from the marketplace')} for ${who}'s ` +
        `approval of ${jobLabel(job.id)} ${when}. Gigdesk is checking its status. ${nothing}`
      );
    case 'refused':
      return (
        `${who} tried to approve ${jobLabel(job.id)} ${when}, and it was rejected: ` +
        `${refusalReasonText(approval.refusal ?? { code: '' })}. ${nothing} ${look}`
      );
  }
}

/** The reply to an outcome with a job. mrkdwn. */
export function approvalOutcomeText(
  outcome: Exclude<JobApprovalResult, { kind: 'failed' | 'moved' }>,
  by: UserId,
): string {
  const { job } = outcome;
  switch (outcome.kind) {
    case 'asked':
      return askedText(job, by);
    case 'taken':
      return takenText(job);
    case 'not-waiting':
      return (
        `${capitalize(jobLabel(job.id))} isn't waiting for review, so nothing was sent. ` +
        `Status: ${jobStateText(job)}.`
      );
  }
}
