/** Commits as the store grows, beside the least a disk can do and lowdb's own file; then the snapshot. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitExponent, median, spread } from '../measure.ts';
import type { Measure, PartOptions, Row } from '../part.ts';
import { type Entrant, enter, fillFolder } from '../storage/contenders.ts';
import { type CommitTimes, measureCommits, measureSharing, ratios } from '../storage/measure-commits.ts';
import { measureLives } from '../storage/measure-snapshots.ts';

const AT_ONCE = 32;

interface Plan {
  /** From small to large, two at least. */
  readonly sizes: readonly number[];
  /** Sizes and rounds for lowdb: at the largest size each change takes seconds. */
  readonly lowdb: readonly { readonly size: number; readonly commits: number }[];
  readonly rounds: number;
  readonly commits: number;
  readonly lives: number;
}

const QUICK: Plan = {
  sizes: [1_000, 10_000, 100_000],
  lowdb: [
    { size: 1_000, commits: 10 },
    { size: 10_000, commits: 5 },
  ],
  rounds: 7,
  commits: 40,
  lives: 2,
};
const FULL: Plan = {
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  lowdb: [
    { size: 1_000, commits: 50 },
    { size: 10_000, commits: 20 },
    { size: 100_000, commits: 5 },
    { size: 1_000_000, commits: 2 },
  ],
  rounds: 21,
  commits: 100,
  lives: 5,
};

const count = (size: number) => size.toLocaleString('en');
const ms = (times: CommitTimes | undefined) => `${median(times?.p50s ?? []).toFixed(2)} ms`;
const last = <T>(list: readonly T[]): T => {
  const found = list.at(-1);
  if (found === undefined) throw new RangeError('an empty plan');
  return found;
};

async function measureLowdb(root: string, { lowdb }: Plan, say: PartOptions['say']): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { size, commits } of lowdb) {
    say(`lowdb's own file with ${count(size)} records`);
    const { process } = enter(await fillFolder(root, 'lowdb', size), 'lowdb', size);
    await process.ask('open', undefined);
    const took = await process.ask('commit', commits);
    await process.end();
    rows.push({
      what: `lowdb's own file: commit of one change with ${count(size)} records, p50`,
      measured: median(took),
      unit: 'ms',
      baseline: 'none',
      note: "It rewrites the whole file and doesn't sync.",
    });
  }
  return rows;
}

function describeCommits(stores: readonly CommitTimes[], bare: CommitTimes | undefined): readonly Row[] {
  const small = stores[0];
  const large = last(stores);
  const growth = ratios(large, small);
  const grown = median(growth);
  const sizes = `${count(large.entrant.size)} records compared with ${count(small?.entrant.size ?? 0)}`;
  const exponent = fitExponent(
    stores.map(({ entrant, p50s }) => ({ size: entrant.size, cost: median(p50s) })),
  );
  const figures = stores.map((times) => `${count(times.entrant.size)}: ${ms(times)}`).join(', ');
  return [
    {
      what: `Commit of one change, p50: ${sizes}, whichever is slower`,
      measured: Math.max(grown, 1 / grown),
      unit: 'x',
      baseline: `${count(small?.entrant.size ?? 0)} records, ${ms(small)}`,
      bar: { atMost: 1.5 },
      note: `Median of ${growth.length} rounds, from ${spread(growth)} (large divided by small).`,
    },
    ...stores.map((times): Row => {
      const rounds = ratios(times, bare);
      return {
        what: `Commit of one change with ${count(times.entrant.size)} records, p50`,
        measured: median(rounds),
        unit: 'x',
        baseline: `append and fdatasync, ${ms(bare)}`,
        bar: { atMost: 2 },
        note: `${ms(times)}. Rounds from ${spread(rounds)}.`,
      };
    }),
    {
      what: `Exponent of a commit, ${count(small?.entrant.size ?? 0)} to ${count(large.entrant.size)} records`,
      measured: exponent,
      unit: '',
      baseline: 'none',
      bar: { atMost: 0.1 },
      note: `p50 at ${figures}.`,
    },
  ];
}

