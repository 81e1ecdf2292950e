/** What has become of a project's bids and jobs: a line for each, as it stands on cards and on messages of their own. */
import type { BidView } from '../../bidding/bidding.ts';
import { isInDoubt } from '../../bidding/decide-bid.ts';
import { isElsewhere, isForSameProject } from '../../bidding/job-project.ts';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Approval, Bid, Job } from '../../bidding/records.ts';
import type { ChannelId } from '../../ids.ts';
import { date, mention, safeLine } from '../blocks/mrkdwn.ts';
import { count, money } from '../blocks/numbers.ts';
import { jobName, mayWaitForReview, setupText, stateText, waitsForReview } from './job-words.ts';
import { line } from './parts.ts';
import { refusalWords } from './refusal-words.ts';
import { answeredText } from './unknown-words.ts';

const MOST_LINES = 5;

/** @param who the approver, as mrkdwn */
function unansweredText(who: string, approval: Approval): string {
  const { refusal, mayRepeat } = approval;
  return line(
    `${answeredText(approval) ?? 'no response from the marketplace'} for ${who}'s approval`,
    refusal && `another approval was refused: ${refusalWords(refusal, 120)}`,
    mayRepeat ? "couldn't check the job's status since" : "checking the job's status",
  );
}

function approvalText(approval: Approval, waits: boolean): string {
  const who = mention(approval.by);
  switch (approval.state) {
    case 'approved':
      return `approved by ${who}`;
    case 'sending':
      return `${who} is approving it…`;
    case 'unknown':
      return waits ? unansweredText(who, approval) : '';
    case 'refused':
      return waits
        ? `${who}'s approval was refused: ${refusalWords(approval.refusal ?? { code: '' }, 120)}`
        : '';
  }
}

const UNFOLLOWED: Readonly<Record<Exclude<Job['follow']['state'], 'following'>, string>> = {
  settled: '',
  left: 'no longer tracked',
  gone: 'no longer in the marketplace',
};

/** `waiting for review (job #12) · approved by @Ana`. mrkdwn. */
export function jobText(job: Job): string {
  const { approval, follow, proposal } = job;
  return line(
    proposal ? stateText(job) : `${stateText(job)} (${jobName(job.id)})`,
    approval && approvalText(approval, waitsForReview(job) || mayWaitForReview(job)),
    follow.state === 'following' ? undefined : UNFOLLOWED[follow.state],
  );
}

function standingText({ bid, job }: BidView, toldElsewhere: boolean): string {
  switch (bid.state) {
    case 'sending':
      return 'sending…';
    case 'created':
      return job ? line(jobText(job), elsewhere(bid, job)) : line('created', bid.job && jobName(bid.job));
    case 'skipped':
      return job ? jobText(job) : 'skipped';
    case 'unknown': {
      const answered = answeredText(bid);
      return answered
        ? `${answered}, so we don't know if the bid was created`
        : "no response from the marketplace, so we don't know if the bid was created";
    }
    case 'refused':
      return line(
        `refused: ${refusalWords(bid.refusal ?? { code: '' }, 200)}`,
        inTheWay(bid, job, toldElsewhere),
      );
  }
}

function bidText(view: BidView, toldElsewhere: boolean): string {
  const { bid } = view;
  const isEarlier = bid.state !== 'unknown' && isInDoubt(bid);
  return line(
    standingText(view, toldElsewhere),
    isEarlier ? "an earlier attempt's outcome is unknown: it may have created a job" : undefined,
  );
}

function elsewhere(bid: Pick<Bid, 'project'>, job: Job): string | undefined {
  return isElsewhere(bid, job) ? 'for a different project' : undefined;
}

/** The job that a refusal named; its status only for the same project, where no other line shows it: there it is kept up to date. */
function inTheWay(
  { job: id, project }: Bid,
  job: Job | undefined,
  toldElsewhere: boolean,
): string | undefined {
  if (job)
    return line(
      `blocked by ${toldElsewhere || !isForSameProject({ project }, job) ? jobName(job.id) : `another job: ${jobText(job)}`}`,
      elsewhere({ project }, job),
    );
  return id === undefined ? undefined : `blocked by ${jobName(id)}`;
}

