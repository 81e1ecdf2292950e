/** A digest's summary of the projects posted to a channel. Pure. */
import type { Instant } from '../clock.ts';
import type { DigestFacts } from './facts.ts';
import type { PostedProject } from './gather-posted-content.ts';
import { rankProjects, toDigestProject } from './rank-projects.ts';
import { DIGEST_ROWS_SHOWN, ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

/** The rest is only counted. */
const MOST_UNCLAIMED = 4 * ROWS_PER_THREAD_MESSAGE;

function isLeft({ card, isBidOn }: PostedProject): boolean {
  return !card.claim && !card.skip && !isBidOn;
}

export function summarizePostedProjects(
  told: readonly PostedProject[],
  now: Instant,
): DigestFacts['projects'] {
  const ranked = told
    .filter(({ card }) => !card.skip)
    .map(({ card, project }) => ({ project, filters: card.filters.length, foundAt: card.foundAt }));
  const newestFirst = told
    .filter(isLeft)
    .sort((a, b) => (b.project.publishedAt ?? b.card.foundAt) - (a.project.publishedAt ?? a.card.foundAt));
  return {
    told: told.length,
    best: [...rankProjects(ranked, now, DIGEST_ROWS_SHOWN.best)],
    unclaimed: newestFirst.length,
    unclaimedList: newestFirst.slice(0, MOST_UNCLAIMED).map(({ project }) => toDigestProject(project)),
  };
}
