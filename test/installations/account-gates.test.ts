/** Workspaces that use the same marketplace token share its limit, on a real PostgreSQL. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { machineClock, SECOND } from '../../src/clock.ts';
import { AccountGates } from '../../src/installations/account-gates.ts';
import { silentLog } from '../../src/log.ts';
import type { ClosableRequestGate } from '../../src/marketplace/gate/gate.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { seededRandom } from '../seeded-random.ts';

const LIMIT = 4;

/** A process with its own connection for leases. */
class Process {
  readonly leases: Leases;
  readonly #database: Database;
  readonly #gates: AccountGates;

  constructor(url: Secret, database: Database, clock: ManualClock) {
    this.leases = new Leases({ url, clock: machineClock, onLost: () => undefined });
    this.#database = database;
    this.#gates = new AccountGates({ limit: LIMIT, clock, random: seededRandom(1), log: silentLog });
  }

  open(account = 'one'): Promise<ClosableRequestGate> {
    return this.#gates.open(account, { database: this.#database, leases: this.leases });
  }
}

let server: LocalDatabase;
let database: Database;
let clock: ManualClock;
let first: Process;
let second: Process;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  const url = new Secret(await server.createDatabase());
  database = connectDatabase({ url, max: 2 });
  await migrateDatabase(database);
  clock = new ManualClock();
  first = new Process(url, database, clock);
  second = new Process(url, database, clock);
});
afterEach(async () => {
  await Promise.all([first.leases.close(), second.leases.close()]);
  await database.end({ timeout: 0 });
});

/** How many of these requests may be sent now. */
async function send(gate: ClosableRequestGate, count: number): Promise<number> {
  let sent = 0;
  for (let tried = 0; tried < count; tried++) {
    const permit = await gate.acquirePermit('person', { timeoutMs: 0 }).catch(() => undefined);
    permit?.finish({ kind: 'done' });
    if (permit) sent += 1;
  }
  return sent;
}

it('two workspaces of a process share the limit, and a third account has its own', async () => {
  const one = await first.open();
  const two = await first.open();
  expect(await send(one, LIMIT - 1)).toBe(LIMIT - 1);
  expect(await send(two, LIMIT)).toBe(1);
  expect(await send(await first.open('another'), LIMIT)).toBe(LIMIT);
});

it('the limit holds over a takeover, whichever workspace sent the requests', async () => {
  const one = await first.open();
  const two = await first.open();
  await send(one, 1);
  await send(two, 1);
  await expect(second.open()).rejects.toMatchObject({ code: 'locked' });
  await one.close();
  await expect(second.open()).rejects.toMatchObject({ code: 'locked' });
  await two.close();
  expect(await send(await second.open(), LIMIT)).toBe(LIMIT - 2);
});

it('the limit holds when the owner is killed', async () => {
  await send(await first.open(), LIMIT);
  await first.leases.close();
  const taken = await second.open();
  expect(await send(taken, 1)).toBe(0);
  clock.moveTo(clock.now() + 61 * SECOND);
  expect(await send(taken, LIMIT)).toBe(LIMIT);
});

it('an owner that hangs and wakes up stores nothing over its successor', async () => {
  const hanging = await first.open();
  await send(hanging, 1);
  await first.leases.close();
  const taken = await second.open();
  await send(taken, 2);
  await send(hanging, 1);
  expect(hanging.status().recordFails).toBe(true);
  await taken.close();
  await hanging.close();
  expect(await send(await second.open(), LIMIT)).toBe(LIMIT - 3);
});
