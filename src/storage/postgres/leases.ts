/**
 * Which workspaces this process owns. A lease is a lock of one database connection: the server frees it when
 * the connection ends, so a killed process loses it at once.
 */
import { type Clock, SECOND } from '../../clock.ts';
import { StorageError } from '../store.ts';
import {
  connectOnce,
  type Database,
  type DatabaseOptions,
  toDatabaseError,
  waitAtMost,
  waitWhileRunning,
} from './database.ts';

export interface LeasesOptions extends Pick<DatabaseOptions, 'url'> {
  readonly clock: Clock;
  /** The connection ended, so another process may own all that this one owned. */
  readonly onLost: () => void;
}

const ANSWER_MS = 5 * SECOND;

/** What a lock is about; with a name, it is the same lock for all processes. */
export const WORKSPACE_LOCK = 'gigdesk workspace';
export const REPLICA_LOCK = 'gigdesk replica';
export const ACCOUNT_LOCK = 'gigdesk account';
type Subject = typeof WORKSPACE_LOCK | typeof REPLICA_LOCK | typeof ACCOUNT_LOCK;

/** All leases of one process share a connection. */
export class Leases {
  readonly #options: LeasesOptions;
  /** Of one connection, and no second one after it. */
  #session: Database | undefined;
  readonly #held = new Set<string>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /**
   * Does nothing while this process holds it.
   * @returns false when another process holds it. @throws StorageError when the database doesn't answer.
   */
  async acquire(subject: Subject, name: string): Promise<boolean> {
    const lock = `${subject} ${name}`;
    if (this.#held.has(lock)) return true;
    try {
      const session = this.#connect();
      const asked = session<{ isOurs: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${lock}, 0)) as "isOurs"`;
      const [row] = await waitWhileRunning(this.#options.clock, ANSWER_MS, asked).catch((thrown) => {
        // A silent connection may have ended for the server.
        if (thrown instanceof StorageError) this.#forget(session);
        throw thrown;
      });
      if (row?.isOurs !== true) return false;
      if (this.#session !== session) throw new Error('the connection has ended, and the lease with it');
      this.#held.add(lock);
      return true;
    } catch (thrown) {
      throw toDatabaseError(thrown, 'ask for a workspace');
    }
  }

  holds(subject: Subject, name: string): boolean {
    return this.#held.has(`${subject} ${name}`);
  }

  /** Never throws: a broken connection has freed it already. */
  async release(subject: Subject, name: string): Promise<void> {
    const lock = `${subject} ${name}`;
    if (!this.#held.delete(lock)) return;
    const session = this.#session;
    if (!session) return;
    const asked = session`select pg_advisory_unlock(hashtextextended(${lock}, 0))`;
    await waitAtMost(this.#options.clock, ANSWER_MS, asked).catch(() => undefined);
  }

  /** Their connection has ended for the server, or may have: this process didn't notice. */
  drop(): void {
    if (this.#session) this.#forget(this.#session);
  }

  /** Frees all leases. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#held.clear();
    await session?.end({ timeout: 0 });
  }

  #connect(): Database {
    if (this.#session) return this.#session;
    const session = connectOnce({ url: this.#options.url, max: 1, onClose: () => this.#forget(session) });
    this.#session = session;
    return session;
  }

  /** Without its connection, there are no leases. */
  #forget(session: Database): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#held.clear();
    void session.end({ timeout: 0 });
    this.#options.onLost();
  }
}
