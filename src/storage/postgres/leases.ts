/**
 * Which workspaces this process owns. A lease is a lock of one database connection: the server frees it when
 * the connection ends, so a killed process loses it at once.
 */
import type postgres from 'postgres';
import { type Clock, SECOND } from '../../clock.ts';
import type { TeamId } from '../../ids.ts';
import { connectDatabase, type DatabaseOptions, toDatabaseError, waitAtMost } from './database.ts';

export interface LeasesOptions extends Pick<DatabaseOptions, 'url'> {
  readonly clock: Clock;
  /** The connection ended, so another process may own all that this one owned. */
  readonly onLost: () => void;
}

const ANSWER_MS = 5 * SECOND;

/** All leases of one process share a connection. */
export class Leases {
  readonly #options: LeasesOptions;
  #pool: postgres.Sql | undefined;
  #session: Promise<postgres.ReservedSql> | undefined;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** @returns false when another process holds it. @throws StorageError when the database doesn't answer. */
  async acquire(team: TeamId): Promise<boolean> {
    try {
      const session = await this.#within(this.#connect());
      const asked = session<{ isOurs: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${`gigdesk workspace ${team}`}, 0)) as "isOurs"`;
      const [row] = await this.#within(asked);
      return row?.isOurs === true;
    } catch (thrown) {
      throw toDatabaseError(thrown, 'ask for a workspace');
    }
  }

  /** For a workspace whose writing has ended. Never throws: a broken connection has freed it already. */
  async release(team: TeamId): Promise<void> {
    const connected = this.#session;
    if (!connected) return;
    const free = async () => {
      const session = await connected;
      await session`select pg_advisory_unlock(hashtextextended(${`gigdesk workspace ${team}`}, 0))`;
    };
    await this.#within(free()).catch(() => undefined);
  }

  /** Frees all leases. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#session = undefined;
    await pool?.end({ timeout: 0 });
  }

  #within<T>(asked: PromiseLike<T>): Promise<T> {
    return waitAtMost(this.#options.clock, ANSWER_MS, asked);
  }

  #connect(): Promise<postgres.ReservedSql> {
    if (this.#session) return this.#session;
    const pool = connectDatabase({ url: this.#options.url, max: 1, onClose: () => this.#forget(pool) });
    this.#pool = pool;
    this.#session = pool.reserve();
    this.#session.catch(() => this.#forget(pool));
    return this.#session;
  }

  /** Without a connection, there are no leases. */
  #forget(pool: postgres.Sql): void {
    if (this.#pool !== pool) return;
    this.#pool = undefined;
    this.#session = undefined;
    void pool.end({ timeout: 0 });
    this.#options.onLost();
  }
}
