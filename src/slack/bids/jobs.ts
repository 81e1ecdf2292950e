/**
 * `/gig job`, its buttons and answers, and who may see or approve a job. The job's recorded channel decides,
 * wherever its ID was typed or pressed.
 */

import { hasRoleAtLeast } from '../../access/access.ts';
import type { ApprovalSubject } from '../../bidding/approval-request.ts';
import type { Job, JobApproval, JobApprovalResult, JobRefreshResult } from '../../bidding/bidding.ts';
import { toProjectKey } from '../../bidding/decide-job.ts';
import { readBidWithJob, readJob } from '../../bidding/project-bidding.ts';
import { readApprovalSubject } from '../../bidding/read-approval-subject.ts';
import { findSeenProject } from '../../feed/find-project.ts';
import { isDirectMessage, type JobId, type UserId } from '../../ids.ts';
import { findMissingApprovals } from '../../spending/hold.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, CommandRoute, Message, Services } from '../core/routes.ts';
import { APPROVE_REQUEST_LABEL, REFRESH_REQUEST_LABEL } from '../core/slow-reply.ts';
import { checkChannelVisibility, type RequestContext } from '../core/user-channels.ts';
import { capitalize, joinLines } from '../kit/block-builders.ts';
import { approveValueCodec, parseJobId } from '../kit/button-values.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, codeText, formatDate, formatMention } from '../kit/mrkdwn.ts';
import { askerText, jobLabel, jobStateText } from '../kit/words/job-text.ts';
import {
  refusalAdviceText,
  refusalReasonText,
  unclearResponseText,
} from '../kit/words/marketplace-failure.ts';
import { changedText } from './approval-blocks.ts';
import { closedText } from './approval-message.ts';
import { unclearOutcomeText } from './bid-lines.ts';
import { overriddenVerdictText } from './bid-messages.ts';
import { capExceededText, holdSentence, secondReasonsText } from './hold-text.ts';
import { type JobFacts, jobDetailsMessage } from './job-details.ts';

const JOB_EXAMPLE = 'job 123';

async function readAround(
  { store }: Services,
  job: ApprovalSubject['job'],
  marketplaceJobId: string | undefined,
): Promise<Pick<JobFacts, 'bid' | 'project' | 'subject'>> {
  const project = job.project ?? toProjectKey(marketplaceJobId);
  return store.read(async (tx) => {
    const view = job.bid === undefined ? undefined : await readBidWithJob(tx, job.bid);
    const subject = await readApprovalSubject(tx, job);
    const seen = await findSeenProject(tx, { project, marketplaceJobId });
    return { subject, bid: view?.bid, project: seen?.project };
  });
}

/** From our record. @param opening the result of a press; safe mrkdwn @param trouble why it isn't newer */
async function renderStoredJob(services: Services, job: Job, opening?: string, trouble?: string) {
  const around = await readAround(services, job, job.marketplaceJobId);
  return jobDetailsMessage({ state: job, job, readAt: job.readAt, trouble, ...around }, opening);
}

async function drawFound(
  services: Services,
  { status, job }: Extract<JobRefreshResult, { kind: 'found' }>,
  opening?: string,
): Promise<Message> {
  const around = await readAround(services, job ?? status, status.marketplaceJobId ?? job?.marketplaceJobId);
  // The status lacks the proposal and the approver: our record has them.
  const { proposal, approval, review, follow } = job ?? {};
  const known = { proposal, approval, review, follow };
  const facts = { state: { ...known, ...status }, job, readAt: services.clock.now(), ...around };
  return jobDetailsMessage(facts, opening);
}

/** If it can't be read, its last known state. @throws MarketplaceError if nothing is known about it */
async function renderCurrentJob(reader: RequestContext, id: JobId, opening?: string): Promise<Message> {
  const { services } = reader;
  const known = await jobViewDenialMessage(reader, await findJob(services, id));
  if (known) return known;
  const look = await services.bidding.refreshJob(id);
  // The refresh may have shown which channel's bid created it.
  const found = await jobViewDenialMessage(reader, look.job);
  if (found) return found;
  if (look.kind === 'found') return drawFound(services, look, opening);
  const { error, job } = look;
  if (error.code === 'not-found') return noSuchJobMessage(id, job);
  if (!job) throw error;
  return renderStoredJob(services, job, opening, error.code);
}

