/** PostgreSQL, replicas and many workspaces. */
import { SECOND } from '../../src/clock.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { Measure, PartOptions, Row } from '../part.ts';
import { type CommitPlan, describeCommits } from '../scale/commits.ts';
import { type DatabasePlace, openDatabasePlace } from '../scale/database-place.ts';
import { describeManyWorkspaces, type ManyPlan } from '../scale/many-workspaces.ts';
import { describeRollingRestart } from '../scale/rolling-restart.ts';
import { describeForwards, describeTakeovers, type TakeoverPlan } from '../scale/takeovers.ts';

interface Plan {
  readonly commits: CommitPlan;
  readonly ordinary: TakeoverPlan;
  readonly heavy: TakeoverPlan;
  readonly forwards: { readonly rounds: number; readonly seconds: number };
  readonly many: ManyPlan;
}

const ORDINARY = { size: { proposals: 500, seen: 2_000 }, mostMs: 2 * SECOND };
const HEAVY_MOST_MS = 6 * SECOND;

const QUICK: Plan = {
  commits: { records: 2_000, rounds: 5, commits: 40 },
  ordinary: { ...ORDINARY, kills: 3 },
  heavy: { size: { proposals: 5_000, seen: 10_000 }, mostMs: HEAVY_MOST_MS, kills: 1 },
  forwards: { rounds: 3, seconds: 2 },
  many: { few: 5, many: 20, calmMs: 5 * SECOND, floodMs: 5 * SECOND },
};
const FULL: Plan = {
  commits: { records: 50_000, rounds: 11, commits: 100 },
  ordinary: { ...ORDINARY, kills: 20 },
  heavy: { size: { proposals: 20_000, seen: 50_000 }, mostMs: HEAVY_MOST_MS, kills: 5 },
  forwards: { rounds: 7, seconds: 6 },
  many: { few: 50, many: 200, calmMs: 60 * SECOND, floodMs: 20 * SECOND },
};

async function withPlace<T>(
  server: LocalDatabase,
  size: TakeoverPlan['size'],
  work: (place: DatabasePlace) => Promise<T>,
): Promise<T> {
  const place = await openDatabasePlace(server, size);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

async function measureAll(
  server: LocalDatabase,
  plan: Plan,
  say: PartOptions['say'],
): Promise<readonly Row[]> {
  say('commits');
  const commits = await describeCommits(server, plan.commits);
  const ordinary = await withPlace(server, plan.ordinary.size, async (place) => {
    say('takeovers of an ordinary workspace');
    const takeovers = await describeTakeovers(place, plan.ordinary);
    say('forwarded requests');
    const forwards = await describeForwards(place, plan.forwards);
    say('rolling restart');
    return [takeovers, forwards, ...(await describeRollingRestart(place))];
  });
  say('takeovers of a heavy workspace');
  const heavy = await withPlace(server, plan.heavy.size, (place) => describeTakeovers(place, plan.heavy));
  const many = await withPlace(server, plan.ordinary.size, (place) =>
    describeManyWorkspaces(place, plan.many, say),
  );
  return [...commits, ...ordinary, heavy, ...many];
}

export const measure: Measure = async ({ quick, say }) => {
  const server = await startLocalDatabase();
  try {
    return await measureAll(server, quick ? QUICK : FULL, say);
  } finally {
    await server.close();
  }
};
