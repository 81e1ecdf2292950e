/**
 * How far projects get, from found to hired, and why the others stopped. A project that reached a step counts
 * in all steps before it, so the numbers never rise along the funnel. Pure.
 */
import type { ChannelId, FilterId, ProjectKey } from '../ids.ts';

/**
 * found: a filter listed it, or a person shared it · matched: it passed the rules and mutes · posted: as a
 * card, alone or in a summary · claimed: someone claimed it, or tried to bid · bid: the marketplace took the
 * bid · viewed, interviewed, hired: its proposal.
 */
export const FUNNEL_STEPS = [
  'found',
  'matched',
  'posted',
  'claimed',
  'bid',
  'viewed',
  'interviewed',
  'hired',
] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** For each step, why projects don't get to the next one; the order in which they are shown. */
export const LOSS_REASONS = {
  found: ['past', 'no-match', 'muted'],
  matched: ['deferred', 'unsubscribed'],
  posted: [
    'not-a-fit',
    'budget-too-low',
    'client',
    'too-late',
    'skipped-other',
    'bid-elsewhere',
    'unclaimed',
  ],
  claimed: [
    'bid-waiting',
    'bid-canceled',
    'bid-not-approved',
    'bid-never-sent',
    'bid-refused',
    'bid-skipped',
    'bid-unclear',
    'no-bid',
  ],
  bid: ['withdrawn', 'not-sent', 'not-viewed'],
  viewed: ['withdrawn', 'no-interview'],
  interviewed: ['withdrawn', 'no-hire'],
  hired: [],
} as const satisfies Readonly<Record<FunnelStep, readonly string[]>>;
export type LossReason = (typeof LOSS_REASONS)[FunnelStep][number];

/** The last step of a project, and why it isn't further; a hired one has no reason. */
export interface ProjectProgress {
  readonly step: FunnelStep;
  readonly lost?: LossReason;
}

/** What a group of projects has in common. */
export type FunnelGroupKey =
  | { readonly kind: 'filter'; readonly filter: FilterId }
  /** Posted by people, found by no filter. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'channel'; readonly channel: ChannelId };

export interface FunnelCount {
  readonly reached: Readonly<Record<FunnelStep, number>>;
  /** By the last step, then by reason; together they are what the next step lacks. */
  readonly lost: Readonly<Record<FunnelStep, ReadonlyMap<LossReason, number>>>;
}

function positionOf({ step }: ProjectProgress): number {
  return FUNNEL_STEPS.indexOf(step);
}

/** The furthest progress; the first of equals. */
export function furthestProgress(one: ProjectProgress, other: ProjectProgress): ProjectProgress {
  return positionOf(other) > positionOf(one) ? other : one;
}

function forEachStep<T>(make: () => T): Record<FunnelStep, T> {
  return Object.fromEntries(FUNNEL_STEPS.map((step) => [step, make()])) as Record<FunnelStep, T>;
}

export function countProgress(all: Iterable<ProjectProgress>): FunnelCount {
  const reached = forEachStep(() => 0);
  const lost = forEachStep(() => new Map<LossReason, number>());
  for (const progress of all) {
    for (const step of FUNNEL_STEPS.slice(0, positionOf(progress) + 1)) reached[step] += 1;
    const at = lost[progress.step];
    if (progress.lost) at.set(progress.lost, (at.get(progress.lost) ?? 0) + 1);
  }
  return { reached, lost };
}

type Progresses = Map<ProjectKey, ProjectProgress>;

function addProject(projects: Progresses, project: ProjectKey, now: ProjectProgress): void {
  const before = projects.get(project);
  projects.set(project, before ? furthestProgress(before, now) : now);
}

/** Counts each project once in all, and once in each of its groups, by its furthest progress there. */
export class FunnelCounter {
  readonly #all: Progresses = new Map();
  readonly #groups = new Map<string, { readonly key: FunnelGroupKey; readonly projects: Progresses }>();

  add(project: ProjectKey, progress: ProjectProgress): void {
    addProject(this.#all, project, progress);
  }

  addToGroup(key: FunnelGroupKey, project: ProjectKey, progress: ProjectProgress): void {
    const id = Object.values(key).join(' ');
    const group = this.#groups.get(id) ?? { key, projects: new Map() };
    this.#groups.set(id, group);
    addProject(group.projects, project, progress);
  }

  countAll(): FunnelCount {
    return countProgress(this.#all.values());
  }

  /** Those with most posted projects first. */
  countGroups(): readonly { readonly key: FunnelGroupKey; readonly count: FunnelCount }[] {
    return [...this.#groups.entries()]
      .map(([id, { key, projects }]) => ({ id, key, count: countProgress(projects.values()) }))
      .toSorted(
        ({ id, count: { reached: a } }, { id: otherId, count: { reached: b } }) =>
          b.posted - a.posted || b.found - a.found || (id < otherId ? -1 : 1),
      )
      .map(({ key, count }) => ({ key, count }));
  }
}
