/** `/gig job`: everything known about an auto bidding job or its proposal, for one person. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import type { ApprovalSubject } from '../../bidding/approval-request.ts';
import type { Bid, Job, LinkedProposal } from '../../bidding/bidding.ts';
import type { Instant } from '../../clock.ts';
import type { ListedProject, Verdict } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import { codeText, formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import {
  connectsAndPositionText,
  findDisqualificationReason,
  isPossiblyWaitingForReview,
  isWaitingForReview,
  type JobStatusFields,
  jobLabel,
  jobStateText,
  jobStatusLabel,
  linkedProposalText,
  marketplaceTimeText,
  setupNameText,
} from '../kit/words/job-text.ts';
import {
  describeMarketplaceFailure,
  refusalReasonText,
  unclearResponseText,
} from '../kit/words/marketplace-failure.ts';
import { approvalTermsBlocks } from './approval-blocks.ts';
import { askAgainButtons, closedText, decideButtons, rejectButtons } from './approval-message.ts';
import { canApproveJob, canTryApproval, disqualifiedBlock, jobActionButton } from './bid-buttons.ts';
import { bidAmountText, bidRequestText } from './bid-lines.ts';
import { holdStateText } from './hold-text.ts';

export interface JobFacts {
  /** The marketplace's current data, or our last record. */
  readonly state: JobStatusFields & Partial<Pick<Job, 'processedAt' | 'marketplaceJobId'>>;
  /** Our record; missing if nobody bid on or approved it through Gigdesk. */
  readonly job?: Job | undefined;
  readonly bid?: Bid | undefined;
  readonly project?: Pick<ListedProject, 'title' | 'url'> & { readonly verdict?: Verdict | undefined };
  readonly subject: ApprovalSubject;
  readonly readAt: Instant;
  /** Why it could not be read now: a MarketplaceErrorCode. `state` is then our last record. */
  readonly trouble?: string;
}

const LONGEST_WORDS = 1_500;

function headText({ state, bid, job, project }: JobFacts): string {
  const title = bid?.title ?? job?.title ?? project?.title ?? '';
  const url = bid?.url ?? project?.url ?? '';
  return joinLines(
    `*${capitalize(jobLabel(state.id))}: ` +
      `${isWaitingForReview(state) ? 'waiting for review' : jobStatusLabel(state)}*`,
    title ? projectLink({ title, url }) : state.marketplaceJobId && safeLine(state.marketplaceJobId, 60),
  );
}

function jobLines({ state, job, bid }: JobFacts): string {
  const { scheduledAt, processedAt, retryCount, applicationUid } = state;
  const plan = isWaitingForReview(state) ? 'if approved, scheduled' : 'scheduled';
  return joinLines(
    joinFacts(job && setupNameText(job), job?.bidAmount ? `bid ${bidAmountText(job.bidAmount)}` : undefined),
    joinFacts(
      scheduledAt ? `${plan} for ${marketplaceTimeText(scheduledAt)}` : undefined,
      processedAt ? `processed ${marketplaceTimeText(processedAt)}` : undefined,
      retryCount ? `retries: ${formatNumber(retryCount)}` : undefined,
    ),
    applicationUid ? `Application ${codeText(applicationUid, 80)}` : undefined,
    job?.proposal ? capitalize(linkedProposalText(job.proposal)) : undefined,
    bid ? `Bid: ${bidRequestText(bid)}` : 'This bid was made outside Gigdesk.',
    job && approvalLine(job),
  );
}

function approvalLine({ approval }: Job): string | undefined {
  if (!approval) return undefined;
  const who = `${formatMention(approval.by)}, ${formatDate(approval.at)}`;
  const names = safeLine(approval.approvedBy ?? '', 80);
  switch (approval.state) {
    case 'approved':
      return `Approved by ${who}${names ? ` (the marketplace shows “${names}”)` : ''}`;
    case 'held':
      return `Approved by ${who}: ${holdStateText(approval.hold)}`;
    case 'sending':
      return `Being approved by ${who}`;
    case 'refused':
      return `Approval by ${who} was rejected: ${refusalReasonText(approval.refusal ?? { code: '' })}`;
    case 'unknown': {
      const { refusal } = approval;
      const another = refusal ? `. Another approval was rejected: ${refusalReasonText(refusal)}` : '';
      const answered = unclearResponseText(approval) ?? 'no response from the marketplace';
      return `Approval by ${who}: outcome unknown, ${answered}${another}`;
    }
  }
}

function longWords(label: string, words: string | undefined): KnownBlock[] {
  return words ? [plainTextSection(`${label}: ${excerptText(words, LONGEST_WORDS)}`)] : [];
}

