/** Compares each group with all others of its kind. Pure. */

import { EMPTY_FUNNEL, FUNNEL_STAGES, type Funnel, type FunnelStage } from './funnel.ts';
import { areComparisonsSignificant, calculatePValue } from './significance.ts';

/**
 * Smaller groups aren't compared: with ten typical proposals, three or seven viewed ones are both
 * unremarkable.
 */
export const MIN_COMPARED_PROPOSALS = 10;

/** A group's result at a stage, compared with all others. */
export type StageComparison =
  /** Fewer than ten proposals. */
  | 'too-few'
  /** Fewer than ten in all others together, or none. */
  | 'few-others'
  | 'may-be-chance'
  | 'more'
  | 'less';

export type StageComparisons = Readonly<Record<FunnelStage, StageComparison>>;

export interface ComparedGroup {
  /** Unique among all. */
  readonly id: string;
  /** Groups with the same value are compared with one another. */
  readonly within: string;
  readonly funnel: Funnel;
}

interface Contest {
  readonly group: ComparedGroup;
  readonly rest: Funnel;
  /** Set if there is only one other group, which gets the reverse result. */
  readonly rival?: ComparedGroup;
}

interface Trial extends Contest {
  readonly stage: FunnelStage;
  readonly chance: number;
}

export interface GroupComparisons {
  /** By the group's id. */
  readonly standings: ReadonlyMap<string, StageComparisons>;
  /** The group with the surest difference; missing when none is beyond chance. */
  readonly surest?: string;
}

function combine(one: Funnel, other: Funnel, sign: 1 | -1): Funnel {
  return {
    sent: one.sent + sign * other.sent,
    viewed: one.viewed + sign * other.viewed,
    interviewed: one.interviewed + sign * other.interviewed,
    hired: one.hired + sign * other.hired,
  };
}

function contestsOf(groups: readonly ComparedGroup[]): Contest[] {
  const kinds = new Map<string, ComparedGroup[]>();
  for (const group of groups) {
    const peers = kinds.get(group.within);
    if (peers) peers.push(group);
    else kinds.set(group.within, [group]);
  }
  return [...kinds.values()].flatMap((peers) => {
    const all = peers.reduce((sum, { funnel }) => combine(sum, funnel, 1), EMPTY_FUNNEL);
    const [first, second] = peers;
    if (peers.length === 2 && first && second) return [{ group: first, rest: second.funnel, rival: second }];
    return peers.map((group) => ({ group, rest: combine(all, group.funnel, -1) }));
  });
}

function standingAtFirst(own: Funnel, rest: Funnel): StageComparison {
  if (own.sent < MIN_COMPARED_PROPOSALS) return 'too-few';
  return rest.sent < MIN_COMPARED_PROPOSALS ? 'few-others' : 'may-be-chance';
}

function throughout(standing: StageComparison): Record<FunnelStage, StageComparison> {
  return { viewed: standing, interviewed: standing, hired: standing };
}

function sidesOf({ group, rest, rival }: Contest): readonly (readonly [string, Funnel, Funnel])[] {
  const own = [group.id, group.funnel, rest] as const;
  return rival ? [own, [rival.id, rest, group.funnel]] : [own];
}

function trialsOf(contest: Contest): Trial[] {
  const { group, rest } = contest;
  if (standingAtFirst(group.funnel, rest) !== 'may-be-chance') return [];
  return FUNNEL_STAGES.map((stage) => {
    const chance = calculatePValue(
      { count: group.funnel[stage], of: group.funnel.sent },
      { count: rest[stage], of: rest.sent },
    );
    return { ...contest, stage, chance };
  });
}

/** Comparisons between two yields to the event loop: some 2 ms with large samples. */
const SLICE = 200;

async function readTrials(contests: readonly Contest[], rest: () => Promise<void>): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const [index, contest] of contests.entries()) {
    if ((index + 1) % SLICE === 0) await rest();
    trials.push(...trialsOf(contest));
  }
  return trials;
}

/** The initial standings, which reflect only the sample sizes. */
function standingsAtFirst(contests: readonly Contest[]): Map<string, Record<FunnelStage, StageComparison>> {
  return new Map(
    contests.flatMap(sidesOf).map(([id, own, rest]) => [id, throughout(standingAtFirst(own, rest))] as const),
  );
}

/**
 * All comparisons form one family, since readers look for the extreme one. Without real differences,
 * at most one report in twenty shows any. Groups below ten are neither compared nor ranked.
 * @param rest lets other work run.
 */
export async function compareGroups(
  groups: readonly ComparedGroup[],
  rest: () => Promise<void>,
): Promise<GroupComparisons> {
  const contests = contestsOf(groups);
  const standings = standingsAtFirst(contests);
  const trials = await readTrials(contests, rest);
  const beyond = areComparisonsSignificant(trials.map(({ chance }) => chance));
  const found = trials.filter((_, index) => beyond[index]);
  for (const trial of found)
    for (const [id, own, others] of sidesOf(trial)) {
      const standing = standings.get(id);
      const isMore = own[trial.stage] * others.sent > others[trial.stage] * own.sent;
      if (standing) standing[trial.stage] = isMore ? 'more' : 'less';
    }
  const [surest] = found.toSorted((a, b) => a.chance - b.chance);
  return { standings, ...(surest ? { surest: surest.group.id } : {}) };
}
