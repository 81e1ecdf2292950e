/**
 * The replicas that share a database. Each holds a lock named after it, which the database frees when its
 * connection ends, and announces itself every moment: a process that was killed is noticed by the first, one
 * that hangs by the second. Times are the database's, so that no replica's clock matters.
 */
import type { Clock, Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';
import { type Leases, REPLICA_LOCK } from '../storage/postgres/leases.ts';
import { StorageError } from '../storage/store.ts';

export interface Replica {
  readonly id: string;
  /** Where the others reach it; undefined for the only one. */
  readonly url: string | undefined;
}

interface ReplicaRow {
  readonly id: string;
  readonly url: string | null;
  readonly isSilent: boolean;
  /** Of the connection that holds its lock; null: it ended. */
  readonly pid: number | null;
  /** The database's time, in ms since 1970. */
  readonly now: number;
}

interface ReplicasParts {
  readonly database: Database;
  readonly leases: Leases;
  /** This replica. */
  readonly own: Replica;
  readonly clock: Clock;
}

export class Replicas {
  readonly #parts: ReplicasParts;
  /** How far the database's clock was ahead of ours at the last look, in ms. */
  #databaseAheadMs = 0;

  constructor(parts: ReplicasParts) {
    this.#parts = parts;
  }

  /**
   * Announces this replica, and ends the connections of those that hang, which frees their workspaces.
   * @returns the live ones, this one included. @throws StorageError, also when the server has ended the
   * connection with this replica's leases; then none is left
   */
  async announce(): Promise<readonly Replica[]> {
    const { database, leases, own, clock } = this.#parts;
    const isHeld = await leases.acquire(REPLICA_LOCK, own.id);
    try {
      await database`
        insert into replicas (id, url) values (${own.id}, ${own.url ?? null})
        on conflict (id) do update set url = excluded.url, seen_at = now()`;
      const rows = await this.#read();
      const [{ now } = { now: clock.now() }] = rows;
      this.#databaseAheadMs = Math.round(now - clock.now());
      // Its own lock on another connection: the server doesn't know yet that an earlier one has ended. It is
      // never silent itself: a busy process may ask long after it has announced itself.
      const isGone = ({ id, isSilent }: ReplicaRow) => (id === own.id ? !isHeld : isSilent);
      for (const row of rows)
        if (row.pid !== null && isGone(row)) await database`select pg_terminate_backend(${row.pid})`;
      if (!rows.some((row) => row.id === own.id && row.pid !== null && !isGone(row))) {
        leases.drop();
        throw new StorageError('lost', 'The database has ended the connection that holds the workspaces.');
      }
      return rows
        .filter((row) => row.pid !== null && !isGone(row))
        .map((row) => ({ id: row.id, url: row.url ?? undefined }));
    } catch (thrown) {
      throw toDatabaseError(thrown, 'announce this replica');
    }
  }

  /** The database's time: the same for all replicas, however wrong their clocks are. */
  now(): Instant {
    return this.#parts.clock.now() + this.#databaseAheadMs;
  }

  /** The others stop counting on this one. */
  async leave(): Promise<void> {
    const { database, own } = this.#parts;
    await database`delete from replicas where id = ${own.id}`.catch(() => undefined);
  }

  async #read(): Promise<readonly ReplicaRow[]> {
    // Those that are gone stay for a day, for people who look into the table. One that doesn't announce
    // itself for 5 seconds hangs. pg_locks splits a lock's number into two halves.
    const { database } = this.#parts;
    return database<ReplicaRow[]>`
      with gone as (delete from replicas where seen_at < now() - interval '1 day')
      select id, url, seen_at < now() - interval '5 seconds' as "isSilent", held.pid,
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now
      from replicas left join pg_locks as held
        on held.locktype = 'advisory' and held.granted and held.objsubid = 1
        and held.database = (select oid from pg_database where datname = current_database())
        and ((held.classid::bigint << 32) | held.objid::bigint)
          = hashtextextended(${`${REPLICA_LOCK} `} || replicas.id, 0)
      order by id`;
  }
}

/** Where a workspace's owner is reached; undefined: nobody owns it now. @throws StorageError */
export async function findOwnerUrl(database: Database, team: TeamId): Promise<string | undefined> {
  try {
    const [row] = await database<{ url: string | null }[]>`
      select replicas.url from workspaces join replicas on replicas.id = workspaces.owner
      where workspaces.team = ${team}`;
    return row?.url ?? undefined;
  } catch (thrown) {
    throw toDatabaseError(thrown, "find a workspace's owner");
  }
}
