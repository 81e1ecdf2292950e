/**
 * Ranks projects by points for what speaks for them, lists the reasons, and sums up what was posted. Pure.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { HOUR, type Instant } from '../clock.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import { largestAmount } from '../query/project-rules.ts';
import type { BestProject, BestProjectReason, DigestFacts } from './facts.ts';
import type { PostedProject } from './gather-posted-content.ts';
import { DIGEST_ROWS_SHOWN, ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

export interface RankingCandidate {
  readonly project: ListedProject;
  /** How many of the channel's filters found it. */
  readonly filters: number;
  readonly foundAt: Instant;
}

interface Weighed {
  readonly points: number;
  readonly reason: BestProjectReason;
}

/** The AI verdict counts most: the team's own qualifier says what they look for. */
const QUALIFIED = 5;
const LONGEST_REASON = 300;
/** A lower rating is no reason to bid, and one from fewer reviews means little. */
const GOOD_RATING = 4.5;
const ENOUGH_REVIEWS = 3;
const SOME_SPENT = 1_000;
const MOST_SPENT_POINTS = 2;
const GOOD_HIRE_RATE = 0.6;
/** Clients read early proposals. */
const FRESH_MS = 6 * HOUR;

function ofVerdict({ verdict }: ListedProject): readonly Weighed[] {
  const { decision, reason } = verdict ?? {};
  if (isProjectQualified(verdict) !== true || decision === undefined) return [];
  const words = omitUndefined({ decision, reason: reason?.slice(0, LONGEST_REASON) });
  return [{ points: QUALIFIED, reason: { why: 'verdict', ...words } }];
}

function ofClient({ client }: ListedProject): readonly Weighed[] {
  const { rating, reviews, hireRate, verified } = client;
  const spent = client.totalSpent ?? largestAmount(client.totalSpentLabel);
  const found: Weighed[] = [];
  const isProven = reviews === undefined || reviews >= ENOUGH_REVIEWS;
  if (rating !== undefined && rating >= GOOD_RATING && isProven)
    found.push({
      points: 1 + 2 * (rating - GOOD_RATING),
      reason: { why: 'rating', ...omitUndefined({ rating, reviews }) },
    });
  if (spent !== undefined && spent >= SOME_SPENT)
    found.push({
      points: Math.min(MOST_SPENT_POINTS, Math.log10(spent / SOME_SPENT) + 0.5),
      reason: { why: 'spent', spent },
    });
  if (hireRate !== undefined && hireRate >= GOOD_HIRE_RATE)
    found.push({ points: hireRate, reason: { why: 'hire-rate', rate: hireRate } });
  if (verified === true) found.push({ points: 0.5, reason: { why: 'verified' } });
  return found;
}

function ofAge({ project, foundAt }: RankingCandidate, now: Instant): readonly Weighed[] {
  const ageMs = Math.max(0, now - (project.publishedAt ?? foundAt));
  return ageMs < FRESH_MS ? [{ points: 1 - ageMs / FRESH_MS, reason: { why: 'fresh', ageMs } }] : [];
}

function ofFilters({ filters }: RankingCandidate): readonly Weighed[] {
  return filters > 1 ? [{ points: 0.5 * (filters - 1), reason: { why: 'filters', count: filters } }] : [];
}

/** What speaks for a project, the weightiest first. */
function weigh(ranked: RankingCandidate, now: Instant): readonly Weighed[] {
  const { project } = ranked;
  const all = [...ofVerdict(project), ...ofClient(project), ...ofAge(ranked, now), ...ofFilters(ranked)];
  return all.sort((a, b) => b.points - a.points);
}

/** The fields of a project that every list in a digest shows. */
function toDigestProject({ key, title, url, publishedAt }: ListedProject) {
  return { project: key, title, url, ...omitUndefined({ publishedAt }) };
}

interface Scored {
  readonly ranked: RankingCandidate;
  readonly reasons: readonly Weighed[];
  readonly points: number;
}

function score(ranked: RankingCandidate, now: Instant): Scored {
  const reasons = weigh(ranked, now);
  return { ranked, reasons, points: reasons.reduce((sum, { points }) => sum + points, 0) };
}

/** By points, then newest first. The key breaks ties, so that the order is always the same. */
function compare(a: Scored, b: Scored): number {
  const age = (it: Scored) => it.ranked.project.publishedAt ?? it.ranked.foundAt;
  const byKey = a.ranked.project.key < b.ranked.project.key ? -1 : 1;
  return b.points - a.points || age(b) - age(a) || byKey;
}

/**
 * The best projects, best first. Leaves out those that the AI rejected and those without points.
 * @param most the maximum number
 */
export function rankProjects(
  projects: readonly RankingCandidate[],
  now: Instant,
  most: number,
): readonly BestProject[] {
  return projects
    .filter(({ project }) => isProjectQualified(project.verdict) !== false)
    .map((ranked) => score(ranked, now))
    .filter(({ points }) => points > 0)
    .sort(compare)
    .slice(0, most)
    .map(({ ranked, reasons }) => ({
      ...toDigestProject(ranked.project),
      reasons: reasons.map(({ reason }) => reason),
    }));
}

/** The rest is only counted. */
const MOST_UNCLAIMED = 4 * ROWS_PER_THREAD_MESSAGE;

function isLeft({ card, isBidOn }: PostedProject): boolean {
  return !card.claim && !card.skip && !isBidOn;
}

export function summarizePostedProjects(
  posted: readonly PostedProject[],
  now: Instant,
): DigestFacts['projects'] {
  const ranked = posted
    .filter(({ card }) => !card.skip)
    .map(({ card, project }) => ({ project, filters: card.filters.length, foundAt: card.foundAt }));
  const newestFirst = posted
    .filter(isLeft)
    .sort((a, b) => (b.project.publishedAt ?? b.card.foundAt) - (a.project.publishedAt ?? a.card.foundAt));
  return {
    told: posted.length,
    best: [...rankProjects(ranked, now, DIGEST_ROWS_SHOWN.best)],
    unclaimed: newestFirst.length,
    unclaimedList: newestFirst.slice(0, MOST_UNCLAIMED).map(({ project }) => toDigestProject(project)),
  };
}
