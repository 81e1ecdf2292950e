/** The best projects of a digest, each with why it is there. */
import type { BestProject, BestReason } from '../../digests/facts.ts';
import { SHOWN } from '../../digests/split-digest.ts';
import { count, duration, percent, shortMoney } from '../blocks/numbers.ts';
import { ratingText } from './client-line.ts';
import { shortLink } from './digest-rows.ts';
import { line, lines } from './parts.ts';
import { verdictLine } from './verdict-line.ts';

/** More would not be read on a phone. */
const MOST_REASONS = 4;

function reasonText(reason: BestReason): string | undefined {
  switch (reason.why) {
    case 'verdict':
      return verdictLine({ decision: reason.decision, reason: reason.reason, other: {} }, 60);
    case 'rating':
      return ratingText({ rating: reason.rating, reviews: reason.reviews });
    case 'spent':
      return `${shortMoney(reason.spent)} spent`;
    case 'hire-rate':
      return `${percent(reason.rate)} hire rate`;
    case 'verified':
      return 'payment verified';
    case 'fresh':
      return `posted ${duration(reason.ageMs)} ago`;
    case 'filters':
      return `found by ${count(reason.count, 'filter')}`;
  }
}

function bestText({ reasons, ...project }: BestProject, place: number): string {
  const why = line(...reasons.slice(0, MOST_REASONS).map(reasonText));
  return lines(`${place}. ${shortLink(project)}`, why && `      ${why}`);
}

/** mrkdwn; undefined where there is none. */
export function bestTextOf({ best, told }: { readonly best: readonly BestProject[]; readonly told: number }) {
  if (best.length === 0) return undefined;
  const shown = best.slice(0, SHOWN.best);
  const title = told > shown.length ? `Best of ${count(told, 'new project')}` : 'New projects';
  return lines(`:star: *${title}*`, ...shown.map((each, at) => bestText(each, at + 1)));
}
