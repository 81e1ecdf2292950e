/** Compares each group with all others of its kind, and tests whether a difference may be chance. Pure. */
import { NO_STAGES, PROPOSAL_STAGES, type ProposalStage, type StageCounts } from './stages.ts';

/** With ten typical proposals, three or seven viewed ones are both unremarkable. */
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

export type StageComparisons = Readonly<Record<ProposalStage, StageComparison>>;

export interface ComparedGroup {
  /** Unique among all. */
  readonly id: string;
  /** Groups with the same value are compared with one another. */
  readonly within: string;
  readonly stages: StageCounts;
}

interface Contest {
  readonly group: ComparedGroup;
  readonly rest: StageCounts;
  /** Set if there is only one other group, which gets the reverse result. */
  readonly rival?: ComparedGroup;
}

interface Trial extends Contest {
  readonly stage: ProposalStage;
  readonly chance: number;
}

export interface GroupComparisons {
  /** By the group's id. */
  readonly standings: ReadonlyMap<string, StageComparisons>;
  /** The group with the surest difference; missing when none is beyond chance. */
  readonly surest?: string;
}

function combine(one: StageCounts, other: StageCounts, sign: 1 | -1): StageCounts {
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
    const all = peers.reduce((sum, { stages }) => combine(sum, stages, 1), NO_STAGES);
    const [first, second] = peers;
    if (peers.length === 2 && first && second) return [{ group: first, rest: second.stages, rival: second }];
    return peers.map((group) => ({ group, rest: combine(all, group.stages, -1) }));
  });
}

function standingAtFirst(own: StageCounts, rest: StageCounts): StageComparison {
  if (own.sent < MIN_COMPARED_PROPOSALS) return 'too-few';
  return rest.sent < MIN_COMPARED_PROPOSALS ? 'few-others' : 'may-be-chance';
}

function sidesOf({ group, rest, rival }: Contest): readonly (readonly [string, StageCounts, StageCounts])[] {
  const own = [group.id, group.stages, rest] as const;
  return rival ? [own, [rival.id, rest, group.stages]] : [own];
}

function trialsOf(contest: Contest): Trial[] {
  const { group, rest } = contest;
  if (standingAtFirst(group.stages, rest) !== 'may-be-chance') return [];
  return PROPOSAL_STAGES.map((stage) => {
    const own = { count: group.stages[stage], of: group.stages.sent };
    return { ...contest, stage, chance: calculatePValue(own, { count: rest[stage], of: rest.sent }) };
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

/** These reflect only the sample sizes. */
function standingsAtFirst(contests: readonly Contest[]): Map<string, Record<ProposalStage, StageComparison>> {
  return new Map(
    contests.flatMap(sidesOf).map(([id, own, rest]) => {
      const standing = standingAtFirst(own, rest);
      return [id, { viewed: standing, interviewed: standing, hired: standing }] as const;
    }),
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
  return { standings, surest: surest && surest.group.id };
}

type SampleShare = Readonly<Record<'count' | 'of', number>>;

/** Weights this far below the likeliest no longer change a sum of doubles. */
const NEGLIGIBLE = 1e-16;
/** Tolerates rounding errors for tables as likely as the observed one. */
const AS_LIKELY = 1 + 1e-7;

/**
 * The probability of shares at least this different when both samples come from the same distribution:
 * Fisher's exact test, two-sided, which sums all tables no likelier than this one. Exact for small samples
 * too, and rather conservative. The number of steps grows with the standard deviation: at most some 2,000 for
 * 50,000 proposals. Sources: R. A. Fisher, J. R. Stat. Soc. 98 (1935), 39; J. O. Irwin, Metron 12 (1935), 83
 * (the two-sided sum).
 * @returns 0 to 1
 */
export function calculatePValue(one: SampleShare, other: SampleShare): number {
  const successes = one.count + other.count;
  const all = one.of + other.of;
  const first = Math.max(0, successes - other.of);
  const last = Math.min(one.of, successes);
  const mode = Math.min(last, Math.max(first, Math.floor(((one.of + 1) * (successes + 1)) / (all + 2))));
  /** How much likelier `count + 1` is than `count` in the hypergeometric distribution. */
  const step = (count: number) =>
    ((one.of - count) * (successes - count)) / ((count + 1) * (other.of - successes + count + 1));
  // Weights are relative to the likeliest table, indexed by the first sample's count.
  const met = weightOf(one.count, mode, step) * AS_LIKELY;
  let sum = 1;
  let unlikely = met >= 1 ? 1 : 0;
  const add = (weight: number) => {
    sum += weight;
    if (weight <= met) unlikely += weight;
  };
  for (let count = mode, weight = 1; count < last && weight > NEGLIGIBLE; count++) {
    weight *= step(count);
    add(weight);
  }
  for (let count = mode, weight = 1; count > first && weight > NEGLIGIBLE; count--) {
    weight /= step(count - 1);
    add(weight);
  }
  return Math.min(1, unlikely / sum);
}

function weightOf(count: number, mode: number, step: (count: number) => number): number {
  let weight = 1;
  for (let at = mode; at < count && weight > NEGLIGIBLE; at++) weight *= step(at);
  for (let at = mode; at > count && weight > NEGLIGIBLE; at--) weight /= step(at - 1);
  return weight;
}

/** At most this share of all reports without real differences may show one by chance. */
const LEVEL = 0.05;

/**
 * Which of several comparisons are beyond chance. Without real differences, at most one report in twenty
 * shows any: Holm's step-down method, which holds however the comparisons depend on each other.
 * Source: S. Holm, Scand. J. Stat. 6 (1979), 65.
 * @param chances p-value of each comparison, 0 to 1
 * @returns the result for each, in the same order
 */
export function areComparisonsSignificant(chances: readonly number[]): readonly boolean[] {
  const rising = [...chances.keys()].sort((a, b) => (chances[a] ?? 1) - (chances[b] ?? 1));
  const beyond = chances.map(() => false);
  for (const [rank, place] of rising.entries()) {
    if ((chances[place] ?? 1) > LEVEL / (chances.length - rank)) break;
    beyond[place] = true;
  }
  return beyond;
}
