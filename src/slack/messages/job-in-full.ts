/** `/gig job`: all that is known of an auto bidding job, for the person alone. */
import type { Button, KnownBlock } from '@slack/types';
import type { Approval, Bid, Job } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import type { ListedProject, Verdict } from '../../marketplace/schema.ts';
import { actionIds } from '../blocks/ids.ts';
import { date, mention, safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { approveButton } from './approve-button.ts';
import { jobButton, mayBeApproved, mayTryApproval, saysInstead } from './bid-buttons.ts';
import { amountText, askedText } from './bid-lines.ts';
import { disqualifiedBlock } from './disqualified.ts';
import { excerpt } from './excerpt.ts';
import {
  disqualification,
  type JobState,
  jobName,
  mayWaitForReview,
  proposalText,
  serverMoment,
  setupText,
  stateText,
  statusWords,
  waitsForReview,
} from './job-words.ts';
import { codeText } from './mistake.ts';
import { actions, capital, context, line, lines, plainSection, section } from './parts.ts';
import { projectLink } from './project-link.ts';
import { refusalWords } from './refusal-words.ts';
import { describeTrouble } from './trouble.ts';
import { answeredText } from './unknown-words.ts';

export interface JobFacts {
  /** As the marketplace tells it now, or as we knew it last. */
  readonly state: JobState & Partial<Pick<Job, 'processedAt' | 'marketplaceJobId'>>;
  /** What we keep of it; missing where nobody bid or approved it through us. */
  readonly job?: Job | undefined;
  /** The bid that it came of. */
  readonly bid?: Bid | undefined;
  readonly project?: Pick<ListedProject, 'title' | 'url'> & { readonly verdict?: Verdict | undefined };
  readonly readAt: Instant;
  /** Why it could not be read now: a MarketplaceErrorCode. `state` is the last that we knew then. */
  readonly trouble?: string;
}

const LONGEST_WORDS = 1_500;

function titleOf({ bid, job, project }: JobFacts): string {
  return bid?.title ?? job?.title ?? project?.title ?? '';
}

function headText(facts: JobFacts): string {
  const { state, bid, project } = facts;
  const title = titleOf(facts);
  const url = bid?.url ?? project?.url ?? '';
  return lines(
    `*${capital(jobName(state.id))}: ${waitsForReview(state) ? 'waiting for review' : statusWords(state)}*`,
    title ? projectLink({ title, url }) : state.marketplaceJobId && safeLine(state.marketplaceJobId, 60),
  );
}

function jobLines(facts: JobFacts): string {
  const { state, job, bid } = facts;
  const { scheduledAt, processedAt, retryCount, applicationUid } = state;
  const plan = waitsForReview(state) ? 'if approved, scheduled' : 'scheduled';
  return lines(
    line(job && setupText(job), job?.bidAmount ? `bid ${amountText(job.bidAmount)}` : undefined),
    line(
      scheduledAt ? `${plan} for ${serverMoment(scheduledAt)}` : undefined,
      processedAt ? `processed ${serverMoment(processedAt)}` : undefined,
      retryCount ? `retries: ${number(retryCount)}` : undefined,
    ),
    applicationUid ? `Application ${codeText(applicationUid, 80)}` : undefined,
    job?.proposal ? capital(proposalText(job.proposal)) : undefined,
    bid ? `Bid: ${askedText(bid)}` : 'Gigdesk has no bid for this job.',
    job && approvalLine(job),
  );
}

function approvalLine({ approval }: Job): string | undefined {
  if (!approval) return undefined;
  const who = `${mention(approval.by)}, ${date(approval.at)}`;
  const names = safeLine(approval.approvedBy ?? '', 80);
  switch (approval.state) {
    case 'approved':
      return `Approved by ${who}${names ? ` (the marketplace shows “${names}”)` : ''}`;
    case 'sending':
      return `Being approved by ${who}`;
    case 'refused':
      return `Approval by ${who} was refused: ${refusalWords(approval.refusal ?? { code: '' })}`;
    case 'unknown':
      return `Approval by ${who}: outcome unknown, ${answeredText(approval) ?? 'no response from the marketplace'}${anotherText(approval)}`;
  }
}

function anotherText({ refusal }: Approval): string {
  return refusal ? `. Another approval was refused: ${refusalWords(refusal)}` : '';
}

/** What others wrote at length, as plain text. */
function longWords(label: string, words: string | undefined): KnownBlock[] {
  return words ? [plainSection(`${label}: ${excerpt(words, LONGEST_WORDS)}`)] : [];
}

function footText({ readAt, trouble, job }: JobFacts): string {
  const { follow } = job ?? {};
  return lines(
    trouble === undefined
      ? `As of ${date(readAt)}.`
      : `:warning: Couldn't refresh: ${troubleText(trouble)}. As of ${date(readAt)}.`,
    follow?.state === 'left'
      ? 'Gigdesk stopped tracking this job because it never finished. Press Refresh to track it again.'
      : '',
    follow?.state === 'following' ? 'Gigdesk tracks this job and posts updates in its thread.' : '',
  );
}

function troubleText(code: string): string {
  return code === 'not-found' ? 'the job is no longer in the marketplace' : describeTrouble(code).what;
}

function buttons(facts: JobFacts, disqualified: string | undefined): Button[] {
  const { state, job } = facts;
  const approval = job?.approval;
  const now = { ...state, ...(approval ? { approval } : {}) };
  const isOffered = mayBeApproved(now) || mayTryApproval(now);
  const approvable = { job: state.id, approval, disqualified, own: true, ...saysInstead(state) } as const;
  const setup = job?.setupName ?? (job?.setup === undefined ? undefined : `setup ${job.setup}`);
  const title = titleOf(facts);
  return [
    ...(isOffered ? [approveButton({ ...approvable, title, setup })] : []),
    jobButton(actionIds.jobRefresh, 'Refresh', state.id),
    ...(job?.proposal ? [jobButton(actionIds.proposalShow, 'Proposal', state.id)] : []),
  ];
}

/**
 * Ephemeral: its own buttons draw it anew.
 * @param opening what came of a press, above everything; harmless mrkdwn
 */
export function jobInFull(facts: JobFacts, opening?: string): Message {
  const { state, job, project } = facts;
  const waits = waitsForReview(state) || mayWaitForReview(state);
  const disqualified = job?.approval?.overrode ?? disqualification(state, project?.verdict);
  return {
    text: opening ?? `${capital(jobName(state.id))}: ${stateText(state)}`,
    blocks: [
      ...(opening ? [section(opening)] : []),
      section(headText(facts)),
      section(jobLines(facts)),
      ...longWords('Reason', state.reason),
      ...longWords('Error', state.errorMessage),
      ...(waits && disqualified !== undefined ? [disqualifiedBlock(disqualified)] : []),
      context(footText(facts)),
      actions(buttons(facts, disqualified)),
    ],
  };
}