async function describeSharing(largest: Entrant, rounds: number): Promise<Row> {
  const gains = await measureSharing(largest, AT_ONCE, rounds);
  return {
    what: `${AT_ONCE} commits at once with ${count(largest.size)} records: changes per second`,
    measured: median(gains),
    unit: 'x',
    baseline: 'one commit after the other',
    bar: { atLeast: 10 },
    note: `${rounds} rounds, from ${spread(gains, 1)}.`,
  };
}

async function describeSnapshots(folder: string, size: number, lives: number): Promise<readonly Row[]> {
  const measured = await measureLives(folder, size, lives);
  const of = (figure: (life: (typeof measured)[number]) => number) => measured.map(figure);
  const loaded = of(({ opened, readingMs }) => opened.tookMs / readingMs);
  const seconds = median(of(({ opened }) => opened.tookMs / 1_000)).toFixed(2);
  const reading = `reading and parsing its files, ${median(of(({ readingMs }) => readingMs / 1_000)).toFixed(2)} s`;
  const readStalls = of(({ opened }) => opened.stallMs);
  const writeStalls = of(({ closed }) => closed.stallMs);
  const idle = `an idle process, ${median(of(({ opened }) => opened.idleStallMs)).toFixed(1)} ms`;
  const resident = median(of(({ opened }) => opened.residentMb)).toFixed(0);
  const records = `${count(size)} records`;
  const rounds = `Median of ${lives} starts`;
  return [
    {
      what: `Loading ${records}`,
      measured: median(loaded),
      unit: 'x',
      baseline: reading,
      bar: { atMost: 4 },
      note: `${seconds} s. ${rounds}, from ${spread(loaded)}. ${resident} MB resident afterward.`,
    },
    {
      what: `Longest stall while ${records} are loaded`,
      measured: median(readStalls),
      unit: 'ms',
      baseline: idle,
      bar: { atMost: 50 },
      note: `${rounds}, from ${spread(readStalls, 1)} ms.`,
    },
    {
      what: `Longest stall while the snapshot of ${records} is written`,
      measured: median(writeStalls),
      unit: 'ms',
      baseline: idle,
      bar: { atMost: 50 },
      note:
        `${rounds}, from ${spread(writeStalls, 1)} ms. ` +
        `Writing takes ${median(of(({ closed }) => closed.tookMs / 1_000)).toFixed(1)} s.`,
    },
  ];
}

async function measureStorage(root: string, plan: Plan, say: PartOptions['say']): Promise<readonly Row[]> {
  const folders: string[] = [];
  for (const size of plan.sizes) {
    say(`filling a store with ${count(size)} records`);
    folders.push(await fillFolder(root, 'store', size));
  }
  say(`starting with ${count(last(plan.sizes))} records, ${plan.lives} times`);
  const snapshots = await describeSnapshots(last(folders), last(plan.sizes), plan.lives);
  const stores = plan.sizes.map((size, at) => enter(folders[at] ?? '', 'store', size));
  const bare = enter(await fillFolder(root, 'bare', 1), 'bare', 1);
  const entrants = [...stores, bare];
  try {
    for (const { process } of entrants) await process.ask('open', undefined);
    say(`${plan.rounds} rounds of ${plan.commits} commits each`);
    const times = await measureCommits(entrants, plan.rounds, plan.commits);
    const sharing = await describeSharing(last(stores), plan.rounds);
    const commits = describeCommits(times.slice(0, -1), times.at(-1));
    for (const { process } of entrants) await process.end();
    return [...commits, sharing, ...(await measureLowdb(root, plan, say)), ...snapshots];
  } finally {
    for (const { process } of entrants) await process.end();
  }
}

export const measure: Measure = async ({ quick, say }) => {
  const root = await mkdtemp(join(tmpdir(), 'gigdesk-storage-'));
  try {
    return await measureStorage(root, quick ? QUICK : FULL, say);
  } finally {
    await rm(root, { recursive: true });
  }
};
