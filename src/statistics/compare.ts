/** Compares each group with all others of its kind. Pure. */

import { EMPTY_FUNNEL, FUNNEL_STAGES, type Funnel, type FunnelStage } from './funnel.ts';
import { areSignificant, calculatePValue } from './significance.ts';

/** Of fewer proposals nothing is said: of ten that are as good as others, seven in ten viewed or three are nothing unusual. */
export const MIN_COMPARED_PROPOSALS = 10;

/** How a group does at a stage beside all others that it is compared with. */
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
  /** Groups with the same are compared with one another. */
  readonly within: string;
  readonly funnel: Funnel;
}

interface Contest {
  readonly group: ComparedGroup;
  readonly rest: Funnel;
  /** The only other one, for which the same holds the other way round. */
  readonly rival?: ComparedGroup;
}

/** A difference at a stage. */
interface Trial extends Contest {
  readonly stage: FunnelStage;
  readonly chance: number;
}

export interface GroupComparisons {
  /** By the group's id. */
  readonly standings: ReadonlyMap<string, StageComparisons>;
  /** The group that differs most surely; missing: none does beyond chance. */
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

/** What a comparison means for the two sides of it. */
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

/** Comparisons made without giving the event loop a turn: some 2 ms where samples are large. */
const SLICE = 200;

async function readTrials(contests: readonly Contest[], rest: () => Promise<void>): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const [index, contest] of contests.entries()) {
    if ((index + 1) % SLICE === 0) await rest();
    trials.push(...trialsOf(contest));
  }
  return trials;
}

/** The standings of which nothing is known yet but the sizes of the samples. */
function standingsAtFirst(contests: readonly Contest[]): Map<string, Record<FunnelStage, StageComparison>> {
  return new Map(
    contests.flatMap(sidesOf).map(([id, own, rest]) => [id, throughout(standingAtFirst(own, rest))] as const),
  );
}

/**
 * All comparisons are one family, since whoever looks at them looks for the one that stands out: of all reports in which nothing
 * differs, at most one in twenty says that anything does. Groups below ten are neither compared nor ranked.
 * @param rest lets everything else run.
 */
export async function compareGroups(
  groups: readonly ComparedGroup[],
  rest: () => Promise<void>,
): Promise<GroupComparisons> {
  const contests = contestsOf(groups);
  const standings = standingsAtFirst(contests);
  const trials = await readTrials(contests, rest);
  const beyond = areSignificant(trials.map(({ chance }) => chance));
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
