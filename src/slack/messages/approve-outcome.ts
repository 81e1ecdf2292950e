/** What came of pressing Approve, for the person who pressed. */
import type { ApproveOutcome } from '../../bidding/bidding.ts';
import type { Approval, Job } from '../../bidding/records.ts';
import type { UserId } from '../../ids.ts';
import { date, mention, safeLine } from '../blocks/mrkdwn.ts';
import { overruled } from './bid-news.ts';
import { jobName, stateText } from './job-words.ts';
import { codeText } from './mistake.ts';
import { capital, lines } from './parts.ts';
import { afterRefusal, refusalWords } from './refusal-words.ts';
import { answeredText } from './unknown-words.ts';

/** Approved, by whom the marketplace and we name. */
function approvedText(job: Job, approval: Approval): string {
  const names = safeLine(approval.approvedBy ?? '', 80);
  return lines(
    `:white_check_mark: *${capital(jobName(job.id))} is approved* by ${mention(approval.by)}${names ? ` (approver in the marketplace: “${names}”)` : ''}. Status: ${stateText(job)}.`,
    overruled(approval.overrode),
  );
}

function askedText(job: Job, by: UserId): string {
  const { approval } = job;
  const name = capital(jobName(job.id));
  if (approval?.state === 'approved') return approvedText(job, approval);
  if (approval?.state === 'refused') {
    const refusal = approval.refusal ?? { code: '' };
    return lines(
      `:no_entry_sign: *${name} wasn't approved:* ${refusalWords(refusal)}. Requested by ${mention(by)}.`,
      afterRefusal(refusal),
    );
  }
  if (approval?.refusal) {
    return lines(
      `:no_entry_sign: *This approval of ${jobName(job.id)} was refused:* ${refusalWords(approval.refusal)}. Requested by ${mention(by)}.`,
      `${mention(approval.by)}'s earlier approval may have gone through: its outcome is unknown. Gigdesk is checking the job's status and will post it in the thread.`,
    );
  }
  const answered = approval && answeredText(approval);
  return lines(
    answered
      ? `:grey_question: *${capital(answered)}, so we don't know if ${jobName(job.id)} is approved.* Requested by ${mention(by)}.`
      : `:grey_question: *No response from the marketplace: we don't know if ${jobName(job.id)} is approved.* Requested by ${mention(by)}.`,
    "Gigdesk is checking the job's status and will post it in the thread. You can't approve it again until then.",
  );
}

/** Somebody was first: who, when, and with which end. */
function takenText(job: Job): string {
  const { approval } = job;
  const name = capital(jobName(job.id));
  const look = `Check its status with ${codeText(`/gig job ${job.id}`)}.`;
  if (!approval) return `${name} has changed, so nothing was sent. ${look}`;
  const who = `${mention(approval.by)}`;
  const when = date(approval.at);
  const nothing = 'Your approval was not sent.';
  switch (approval.state) {
    case 'approved':
      return `${who} already approved ${jobName(job.id)} ${when}. ${nothing}`;
    case 'sending':
      return `${who} is already approving ${jobName(job.id)} (sent ${when}). ${nothing}`;
    case 'unknown':
      return `${capital(answeredText(approval) ?? 'no response from the marketplace')} for ${who}'s approval of ${jobName(job.id)} ${when}. Gigdesk is checking its status. ${nothing}`;
    case 'refused':
      return `${who} tried to approve ${jobName(job.id)} ${when}, and it was refused: ${refusalWords(approval.refusal ?? { code: '' })}. ${nothing} ${look}`;
  }
}

/** What is said of an outcome with a job; mrkdwn. */
export function approveText(
  outcome: Exclude<ApproveOutcome, { kind: 'failed' | 'moved' }>,
  by: UserId,
): string {
  const { job } = outcome;
  switch (outcome.kind) {
    case 'asked':
      return askedText(job, by);
    case 'taken':
      return takenText(job);
    case 'not-waiting':
      return `${capital(jobName(job.id))} isn't waiting for review, so nothing was sent. Status: ${stateText(job)}.`;
  }
}
