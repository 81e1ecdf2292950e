/** An app's records in a real PostgreSQL, with the deaths that a world's process can die. */

import { allCollections } from '../../src/app/collections.ts';
import { type OpenRecords, recordsInDatabase } from '../../src/app/workspace-records.ts';
import type { Clock, RandomSource } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { type Log, silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { openRecordStore } from '../../src/storage/memory/record-store.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { loadRecords } from '../../src/storage/postgres/postgres-log.ts';
import { type ReadTransaction, StorageError, type Store } from '../../src/storage/store.ts';
import type { InFlightWorkCounter } from '../../src/workbench/activity.ts';
import { createDatabase, dropDatabase } from '../../src/workbench/database/start-database.ts';
import { type Life, never, type Room } from './ports.ts';

interface Process {
  readonly life: Life;
  readonly activity: InFlightWorkCounter;
  readonly room: Room;
  readonly ports: { readonly clock: Clock; readonly random: RandomSource; readonly log: Log };
}

let shared: string | undefined;

/** All worlds of this process keep their records in this server's databases. */
export function shareDatabases(adminUrl: string): void {
  shared = adminUrl;
}

export function sharedDatabases(): string | undefined {
  return shared;
}

export class DatabasePlace {
  readonly #adminUrl: string;
  readonly #url: string;
  #disconnect = async (): Promise<void> => undefined;
  #tellKilled: () => void = () => undefined;

  private constructor(adminUrl: string, url: string) {
    this.#adminUrl = adminUrl;
    this.#url = url;
  }

  static async create(adminUrl: string): Promise<DatabasePlace> {
    return new DatabasePlace(adminUrl, await createDatabase(adminUrl));
  }

  /** For a new process. Its clock stands while the database works. */
  async connect({ life, activity, room, ports }: Process): Promise<OpenRecords> {
    const url = new Secret(this.#url);
    const database = connectDatabase({ url });
    const leases = new Leases({ url, clock: ports.clock, onLost: () => undefined });
    this.#disconnect = async () => {
      await leases.close();
      await database.end({ timeout: 0 });
    };
    await migrateDatabase(database);
    const open = recordsInDatabase({ database, leases, loadInTurn: (load) => load() }, ports);
    const killed = new Promise<void>((resolve) => {
      this.#tellKilled = resolve;
    });
    const mortal = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
      return async (...args: Args): Promise<Result> => {
        if (life.dead) return never;
        if (room.full) throw new StorageError('full', 'The database has no room left.');
        const done = work(...args);
        // What a killed process waits for never comes.
        await activity.trackWork('disk', Promise.race([done, killed]));
        return life.dead ? never : done;
      };
    };
    return async (team, watch) => {
      // An app that opens its workspace again does so while the world's time passes.
      const { store, proposals } = await activity.trackWork('disk', open(team, watch));
      const { notices, invalidRecords } = store;
      return {
        store: {
          notices,
          invalidRecords,
          transact: mortal(store.transact.bind(store)) as Store['transact'],
          read: store.read.bind(store),
          onCommit: store.onCommit.bind(store),
          close: () => activity.trackWork('disk', store.close()),
        },
        proposals: {
          load: mortal((take) => proposals.load(take)),
          put: mortal((items) => proposals.put(items)),
          dropShelves: mortal((shelves) => proposals.dropShelves(shelves)),
          waitUntilIdle: mortal(() => proposals.waitUntilIdle()),
        },
      };
    };
  }

  /** The process's connections end, as the system ends those of a killed one. */
  async kill(): Promise<void> {
    this.#tellKilled();
    await this.#disconnect();
    this.#disconnect = async () => undefined;
  }

  /** What a next process would find. */
  async read<T>(look: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return readDatabase(this.#url, look);
  }

  async remove(): Promise<void> {
    await this.kill();
    await dropDatabase(this.#adminUrl, this.#url);
  }
}

async function readDatabase<T>(url: string, look: (tx: ReadTransaction) => Promise<T>): Promise<T> {
  const database = connectDatabase({ url: new Secret(url), max: 1 });
  try {
    const [row] = await database<{ team: string }[]>`select team from workspaces`;
    const team = TeamId.parse(row?.team);
    const nothing = async () => undefined;
    const store = await openRecordStore(
      async (loader) => {
        await loadRecords(database, team, loader);
        loader.finish(0);
        return { notices: [], append: nothing, close: nothing };
      },
      { collections: allCollections, log: silentLog },
    );
    return await store.read(look);
  } finally {
    await database.end();
  }
}
