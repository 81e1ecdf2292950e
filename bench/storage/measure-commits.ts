/** Commits of all contenders in alternating rounds. */
import { quantile } from '../measure.ts';
import type { Entrant } from './contenders.ts';

export interface CommitTimes {
  readonly entrant: Entrant;
  /** p50 of each round, in ms. */
  readonly p50s: readonly number[];
}

export async function measureCommits(
  entrants: readonly Entrant[],
  rounds: number,
  commits: number,
): Promise<readonly CommitTimes[]> {
  const p50s = new Map(entrants.map((entrant) => [entrant, [] as number[]]));
  for (const { process } of entrants) await process.ask('commit', commits);
  for (let round = 0; round < rounds; round++) {
    // Reversed every other round: no contender always follows the same one.
    const order = round % 2 === 0 ? entrants : entrants.toReversed();
    for (const entrant of order)
      p50s.get(entrant)?.push(quantile(await entrant.process.ask('commit', commits), 0.5));
  }
  return entrants.map((entrant) => ({ entrant, p50s: p50s.get(entrant) ?? [] }));
}

/** The ratio of each round. */
export function ratios(one: CommitTimes | undefined, other: CommitTimes | undefined): readonly number[] {
  return (one?.p50s ?? []).map((p50, at) => p50 / (other?.p50s[at] ?? Number.NaN));
}

const BURSTS = 5;

/**
 * Throughput gain of concurrent commits, for each round: the same number of changes both times, one batch at
 * a time, with all of their time counted.
 */
export async function measureSharing(
  { process }: Entrant,
  atOnce: number,
  rounds: number,
): Promise<readonly number[]> {
  await process.ask('commitTogether', { atOnce, bursts: BURSTS });
  const gains: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = sum(await process.ask('commit', atOnce * BURSTS));
    const together = sum(await process.ask('commitTogether', { atOnce, bursts: BURSTS }));
    gains.push(alone / together);
  }
  return gains;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
