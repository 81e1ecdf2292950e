/** Lists the projects with the best fit, and sums up what was posted. Pure. */
import type { Instant } from '../clock.ts';
import { assessFit } from '../feed/fit.ts';
import { type FitReason, isReasonAgainst, type ProjectFit } from '../feed/fit-reasons.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import type { BestProject, DigestFacts } from './facts.ts';
import type { PostedProject } from './gather-posted-content.ts';
import { DIGEST_ROWS_SHOWN, ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

export interface RankingCandidate {
  readonly project: ListedProject;
  readonly fit: ProjectFit;
  readonly foundAt: Instant;
}

const LONGEST_REASON = 300;

/** With the AI's own words, which the fit doesn't store. */
function withVerdictReason(reason: FitReason, { verdict }: ListedProject): FitReason {
  if (reason.why !== 'verdict') return reason;
  return { ...reason, reason: verdict?.reason?.slice(0, LONGEST_REASON) ?? reason.reason };
}

function toDigestProject({ key, title, url, publishedAt }: ListedProject) {
  return { project: key, title, url, publishedAt };
}

/** By fit, then newest first. The key breaks ties, so that the order is always the same. */
function compare(a: RankingCandidate, b: RankingCandidate): number {
  const age = (it: RankingCandidate) => it.project.publishedAt ?? it.foundAt;
  return b.fit.points - a.fit.points || age(b) - age(a) || (a.project.key < b.project.key ? -1 : 1);
}

/**
 * The best projects, best first. Leaves out those that the AI rejected, and those that nothing speaks for.
 * @param most the maximum number
 */
export function rankProjects(projects: readonly RankingCandidate[], most: number): readonly BestProject[] {
  return projects
    .filter(({ project }) => isProjectQualified(project.verdict) !== false)
    .filter(({ fit }) => fit.reasons.some((reason) => !isReasonAgainst(reason)))
    .toSorted(compare)
    .slice(0, most)
    .map(({ project, fit }) => ({
      ...toDigestProject(project),
      points: fit.points,
      reasons: fit.reasons.map((reason) => withVerdictReason(reason, project)),
      budget: project.budget,
    }));
}

/** The rest is only counted. */
const MOST_UNCLAIMED = 4 * ROWS_PER_THREAD_MESSAGE;

export function summarizePostedProjects(posted: readonly PostedProject[]): DigestFacts['projects'] {
  const ranked = posted
    .filter(({ card }) => !card.skip)
    .map(({ card, project }) => ({
      project,
      foundAt: card.foundAt,
      fit:
        card.fit ??
        assessFit({ project, filters: card.filters.length, isMentioned: card.mention !== undefined }),
    }));
  const newestFirst = posted
    .filter(({ card, isBidOn }) => !card.claim && !card.skip && !isBidOn)
    .sort((a, b) => (b.project.publishedAt ?? b.card.foundAt) - (a.project.publishedAt ?? a.card.foundAt));
  return {
    told: posted.length,
    best: [...rankProjects(ranked, DIGEST_ROWS_SHOWN.best)],
    unclaimed: newestFirst.length,
    unclaimedList: newestFirst.slice(0, MOST_UNCLAIMED).map(({ project }) => toDigestProject(project)),
  };
}
