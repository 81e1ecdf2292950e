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
    `:white_check_mark: *${capital(jobName(job.id))} is approved* by ${mention(approval.by)}${names ? `; the marketplace names “${names}”` : ''}. It is ${stateText(job)}.`,
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
      `:no_entry_sign: *${name} was not approved:* ${refusalWords(refusal)}. (Pressed by ${mention(by)}.)`,
      afterRefusal(refusal),
    );
  }
  if (approval?.refusal) {
    return lines(
      `:no_entry_sign: *This approval of ${jobName(job.id)} was refused:* ${refusalWords(approval.refusal)}. (Pressed by ${mention(by)}.)`,
      `The outcome of the earlier one by ${mention(approval.by)} is unknown, and it may have taken effect: the state of the job is being read and told in its thread.`,
    );
  }
  const answered = approval && answeredText(approval);
  return lines(
    answered
      ? `:grey_question: *${capital(answered)}, so we don't know whether ${jobName(job.id)} is approved.* (Pressed by ${mention(by)}.)`
      : `:grey_question: *No answer came to the approval of ${jobName(job.id)}* by ${mention(by)}.`,
    'Its state is being read and told in its thread; until then it is not approved again.',
  );
}

/** Somebody was first: who, when, and with which end. */
function takenText(job: Job): string {
  const { approval } = job;
  const name = capital(jobName(job.id));
  const look = `${codeText(`/gig job ${job.id}`)} shows how it stands.`;
  if (!approval) return `${name} has changed meanwhile, so nothing was sent. ${look}`;
  const who = `${mention(approval.by)}`;
  const when = date(approval.at);
  const nothing = 'Nothing was sent for your press.';
  switch (approval.state) {
    case 'approved':
      return `${name} was approved by ${who} already, ${when}. ${nothing}`;
    case 'sending':
      return `${name} is being approved by ${who} just now, ${when}. ${nothing}`;
    case 'unknown':
      return `${capital(answeredText(approval) ?? 'no answer came')} to ${who}'s approval of ${jobName(job.id)}, ${when}: its state is being read. ${nothing}`;
    case 'refused':
      return `${who} tried to approve ${jobName(job.id)} meanwhile, ${when}, and it was refused: ${refusalWords(approval.refusal ?? { code: '' })}. ${nothing} ${look}`;
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
      return `${capital(jobName(job.id))} does not wait for review, so nothing was sent. It is ${stateText(job)}.`;
  }
}
