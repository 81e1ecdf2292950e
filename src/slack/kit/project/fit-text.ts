/** How well a project fits the channel, in words. Pure. */
import { type FitReason, gradeFit, isReasonAgainst, type ProjectFit } from '../../../feed/fit-reasons.ts';
import { capitalize } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney, formatPercent, formatShortMoney } from '../numbers.ts';

const GRADES = { great: 'great fit', good: 'good fit', fair: 'fair fit', weak: 'weak fit' } as const;

/** What the client's line of a card says, too. */
const CLIENT: ReadonlySet<FitReason['why']> = new Set([
  'rating',
  'low-rating',
  'spent',
  'hires',
  'no-hires',
  'hire-rate',
  'low-hire-rate',
  'verified',
  'unverified',
]);
const VERDICT: ReadonlySet<FitReason['why']> = new Set(['verdict', 'not-qualified']);

/** `budget above your usual $1,200`. mrkdwn. */
function fitReasonText(reason: FitReason): string {
  switch (reason.why) {
    case 'verdict':
      return `qualified by the AI${reason.reason ? ` (${safeLine(reason.reason, 60)})` : ''}`;
    case 'not-qualified':
      return 'not qualified by the AI';
    case 'rating':
    case 'low-rating':
      return `client rated ${reason.rating.toFixed(1)}`;
    case 'spent':
      return `client spent ${formatShortMoney(reason.spent)}`;
    case 'hires':
      return `client hired ${formatCount(reason.count, 'time')}`;
    case 'no-hires':
      return 'client never hired';
    case 'hire-rate':
      return `${formatPercent(reason.rate)} hire rate`;
    case 'low-hire-rate':
      return `only ${formatPercent(reason.rate)} hire rate`;
    case 'verified':
      return 'payment verified';
    case 'unverified':
      return 'payment not verified';
    case 'budget-above':
      return `budget above your usual ${formatMoney(reason.usual)}`;
    case 'budget-below':
      return `budget below your usual ${formatMoney(reason.usual)}`;
    case 'filters':
      return `passes the rules of ${formatCount(reason.count, 'filter')}`;
    case 'mention':
      return 'matches a mention rule';
    case 'like-won':
      return `similar to ${formatCount(reason.count, 'project')} you won`;
    case 'like-taken':
      return `similar to ${formatCount(reason.count, 'project')} you claimed or bid on`;
    case 'like-skipped':
      return `similar to ${formatCount(reason.count, 'project')} you skipped`;
    case 'client-taken':
      return 'probably a client whose projects you claimed or bid on';
    case 'client-skipped':
      return 'probably a client whose projects you skipped';
  }
}

const MOST_FOR = 3;
const MOST_AGAINST = 2;

function reasonsText(reasons: readonly FitReason[]): string {
  const pros = reasons.filter((each) => !isReasonAgainst(each)).slice(0, MOST_FOR);
  const cons = reasons.filter(isReasonAgainst).slice(0, MOST_AGAINST);
  return [pros, cons]
    .filter((some) => some.length > 0)
    .map((some) => some.map(fitReasonText).join(', '))
    .join('; ');
}

/**
 * `Good fit: client hired 12 times, payment verified; budget below your usual $900`. mrkdwn.
 * @param shown how many reasons at most
 */
export function fitText(fit: ProjectFit, shown = { most: MOST_FOR + MOST_AGAINST }): string {
  const why = reasonsText(fit.reasons.slice(0, shown.most));
  const grade = capitalize(GRADES[gradeFit(fit)]);
  return why ? `${grade}: ${why}` : grade;
}

/** The client's record in one phrase: its facts are on the card already. */
function clientRecordText(reasons: readonly FitReason[]): string | undefined {
  const own = reasons.filter(({ why }) => CLIENT.has(why));
  const against = own.filter(isReasonAgainst).length;
  if (own.length - against >= 2 && against === 0) return 'client with a good record';
  return against >= 2 && own.length === against ? 'client with a poor record' : undefined;
}

/**
 * For a card, which shows the client's facts and the verdict elsewhere. mrkdwn; undefined for a fair fit
 * without a reason of its own.
 */
export function cardFitText(fit: ProjectFit | undefined): string | undefined {
  if (!fit) return undefined;
  const grade = gradeFit(fit);
  const own = reasonsText(fit.reasons.filter(({ why }) => !CLIENT.has(why) && !VERDICT.has(why)));
  const why = [clientRecordText(fit.reasons), own].filter((words) => words).join(', ');
  if (grade === 'fair' && !why) return undefined;
  return `*${capitalize(GRADES[grade])}*${why ? `: ${why}` : ''}`;
}

/** `good fit`, for lines with little space; undefined for a fair one. */
export function shortFitText(fit: ProjectFit | undefined): string | undefined {
  const grade = fit && gradeFit(fit);
  return grade && grade !== 'fair' ? GRADES[grade] : undefined;
}