const SIGNS: Readonly<Record<Bid['state'], string>> = {
  sending: ':hourglass_flowing_sand:',
  created: ':dart:',
  skipped: ':no_entry_sign:',
  refused: ':no_entry_sign:',
  unknown: ':grey_question:',
};

/**
 * `Bid by @Ana with Night shift: waiting for review (job #12)`. mrkdwn.
 * @param toldElsewhere another line says how the job stands that is in its way
 */
export function bidLine(view: BidView, toldElsewhere = false): string {
  const { bid } = view;
  const setup = setupText({ setup: bid.request.setup, setupName: bid.setupName });
  const sign = SIGNS[isInDoubt(bid) ? 'unknown' : bid.state];
  return `${sign} Bid by ${mention(bid.by)} with ${setup}: ${bidText(view, toldElsewhere)}`;
}

/**
 * A bid beside the one that a form in `channel` would send. Another channel is not named: the reader may not be in it. mrkdwn.
 */
export function otherBidLine(view: BidView, channel: ChannelId): string {
  const { bid } = view;
  const place = bid.channel === channel ? undefined : 'in another channel';
  return line(bidLine(view), `sent ${date(bid.at)}`, place);
}

/** A job that was not created here. mrkdwn. */
export function jobLine(job: Job): string {
  const setup = setupText(job);
  return `:dart: Job${setup ? ` with ${setup}` : ''}, created outside Gigdesk: ${jobText(job)}`;
}

/** Jobs that no bid of ours tells of already. */
export function otherJobs({ bids, others }: ProjectBidding): readonly Job[] {
  const told = new Set(bids.map((view) => view.job?.id ?? view.bid.job));
  return others.filter((job) => !told.has(job.id));
}

/** The newest bids and jobs, newest last; how many came before them is said. mrkdwn. */
export function biddingLines(bidding: ProjectBidding): readonly string[] {
  const created = bidding.bids.filter(({ bid }) => bid.state === 'created').map(({ job }) => job?.id);
  const isTold = ({ bid, job }: BidView) => bid.state === 'refused' && job && created.includes(job.id);
  const all = [
    ...bidding.bids.map((view) => ({ at: view.bid.at, text: bidLine(view, isTold(view) === true) })),
    ...otherJobs(bidding).map((job) => ({ at: job.knownAt, text: jobLine(job) })),
  ].sort((a, b) => a.at - b.at);
  const earlier = all.length - MOST_LINES;
  return [
    ...(earlier > 0 ? [`…and ${count(earlier, 'earlier bid')}`] : []),
    ...all.slice(-MOST_LINES).map((each) => each.text),
  ];
}

/** What was asked for: `$500 · boost 10 connects · in 30 minutes · own cover letter · 2 answers`. mrkdwn. */
export function askedText({ request, by, at }: Bid): string {
  const { bidAmount, boostConnects, scheduledAt, scheduledInMinutes, coverLetter, answers } = request;
  const soon = scheduledInMinutes === undefined ? undefined : `in ${count(scheduledInMinutes, 'minute')}`;
  return line(
    bidAmount === undefined ? undefined : money(bidAmount),
    boostConnects ? `${count(boostConnects, 'connect')} boost` : undefined,
    scheduledAt === undefined ? (soon ?? "on the setup's schedule") : `scheduled for ${date(scheduledAt)}`,
    coverLetter ? `custom cover letter (${count(coverLetter.length, 'character')})` : undefined,
    answers && answers.length > 0 ? count(answers.length, 'answer') : undefined,
    `requested by ${mention(by)} ${date(at)}`,
  );
}

/** `$500.00`, as the server writes the amount of a job. mrkdwn. */
export function amountText(words: string | undefined): string | undefined {
  const plain = safeLine(words ?? '', 40);
  return /^\d+(?:\.\d+)?$/u.test(plain) ? money(Number(plain)) : plain || undefined;
}
