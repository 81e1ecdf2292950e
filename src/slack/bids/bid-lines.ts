/** One status line for each bid and job of a project, for cards and for separate messages. Pure. */
import type { Bid, BidWithJob, Job, JobApproval } from '../../bidding/bidding.ts';
import { isUncertainBid } from '../../bidding/decide-bid.ts';
import { isJobForBidProject, isJobForOtherProject } from '../../bidding/decide-job.ts';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { ChannelId } from '../../ids.ts';
import { capitalize, joinFacts } from '../kit/block-builders.ts';
import { formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import {
  isPossiblyWaitingForReview,
  isWaitingForReview,
  jobLabel,
  jobStateText,
  setupNameText,
} from '../kit/words/job-text.ts';
import { refusalReasonText, refusalVerb, unclearResponseText } from '../kit/words/marketplace-failure.ts';
import { holdStateText } from './hold-text.ts';

const MOST_LINES = 5;

/** @param who the approver, as mrkdwn */
function unansweredText(who: string, approval: JobApproval): string {
  const { refusal, mayRepeat } = approval;
  return joinFacts(
    `${unclearResponseText(approval) ?? 'no response from the marketplace'} for ${who}'s approval`,
    refusal && `another approval was rejected: ${refusalReasonText(refusal, 120)}`,
    mayRepeat ? "couldn't check the bid's status since" : "checking the bid's status",
  );
}

function approvalText(approval: JobApproval, waits: boolean): string {
  const who = formatMention(approval.by);
  switch (approval.state) {
    case 'approved':
      return `approved by ${who}`;
    case 'held':
      return joinFacts(`approved by ${who}`, holdStateText(approval.hold));
    case 'sending':
      return `${who} is approving it…`;
    case 'unknown':
      return waits ? unansweredText(who, approval) : '';
    case 'refused': {
      const { refusal = { code: '' } } = approval;
      return waits
        ? `${who}'s approval was ${refusalVerb(refusal.code)}: ${refusalReasonText(refusal, 120)}`
        : '';
    }
  }
}

function endedText({ review }: Job, waits: boolean): string | undefined {
  if (!review?.ended || !waits) return undefined;
  return review.ended.kind === 'rejected'
    ? `rejected in Slack by ${formatMention(review.ended.by)}`
    : 'nobody approved it in time';
}

const UNFOLLOWED: Readonly<Record<Exclude<Job['follow']['state'], 'following'>, string>> = {
  settled: '',
  left: 'no longer tracked',
  gone: 'no longer in the marketplace',
};

/** `waiting for review (bid #12) · approved by @Ana`. mrkdwn. */
export function jobProgressText(job: Job): string {
  const { approval, follow, proposal } = job;
  return joinFacts(
    proposal ? jobStateText(job) : `${jobStateText(job)} (${jobLabel(job.id)})`,
    approval && approvalText(approval, isWaitingForReview(job) || isPossiblyWaitingForReview(job)),
    endedText(job, isWaitingForReview(job)),
    follow.state === 'following' ? undefined : UNFOLLOWED[follow.state],
  );
}

function standingText(view: BidWithJob, toldElsewhere: boolean): string {
  const { bid, job } = view;
  switch (bid.state) {
    case 'held':
      return holdStateText(bid.hold);
    case 'sending':
      return 'sending…';
    case 'created':
      if (!job) return joinFacts('created', bid.job && jobLabel(bid.job));
      return joinFacts(
        jobProgressText(job),
        isJobForOtherProject(bid, job) ? 'for a different project' : undefined,
      );
    case 'skipped':
      return job ? jobProgressText(job) : 'skipped';
    case 'unknown': {
      const response = unclearResponseText(bid) ?? 'no response from the marketplace';
      return `${response}, so we don't know if the bid was created`;
    }
    case 'refused':
      return joinFacts(
        `${refusalVerb(bid.refusal?.code ?? '')}: ${refusalReasonText(bid.refusal ?? { code: '' }, 200)}`,
        inTheWay(view, toldElsewhere),
      );
  }
}

/**
 * The job that a refusal named. Shows its status only for the same project, and only if no other line does:
 * a change of another project's job doesn't update this card.
 */
function inTheWay({ bid, job }: BidWithJob, toldElsewhere: boolean): string | undefined {
  if (!job) return bid.job && `blocked by ${jobLabel(bid.job)}`;
  const isLabelEnough = toldElsewhere || !isJobForBidProject(bid, job);
  return `blocked by ${isLabelEnough ? jobLabel(job.id) : `another bid: ${jobProgressText(job)}`}`;
}

/** `No response from the marketplace for …: we don't know if …`. mrkdwn. @param what the request, if named */
export function unclearOutcomeText(
  of: Parameters<typeof unclearResponseText>[0],
  whether: string,
  what?: string,
): string {
  const answered = unclearResponseText(of);
  const about = what === undefined ? '' : ` for ${what}`;
  return answered
    ? `:grey_question: *${capitalize(answered)}${about}, so we don't know if ${whether}.*`
    : `:grey_question: *No response from the marketplace${about}: we don't know if ${whether}.*`;
}

const SIGNS: Readonly<Record<Bid['state'], string>> = {
  held: ':hourglass_flowing_sand:',
  sending: ':hourglass_flowing_sand:',
  created: ':dart:',
  skipped: ':no_entry_sign:',
  refused: ':no_entry_sign:',
  unknown: ':grey_question:',
};

/**
 * `Bid by @Ana with Night shift: waiting for review (bid #12)`. mrkdwn.
 * @param toldElsewhere whether another line shows the status of the blocking job
 */
export function bidLine(view: BidWithJob, toldElsewhere = false): string {
  const { bid } = view;
  const setup = setupNameText({ setup: bid.request.setup, setupName: bid.setupName });
  const isUncertain = isUncertainBid(bid);
  const sign = SIGNS[isUncertain ? 'unknown' : bid.state];
  const earlier =
    isUncertain && bid.state !== 'unknown'
      ? "an earlier attempt's outcome is unknown: it may have created a bid"
      : undefined;
  const text = joinFacts(standingText(view, toldElsewhere), earlier);
  return `${sign} Bid by ${formatMention(bid.by)} with ${setup}: ${text}`;
}

/**
 * An existing bid, shown in the form of a new one in `channel`. Never names another channel: the reader may
 * not be in it. mrkdwn.
 */
export function otherBidLine(view: BidWithJob, channel: ChannelId): string {
  const { bid } = view;
  const place = bid.channel === channel ? undefined : 'in another channel';
  return joinFacts(bidLine(view), `sent ${formatDate(bid.at)}`, place);
}

function externalJobLine(job: Job): string {
  const setup = setupNameText(job);
  return `:dart: Bid${setup ? ` with ${setup}` : ''}, created outside Gigdesk: ${jobProgressText(job)}`;
}

/** Jobs not shown with any of our bids. */
export function listExternalJobs({ bids, otherJobs }: ProjectBidsAndJobs): readonly Job[] {
  const listed = new Set(bids.map((view) => view.job?.id ?? view.bid.job));
  return otherJobs.filter((job) => !listed.has(job.id));
}

/** The newest bids and jobs, newest last, after a count of the earlier ones. mrkdwn. */
export function biddingLines(bidding: ProjectBidsAndJobs): readonly string[] {
  const created = bidding.bids.filter(({ bid }) => bid.state === 'created').map(({ job }) => job?.id);
  const isTold = ({ bid, job }: BidWithJob) => bid.state === 'refused' && job && created.includes(job.id);
  const all = [
    ...bidding.bids.map((view) => ({ at: view.bid.at, text: bidLine(view, isTold(view) === true) })),
    ...listExternalJobs(bidding).map((job) => ({ at: job.knownAt, text: externalJobLine(job) })),
  ].sort((a, b) => a.at - b.at);
  const earlier = all.length - MOST_LINES;
  return [
    ...(earlier > 0 ? [`…and ${formatCount(earlier, 'earlier bid')}`] : []),
    ...all.slice(-MOST_LINES).map((each) => each.text),
  ];
}

/** The request: `$500 · boost 10 connects · in 30 minutes · custom cover letter (900 characters)`. mrkdwn. */
export function bidRequestText({ request, by, at }: Bid): string {
  const { bidAmount, boostConnects, scheduledAt, scheduledInMinutes, coverLetter, answers } = request;
  const soon =
    scheduledInMinutes === undefined ? undefined : `in ${formatCount(scheduledInMinutes, 'minute')}`;
  return joinFacts(
    bidAmount === undefined ? undefined : formatMoney(bidAmount),
    boostConnects ? `${formatNumber(boostConnects)}-connect boost` : undefined,
    scheduledAt === undefined
      ? (soon ?? "on the setup's schedule")
      : `scheduled for ${formatDate(scheduledAt)}`,
    coverLetter ? `custom cover letter (${formatCount(coverLetter.length, 'character')})` : undefined,
    answers && answers.length > 0 ? formatCount(answers.length, 'answer') : undefined,
    `requested by ${formatMention(by)} ${formatDate(at)}`,
  );
}

/** A job's amount from the server, as `$500.00`. mrkdwn. */
export function bidAmountText(words: string | undefined): string | undefined {
  const plain = safeLine(words ?? '', 40);
  return /^\d+(?:\.\d+)?$/u.test(plain) ? formatMoney(Number(plain)) : plain || undefined;
}
