/** A process that stores a workspace in PostgreSQL. */
import { type Clock, machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { CURRENT_DATA_VERSION } from '../../src/storage/commit-log.ts';
import type { AnyCollection } from '../../src/storage/memory/records.ts';
import { openPostgresStore } from '../../src/storage/open-postgres-store.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import type { Store } from '../../src/storage/store.ts';
import { counts, notes, team } from './collections.ts';

/** One process with its connections. */
export class Replica {
  readonly database: Database;
  readonly leases: Leases;
  isLost = false;
  /** Of the store opened last. */
  epoch = 0;
  readonly #stores: Store[] = [];
  readonly #clock: Clock;

  constructor(url: string, clock = machineClock) {
    this.#clock = clock;
    const secret = new Secret(url);
    this.database = connectDatabase({ url: secret });
    this.leases = new Leases({
      url: secret,
      clock,
      onLost: () => {
        this.isLost = true;
      },
    });
  }

  async open({
    collections = [notes, counts] as readonly AnyCollection[],
    version = CURRENT_DATA_VERSION,
    mustBeInstalled = false,
  } = {}): Promise<Store> {
    const { database, leases } = this;
    const { store, epoch } = await openPostgresStore({
      database,
      leases,
      team,
      clock: this.#clock,
      log: silentLog,
      collections,
      version,
      mustBeInstalled,
    });
    this.epoch = epoch;
    this.#stores.push(store);
    return store;
  }

  async end(): Promise<void> {
    for (const store of this.#stores) await store.close().catch(() => undefined);
    await this.leases.close();
    await this.database.end({ timeout: 0 });
  }
}
