/** Commits to PostgreSQL beside a bare upsert of one row on the same server. */
import { performance } from 'node:perf_hooks';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { openPostgresStore } from '../../src/storage/open-postgres-store.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type { Store } from '../../src/storage/store.ts';
import type { LocalDatabase } from '../../src/workbench/database/start-database.ts';
import { median, spread } from '../measure.ts';
import type { Row } from '../part.ts';
import { makeThing, things } from '../storage/records.ts';

const AT_ONCE = 32;
const FILLED_AT_ONCE = 1_000;
const STEP = 7_919;

export interface CommitPlan {
  readonly records: number;
  readonly rounds: number;
  readonly commits: number;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function fill(store: Store, records: number): Promise<void> {
  for (let from = 0; from < records; from += FILLED_AT_ONCE)
    await store.transact(async (tx) => {
      for (let id = from; id < Math.min(records, from + FILLED_AT_ONCE); id++)
        await tx.put(things, makeThing(id, 'new'));
    });
}

export async function describeCommits(server: LocalDatabase, plan: CommitPlan): Promise<readonly Row[]> {
  const url = new Secret(await server.createDatabase());
  const database = connectDatabase({ url });
  const leases = new Leases({ url, clock: machineClock, onLost: () => undefined });
  await migrateDatabase(database);
  await database`create table bare (key text primary key, value text not null)`;
  const team = TeamId.parse('T1');
  const place = { database, leases, team, clock: machineClock, log: silentLog, collections: [things] };
  const { store } = await openPostgresStore(place);
  try {
    await fill(store, plan.records);
    let changed = 0;
    /** Far apart, so that no two commits at once change the same record. */
    const nextId = () => {
      changed += STEP;
      return changed % plan.records;
    };
    const commit = () => {
      const id = nextId();
      return store.transact((tx) => tx.put(things, makeThing(id, `change ${changed}`)));
    };
    const upsert = () => {
      const id = nextId();
      const value = JSON.stringify(makeThing(id, `change ${changed}`));
      return database`
        insert into bare (key, value) values (${String(id)}, ${value})
        on conflict (key) do update set value = excluded.value`;
    };
    const rounds = [];
    for (let round = 0; round < plan.rounds; round++) {
      const [bare, own]: [number[], number[]] = [[], []];
      for (let at = 0; at < plan.commits; at++) bare.push(await time(upsert));
      for (let at = 0; at < plan.commits; at++) own.push(await time(commit));
      const single = own.reduce((sum, ms) => sum + ms, 0) / own.length;
      const shared = await time(async () => {
        for (let at = 0; at < plan.commits; at++) await Promise.all(Array.from({ length: AT_ONCE }, commit));
      });
      const gain = single / (shared / (plan.commits * AT_ONCE));
      rounds.push({ bare: median(bare), own: median(own), gain });
    }
    const ratios = rounds.map(({ bare, own }) => own / bare);
    const gains = rounds.map(({ gain }) => gain);
    const bare = median(rounds.map((it) => it.bare)).toFixed(2);
    return [
      {
        what: `Commit of one change to PostgreSQL with ${plan.records.toLocaleString('en')} records, p50`,
        measured: median(ratios),
        unit: 'x',
        baseline: `a bare upsert of one row, ${bare} ms`,
        bar: { atMost: 2 },
        note:
          `${median(rounds.map((it) => it.own)).toFixed(2)} ms. ` +
          `Median of ${plan.rounds} alternating rounds, from ${spread(ratios)}.`,
      },
      {
        what: `${AT_ONCE} commits to PostgreSQL at once: changes per second`,
        measured: median(gains),
        unit: 'x',
        baseline: 'one commit after the other',
        bar: { atLeast: 8 },
        note: `${plan.rounds} rounds, from ${spread(gains, 1)}.`,
      },
    ];
  } finally {
    await store.close();
    await leases.close();
    await database.end();
  }
}