function footText({ readAt, trouble, job }: JobFacts): string {
  const { follow } = job ?? {};
  const why =
    trouble === 'not-found'
      ? 'the bid is no longer in the marketplace'
      : trouble && describeMarketplaceFailure(trouble).what;
  return joinLines(
    `${why ? `:warning: Couldn't refresh: ${why}. ` : ''}As of ${formatDate(readAt)}.`,
    follow?.state === 'left'
      ? 'Gigdesk stopped tracking this bid because it never finished. Press Refresh to track it again.'
      : '',
    follow?.state === 'following' ? 'Gigdesk tracks this bid and posts updates in its thread.' : '',
  );
}

function canBeApproved({ state, job }: JobFacts): boolean {
  const { approval, review } = job ?? {};
  const now = { ...state, approval, review };
  return canApproveJob(now) || canTryApproval(now);
}

function buttons(facts: JobFacts, disqualified: string | undefined): Button[] {
  const { state, job, subject } = facts;
  const shown = { job: { ...job, ...state }, subject, disqualified };
  return [
    ...(canBeApproved(facts) ? decideButtons(shown, job ? rejectButtons(job) : [], true) : []),
    ...(job ? askAgainButtons(job) : []),
    jobActionButton(actionIds.jobRefresh, 'Refresh', state.id),
    ...(job?.proposal ? [jobActionButton(actionIds.proposalShow, 'Proposal', state.id)] : []),
  ];
}

/**
 * Ephemeral: its own buttons update it.
 * @param opening the result of an action, shown first; safe mrkdwn
 */
export function jobDetailsMessage(facts: JobFacts, opening?: string): Message {
  const { state, job, project } = facts;
  const waits = isWaitingForReview(state) || isPossiblyWaitingForReview(state);
  const disqualified = job?.approval?.overrode ?? findDisqualificationReason(state, project?.verdict);
  return {
    text: opening ?? `${capitalize(jobLabel(state.id))}: ${jobStateText(state)}`,
    blocks: [
      ...textSections(opening),
      sectionBlock(headText(facts)),
      sectionBlock(jobLines(facts)),
      ...longWords('Reason', state.reason),
      ...longWords('Error', state.errorMessage),
      ...(waits && disqualified !== undefined ? [disqualifiedBlock(disqualified)] : []),
      ...(canBeApproved(facts) ? approvalTermsBlocks(facts.subject) : []),
      ...(job?.review?.ended && waits ? [sectionBlock(closedText(job))] : []),
      contextBlock(footText(facts)),
      actionsBlock(buttons(facts, disqualified)),
    ],
  };
}

function stages(proposal: LinkedProposal): string {
  const came = (['viewed', 'interviewed', 'hired', 'withdrawn'] as const).filter((each) => proposal[each]);
  return came.length > 0 ? capitalize(came.join(', ')) : 'Not viewed yet';
}

/** Why there is no newer data. @param trouble a MarketplaceErrorCode */
function missingProposalText(trouble: string | undefined): string | undefined {
  return trouble === undefined
    ? undefined
    : `:warning: Couldn't load the full proposal: ${describeMarketplaceFailure(trouble).what}.`;
}

/** The Proposal button's answer without a proposal. @param trouble why: a MarketplaceErrorCode */
export function noProposalMessage(job: Job | undefined, trouble?: string): Message {
  if (!job?.applicationUid) return { text: 'No proposal found for this bid yet.' };
  const known =
    `${capitalize(jobLabel(job.id))} was submitted as application ${codeText(job.applicationUid, 80)}, ` +
    "but its proposal hasn't loaded yet.";
  return { text: joinLines(known, missingProposalText(trouble)) };
}

/** @param trouble why it could not be read in full: a MarketplaceErrorCode */
export function jobProposalMessage(job: Job, proposal: LinkedProposal, trouble?: string): Message {
  const title = safeLine(job.title ?? '', 150);
  const head = `Proposal ${proposal.id} for ${jobLabel(job.id)}`;
  return {
    text: `${head}: ${stages(proposal)}`,
    blocks: [
      sectionBlock(
        joinLines(
          `*${head}*`,
          title,
          joinFacts(
            proposal.submittedAt === undefined ? undefined : `sent ${formatDate(proposal.submittedAt)}`,
            connectsAndPositionText(proposal),
            proposal.boostOutbid ? 'boost outbid' : undefined,
          ),
          stages(proposal),
          job.applicationUid ? `Application ${codeText(job.applicationUid, 80)}` : undefined,
        ),
      ),
      contextBlock(joinLines('As last seen while Gigdesk tracked the bid.', missingProposalText(trouble))),
    ],
  };
}
