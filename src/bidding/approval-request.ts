/**
 * What a request for approval shows, whether a job still is what was shown, and when a request is open, has
 * expired or was rejected. Pure.
 */
import { createHash } from 'node:crypto';
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { HOUR, type Instant } from '../clock.ts';
import type { UserId } from '../ids.ts';
import type { BiddingSetup, ListedProject } from '../marketplace/schema.ts';
import { parseInstant } from '../marketplace/wire/values.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import { isApprovalOpen } from './decide-bid.ts';
import { isJobForOtherProject } from './decide-job.ts';
import { isPendingReview } from './job-status-text.ts';
import type { ApprovalFact, ApprovalReview, Bid, Job } from './records.ts';

/** Why the job ID of a bid may not be its project's: a link with only a `pid`, or a uid, doesn't say. */
export type JobIdDoubt =
  /** Nothing that we know ties it to the project. */
  | { readonly kind: 'unproven' }
  /** It is known to be another project's. `title`: a stranger's words. */
  | { readonly kind: 'other'; readonly title?: string };

/** What an approval sends, as far as we know it. */
export interface ApprovalSubject {
  /** The job as the marketplace reports it, with what our record adds. */
  readonly job: Partial<Job>;
  /** The bid whose request created the job, or will; missing for a job made elsewhere. */
  readonly bid?: Pick<
    Bid,
    'by' | 'project' | 'title' | 'url' | 'request' | 'connectsPrice' | 'similarLetter'
  > & { readonly id?: Bid['id'] };
  /** The project as a filter's list last showed it. */
  readonly project?: ListedProject;
  readonly doubt?: JobIdDoubt;
  /** Of the setup; 'none': it certainly has none. Missing: unknown. */
  readonly template?: NonNullable<BiddingSetup['template']> | 'none';
}

export type ApprovalFactName = ApprovalFact['name'];

/** A fact that differs from what was shown; a missing side was unknown. Texts are strangers' words. */
export interface ApprovalChange {
  readonly name: ApprovalFactName;
  readonly before?: string;
  readonly now?: string;
}

const LONGEST_TEXT = 120;

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function toFact(name: ApprovalFactName, whole: string | undefined, text = whole): ApprovalFact[] {
  if (whole === undefined || whole === '') return [];
  return [{ name, text: (text ?? '').slice(0, LONGEST_TEXT), hash: hashText(whole) }];
}

/** The same moment in two formats is the same schedule. */
function scheduleOf({ job, bid }: ApprovalSubject): string | undefined {
  const at = parseInstant(job.scheduledAt);
  if (at !== undefined) return new Date(at).toISOString();
  if (job.scheduledAt) return job.scheduledAt;
  const { scheduledAt, scheduledInMinutes: minutes } = bid?.request ?? {};
  if (scheduledAt !== undefined) return new Date(scheduledAt).toISOString();
  return minutes === undefined ? undefined : `${minutes} minutes after the bid was created`;
}

function verdictOf({ job, project }: ApprovalSubject): string | undefined {
  if (isProjectQualified(project?.verdict) === false)
    return `disqualified: ${project?.verdict?.reason ?? ''}`;
  return job.reason;
}

function clientOf({ project }: ApprovalSubject): string | undefined {
  if (!project) return undefined;
  const known = Object.entries(project.client)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return known.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
}

/** The title of the job's project; the bid's own if the job is for that project. */
export function findApprovalTitle({ job, bid, project }: ApprovalSubject): string {
  const isOther = bid !== undefined && isJobForOtherProject(bid, job);
  return project?.title || job.title || (isOther ? '' : (bid?.title ?? ''));
}

/** The job ID that is sent, or that the marketplace names for the job. */
export function findJobId({ job, bid }: ApprovalSubject): string | undefined {
  return job.marketplaceJobId ?? bid?.request.marketplaceJobId;
}

/** Besides the ID, the title of another project that it is known to be of. */
function jobIdOf(subject: ApprovalSubject): string {
  const { doubt } = subject;
  const other = doubt?.kind === 'other' ? ` (another project: ${doubt.title ?? ''})` : '';
  return `${removeJobIdTilde(findJobId(subject) ?? '')}${other}`;
}

/** The bid's price in connects, without a boost. */
export function findConnectsPrice({ job, bid }: ApprovalSubject): number | undefined {
  return job.review?.connects ?? bid?.connectsPrice;
}