export const jobCommand: CommandRoute = {
  word: 'job',
  topic: 'bidding',
  needs: 'viewer',
  usage: ['job <id>'],
  summary: "Show a bid's status. Has Approve if it's waiting for review.",
  details:
    'Only you see the reply, and only members of a private channel can see its bids. ' +
    'Approve and Reject ask the same people as the request in its thread. ' +
    'You can also look up bids made in the dashboard; to approve those, ' +
    'you need the bidder role everywhere. ' +
    'If it is a bid whose outcome was unknown, the card shows its state from then on.',
  examples: [JOB_EXAMPLE],
  isSlow: true,
  async run(call) {
    const id = parseJobId(call.args.replace(/^job\s+/iu, ''));
    await call.answer(id === undefined ? noJobIdMessage(call.args) : await renderCurrentJob(call, id));
  },
};

/** If the job's channel changes during the permission check, check again. */
const TRIES = 2;

/**
 * Approves the job if the person may.
 * @returns the denial message if not, or if there is no such job
 * @throws MarketplaceError if it couldn't be read
 */
export async function approveWithRight(
  reader: RequestContext,
  asked: NonNullable<ReturnType<typeof approveValueCodec.read>>,
): Promise<Exclude<JobApprovalResult, { kind: 'moved' | 'failed' }> | Message> {
  const { services, channel, person } = reader;
  const { job: id, seen: seenAttempt, shown } = asked;
  const order = { job: id, by: person.user, channel, seenAttempt, shown };
  for (let tried = 1; tried <= TRIES; tried++) {
    const job = await findJob(services, asked.job);
    const refusal = await jobApprovalDenialMessage(reader, job);
    if (refusal) return refusal;
    const outcome = await services.bidding.approveJob({ ...order, authorizedChannel: job?.channel });
    if (outcome.kind === 'failed') {
      if (outcome.error.code === 'not-found') return noSuchJobMessage(id);
      throw outcome.error;
    }
    if (outcome.kind !== 'moved') return outcome;
  }
  return JOB_PRESS_OUTDATED;
}

/** Everyone sees the outcome in card and thread; the person also gets details. The job's channel decides. */
async function approvePressedJob(call: ActionCall): Promise<void> {
  const asked = approveValueCodec.read(call.value);
  if (!asked) return call.answer(JOB_PRESS_OUTDATED);
  const { services, person } = call;
  const outcome = await approveWithRight(call, asked);
  if ('text' in outcome) return call.answer(outcome);
  if (outcome.kind === 'changed') {
    // Asks again, with what is true now. Only a message for this person can be replaced.
    const now = await renderCurrentJob(call, asked.job, changedText(outcome.changes));
    return asked.own ? call.replace(now) : call.answer(now);
  }
  const text = approvalOutcomeText(outcome, person.user);
  if (!asked.own || outcome.kind === 'over-cap') return call.answer({ text });
  await call.replace(await renderStoredJob(services, outcome.job, text));
}

export const jobActions: readonly ActionRoute[] = [
  {
    id: actionIds.jobApprove,
    needs: 'viewer',
    pendingLabel: APPROVE_REQUEST_LABEL,
    hasSideEffects: true,
    run: approvePressedJob,
  },
  {
    id: actionIds.jobRefresh,
    needs: 'viewer',
    pendingLabel: REFRESH_REQUEST_LABEL,
    async run(call) {
      const id = parseJobId(call.value);
      if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
      await call.replace(await renderCurrentJob(call, id));
    },
  },
];

export function findJob({ store }: Services, id: JobId): Promise<Job | undefined> {
  return store.read((tx) => readJob(tx, id));
}

/** The reply if the reader may not see the job. A job without a record belongs to no channel. */
export async function jobViewDenialMessage(
  reader: RequestContext,
  job: Job | undefined,
): Promise<Message | undefined> {
  if (!job) return undefined;
  const sight = await checkChannelVisibility(reader, job.channel);
  if (sight === 'open') return undefined;
  // Reveals only that Gigdesk knows the job.
  const text =
    sight === 'closed'
      ? `:lock: ${capitalize(jobLabel(job.id))} belongs to a private channel you aren't in. ` +
        'Ask one of its members.'
      : `:warning: Couldn't check with Slack whether you can see ${jobLabel(job.id)}, so nothing was done. ` +
        "Try again in a minute, or use the bid's own channel.";
  return { text };
}

