/**
 * Red flags of a project, each with its grade: a card shows warnings, details show notes, too. Plain facts
 * such as “no hires yet” are in the client's line and raise no flag. Pure.
 */
import type { ListedProject, LookedUpProject } from '../../../marketplace/schema.ts';
import { cleanLine } from '../mrkdwn.ts';
import { formatCount, formatPercent } from '../numbers.ts';

type Judged = Pick<ListedProject, 'client' | 'description' | 'title'> &
  Partial<Pick<LookedUpProject, 'clientMore'>>;

/** A safe sentence without a period; undefined if the flag isn't raised. */
type Look = (project: Judged) => string | undefined;

/** Thresholds that keep flags rare, so that people read them. */
const LOW_RATING = 3.5;
const ENOUGH_REVIEWS = 3;
const LOW_HIRE_RATE = 0.3;
const ENOUGH_JOBS = 10;
const SHORT_DESCRIPTION = 40;

const outside: Look = ({ description }) => {
  const found = /\b(telegram|whats ?app|skype|wechat|t\.me|wa\.me)\b/iu.exec(description)?.[1];
  return found ? `Mentions ${found} for contact` : undefined;
};

const unpaid: Look = ({ description }) => {
  const found = /\b(?:unpaid|free)\s+(?:test|trial|sample)s?\b/iu.exec(description)?.[0];
  return found ? `Asks for unpaid work: “${cleanLine(found).toLowerCase()}”` : undefined;
};

/** Direction overrides, null bytes and similar characters: nobody types them by accident. */
const DISGUISE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const disguised: Look = ({ title, description }) => {
  const found = `${title}${description}`.replace(/[\t\n\r]/gu, '').match(DISGUISE)?.length ?? 0;
  return found > 0 ? `Contains ${formatCount(found, 'hidden character')}` : undefined;
};

/** The rating itself is in the client's line. */
const lowRating: Look = ({ client: { rating, reviews } }) =>
  rating !== undefined && reviews !== undefined && reviews >= ENOUGH_REVIEWS && rating < LOW_RATING
    ? 'Low client rating'
    : undefined;

/** Lists include hires and the hire rate, but not the number of jobs: it is their quotient. */
function jobsOf({ client, clientMore }: Judged): number | undefined {
  if (clientMore?.jobsPosted !== undefined) return clientMore.jobsPosted;
  if (!client.hireRate || client.totalHires === undefined) return undefined;
  return Math.round(client.totalHires / client.hireRate);
}

const lowHireRate: Look = (project) => {
  const { hireRate } = project.client;
  const jobs = jobsOf(project);
  if (hireRate === undefined || jobs === undefined) return undefined;
  return hireRate < LOW_HIRE_RATE && jobs >= ENOUGH_JOBS
    ? `Hired for only ${formatPercent(hireRate)} of about ${formatCount(jobs, 'project')}`
    : undefined;
};

const thinDescription: Look = ({ description }) => {
  const length = cleanLine(description).length;
  if (length === 0) return 'No description';
  return length < SHORT_DESCRIPTION ? `Short description (${formatCount(length, 'character')})` : undefined;
};

/** Most serious first. `warning`: a reason not to bid. `note`: worth knowing before you do. */
const FLAGS: readonly { readonly grade: 'warning' | 'note'; readonly look: Look }[] = [
  { grade: 'warning', look: outside },
  { grade: 'warning', look: unpaid },
  { grade: 'warning', look: disguised },
  { grade: 'warning', look: lowRating },
  { grade: 'note', look: lowHireRate },
  { grade: 'note', look: thinDescription },
];

/** Every flag as a safe sentence without a period, most serious first. Missing numbers raise none. */
export function listProjectRedFlags(project: Judged): readonly string[] {
  return FLAGS.flatMap(({ look }) => look(project) ?? []);
}

/** The flags that a card shows. */
export function listProjectWarnings(project: Judged): readonly string[] {
  return FLAGS.flatMap(({ grade, look }) => (grade === 'warning' ? (look(project) ?? []) : []));
}