/** Everything that a request for approval shows, fact by fact. Unknown facts are left out. */
export function listApprovalFacts(subject: ApprovalSubject): readonly ApprovalFact[] {
  const { job, bid, project } = subject;
  const { request } = bid ?? {};
  const answers = request?.answers ?? [];
  const letter = request?.coverLetter ?? '';
  const { budget } = project ?? {};
  const price = findConnectsPrice(subject);
  return [
    ...toFact('job', removeJobIdTilde(job.project ?? job.marketplaceJobId ?? '')),
    ...toFact('job-id', jobIdOf(subject)),
    ...toFact('project-id', request?.projectId?.toString()),
    ...toFact('title', findApprovalTitle(subject)),
    ...toFact('budget', [budget?.amount, budget?.type].filter(Boolean).join(' ')),
    ...toFact('client', clientOf(subject)),
    ...toFact('setup', [job.setup, job.setupName].join(' ').trim(), job.setupName ?? job.setup?.toString()),
    ...toFact('rate', [request?.bidAmount, job.bidAmount].filter((each) => each !== undefined).join(' / ')),
    ...toFact('boost', request?.boostConnects?.toString()),
    ...toFact('schedule', scheduleOf(subject)),
    ...toFact('letter', letter, `${letter.length} characters: ${letter}`),
    ...toFact(
      'answers',
      answers.length === 0 ? undefined : JSON.stringify(answers),
      answers.map(({ answer }) => answer).join(' | '),
    ),
    ...toFact('verdict', verdictOf(subject)),
    ...toFact('connects', price?.toString()),
  ];
}

/** Identifies exactly what was shown. */
export function hashApprovalFacts(facts: readonly ApprovalFact[]): string {
  return hashText(JSON.stringify(facts.map(({ name, hash }) => [name, hash])));
}

export function compareApprovalFacts(
  before: readonly ApprovalFact[],
  now: readonly ApprovalFact[],
): readonly ApprovalChange[] {
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [was, is] = [before, now].map((facts) => facts.find((fact) => fact.name === name));
    return was?.hash === is?.hash ? [] : [{ name, before: was?.text, now: is?.text }];
  });
}

type Reviewed = Partial<Pick<Job, 'review' | 'approval' | 'follow'>> &
  Pick<Job, 'status' | 'statusTitle' | 'processedAt' | 'errorMessage' | 'applicationUid'>;

/** Whether people can still approve or reject by its request. */
export function isReviewOpen(job: Reviewed): boolean {
  const { review, follow } = job;
  if (review === undefined || review.ended !== undefined) return false;
  return isPendingReview(job) && follow?.state !== 'gone' && isApprovalOpen(job);
}

/** Whether it was rejected here, or nobody answered in time. Only a new request can be approved then. */
export function isReviewEnded({ review }: Pick<Reviewed, 'review'>): boolean {
  return review?.ended !== undefined;
}

/** Whether it ended because someone approved it, but not enough others did. */
export function lackedSecondApproval({ review, approval }: Pick<Reviewed, 'review' | 'approval'>): boolean {
  const { ended } = approval?.hold ?? {};
  return review?.ended !== undefined && ended?.kind === 'expired' && ended.at === review.ended.at;
}

/**
 * Whether silence counts: nobody has pressed Approve. A request whose approval got no answer from the
 * marketplace was answered by a person.
 */
export function canExpire(job: Reviewed): boolean {
  return isReviewOpen(job) && job.approval?.state !== 'unknown';
}

export function hasExpired(job: Reviewed, at: Instant): boolean {
  const { expiresAt } = job.review ?? {};
  return expiresAt !== undefined && expiresAt <= at && canExpire(job);
}

/** Whether a job that has just been stored needs a request. A job that someone tried to approve doesn't. */
export function needsFirstRequest(job: Reviewed): boolean {
  const { review, approval, follow } = job;
  return !review && !approval && follow?.state !== 'gone' && isPendingReview(job);
}

/** Who wants the job approved: the bidder, and everyone who asked for it. */
export function listAskers({ bidder, review }: Pick<Job, 'bidder' | 'review'>): readonly UserId[] {
  return [...new Set([...(bidder === undefined ? [] : [bidder]), ...(review?.askers ?? [])])];
}

/** The next request for a job. @param hours until it counts as rejected; 0: never */
export function nextReview(
  subject: ApprovalSubject,
  { at, by, hours }: { readonly at: Instant; readonly by: UserId | undefined; readonly hours: number },
): ApprovalReview {
  const { review } = subject.job;
  return {
    round: (review?.round ?? 0) + 1,
    at,
    shown: [...listApprovalFacts(subject)],
    askers: [...new Set([...(review?.askers ?? []), ...(by === undefined ? [] : [by])])],
    by,
    connects: review?.connects,
    expiresAt: hours > 0 ? at + hours * HOUR : undefined,
  };
}