/** The reply if the reader may not approve the job; else undefined. */
export async function jobApprovalDenialMessage(
  reader: RequestContext,
  job: Job | undefined,
): Promise<Message | undefined> {
  const hidden = await jobViewDenialMessage(reader, job);
  if (hidden) return hidden;
  const { services, channel: here } = reader;
  const person = await services.resolvePerson(reader.person.user, job?.channel);
  if (hasRoleAtLeast(person.role, 'bidder')) return undefined;
  if (!job) return notAllowedMessage(person, 'bidder', { mayAsk: false, hint: UNKNOWN_JOB_CHANNEL_HINT });
  // The button requests the role in the current channel.
  if (job.channel === here) return notAllowedMessage(person, 'bidder');
  const owner = isDirectMessage(job.channel) ? 'a direct message' : channelLink(job.channel);
  const hint = `This bid belongs to ${owner}, so your role there applies.`;
  return notAllowedMessage(person, 'bidder', { mayAsk: false, hint });
}

function noJobIdMessage(written: string): Message {
  const problem =
    written === ''
      ? "Which bid? Enter its number from the card or the marketplace's dashboard."
      : `${codeText(written, 60)} isn't a bid's number. ` +
        "Enter the number from the card or the marketplace's dashboard.";
  return inputErrorMessage(problem, JOB_EXAMPLE);
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

const UNKNOWN_JOB_CHANNEL_HINT =
  "Gigdesk doesn't know this bid's channel, so only people who can bid everywhere can approve it.";

/** For a button whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text:
    'This button is out of date, so nothing was done. ' +
    `Check the bid's status with ${codeText('/gig job <id>')}.`,
};

function approvedText(job: Job, approval: JobApproval): string {
  return joinLines(
    `:white_check_mark: *${capitalize(jobLabel(job.id))} is approved* by ` +
      `${formatMention(approval.by)}. Status: ${jobStateText(job)}.`,
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
        "Gigdesk is checking the bid's status and will post it in the thread.",
    );
  }
  const unclear = unclearOutcomeText(approval ?? {}, `${jobLabel(job.id)} is approved`);
  return joinLines(
    `${unclear} Requested by ${formatMention(by)}.`,
    "Gigdesk is checking the bid's status and will post it in the thread. " +
      "You can't approve it again until then.",
  );
}

function takenText(job: Job): string {
  const { approval } = job;
  const name = capitalize(jobLabel(job.id));
  const look = `Check its status with ${codeText(`/gig job ${job.id}`)}.`;
  if (!approval) return `${name} has changed, so nothing was sent. ${look}`;
  const who = formatMention(approval.by);
  const when = formatDate(approval.at);
  const nothing = 'Your approval was not sent.';
  switch (approval.state) {
    case 'approved':
      return `${who} already approved ${jobLabel(job.id)} ${when}. ${nothing}`;
    case 'held':
      return (
        `${who} already approved ${jobLabel(job.id)} ${when}. ${holdSentence('It', approval.hold)} ` +
        'Use the newest message in its thread.'
      );
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

function heldText(job: Job): string {
  const { hold } = job.approval ?? {};
  const asking = findMissingApprovals(hold);
  return joinLines(
    `:hourglass_flowing_sand: *Your approval of ${jobLabel(job.id)} is stored.* ${holdSentence('It', hold)}`,
    asking && `Why: ${secondReasonsText(asking.reasons)}.`,
    'Nothing is sent yet. To cancel it, press *Cancel* on the newest message in its thread.',
  );
}

/** The reply to an outcome with a job. mrkdwn. */
export function approvalOutcomeText(
  outcome: Exclude<JobApprovalResult, { kind: 'failed' | 'moved' | 'changed' }>,
  by: UserId,
): string {
  if (outcome.kind === 'over-cap') return capExceededText(outcome);
  const { job } = outcome;
  switch (outcome.kind) {
    case 'asked':
      return askedText(job, by);
    case 'held':
      return heldText(job);
    case 'own':
      return `:lock: Nothing was sent. ${askerText(job.id)}`;
    case 'taken':
      return takenText(job);
    case 'closed':
      return closedText(job);
    case 'not-waiting':
      return (
        `${capitalize(jobLabel(job.id))} isn't waiting for review, so nothing was sent. ` +
        `Status: ${jobStateText(job)}.`
      );
  }
}
