/** A digest's best projects, each with its reasons. Pure. */
import type { BestProject, BestProjectReason } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN } from '../../digests/split-digest.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatCount, formatDuration, formatPercent, formatShortMoney } from '../kit/numbers.ts';
import { ratingText } from '../kit/project/client.ts';
import { verdictLine } from '../kit/project/project-lines.ts';
import { shortProjectLink } from './digest-rows.ts';

/** More would not be read on a phone. */
const MOST_REASONS = 4;

function reasonText(reason: BestProjectReason): string | undefined {
  switch (reason.why) {
    case 'verdict':
      return verdictLine({ decision: reason.decision, reason: reason.reason, other: {} }, 60);
    case 'rating':
      return ratingText({ rating: reason.rating, reviews: reason.reviews });
    case 'spent':
      return `${formatShortMoney(reason.spent)} spent`;
    case 'hire-rate':
      return `${formatPercent(reason.rate)} hire rate`;
    case 'verified':
      return 'payment verified';
    case 'fresh':
      return `posted ${formatDuration(reason.ageMs)} ago`;
    case 'filters':
      return `found by ${formatCount(reason.count, 'filter')}`;
  }
}

function bestText({ reasons, ...project }: BestProject, place: number): string {
  const why = joinFacts(...reasons.slice(0, MOST_REASONS).map(reasonText));
  return joinLines(`${place}. ${shortProjectLink(project)}`, why && `      ${why}`);
}

/** mrkdwn; undefined if there are none. */
export function bestProjectsText({
  best,
  told,
}: {
  readonly best: readonly BestProject[];
  readonly told: number;
}) {
  if (best.length === 0) return undefined;
  const shown = best.slice(0, DIGEST_ROWS_SHOWN.best);
  const title = told > shown.length ? `Best of ${formatCount(told, 'new project')}` : 'New projects';
  return joinLines(`:star: *${title}*`, ...shown.map((each, at) => bestText(each, at + 1)));
}
