/** Connections to PostgreSQL, their transactions, and what its errors mean. */
import postgres from 'postgres';
import { type Clock, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { StorageError } from '../store.ts';

/** A pool: each query takes any free connection. */
export type Database = postgres.Sql;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`, with TLS by its `sslmode`. */
  readonly url: Secret;
  /** Connections at most. */
  readonly max?: number;
  /** Called when one of them closes, for any reason. */
  readonly onClose?: () => void;
}

type Item = string | number | bigint | null;

/** A list as PostgreSQL writes it: `{"a","b"}`. */
export function writeList(items: readonly Item[]): string {
  const texts = items.map((item) =>
    item === null ? 'null' : `"${String(item).replace(/[\\"]/gu, '\\$&')}"`,
  );
  return `{${texts.join()}}`;
}

/** Of a list without lists in it. Numbers stay text. */
export function readList(text: string): readonly (string | null)[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gsu);
  return [...items].map(([, quoted, plain = '']) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gsu, '$1');
    return plain.toLowerCase() === 'null' ? null : plain;
  });
}

const list = (type: number) => ({ to: type, from: [type], serialize: writeList, parse: readList });

/**
 * The types of lists. The driver would ask each new connection for them, and a connection that breaks
 * meanwhile would end the process: nothing in the driver handles the error of that question.
 * Numbers of built-in types, from PostgreSQL's `src/include/catalog/pg_type.dat`; they never change.
 */
const arrayTypes = { texts: list(1009), bigints: list(1016) };

/** A replica has three more: one holds its leases, one announces it, one looks for owners. */
const MOST_CONNECTIONS = 7;
/** A statement that takes longer is cancelled by the server, and nothing of it is stored. */
export const STATEMENT_MS = 10 * SECOND;

/**
 * Connects on the first query, and again after a lost connection. Never throws: the first query does.
 *
 * Once a connection is lost, all queries go to a new pool. The driver would use the connection's object
 * again, with what it still had to send: then it sends nothing to the server anymore, and queries wait.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  return connectRenewably(options).database;
}

/** As `connectDatabase`, for a caller that notices when the server is silent. */
export function connectRenewably(options: DatabaseOptions) {
  let isEnding = false;
  const open = (): Database => {
    const pool = connectOnce({
      ...options,
      onClose: () => {
        options.onClose?.();
        // The replaced one may finish its statements.
        if (pool === current) replace(STATEMENT_MS / SECOND);
      },
    });
    return pool;
  };
  const replace = (timeout: number) => {
    if (isEnding) return;
    const replaced = current;
    current = open();
    void replaced.end({ timeout });
  };
  let current = open();
  const end: Database['end'] = (how) => {
    isEnding = true;
    return current.end(how);
  };
  const database: Database = new Proxy(current, {
    apply: (_first, self, query) => Reflect.apply(current, self, query),
    get: (_first, name) => (name === 'end' ? end : Reflect.get(current, name)),
  });
  return {
    database,
    /** For a server that is silent: fails all that waits for an answer, and opens new connections. */
    renew: () => replace(0),
  };
}

/** As `connectDatabase`, for a caller that opens another one itself when a connection is lost. */
export function connectOnce({ url, max = MOST_CONNECTIONS, onClose }: DatabaseOptions): Database {
  return postgres(url.reveal(), {
    max,
    // In seconds.
    connect_timeout: 5,
    max_lifetime: null,
    // A standby that was promoted or demoted meanwhile isn't written to.
    target_session_attrs: 'read-write',
    fetch_types: false,
    types: arrayTypes,
    onnotice: () => undefined,
    onclose: onClose,
    connection: {
      application_name: 'gigdesk',
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
    },
  });
}

const DISK_FULL = new Set(['53100', '53200']);
/** The server ends the connection, or lets nobody in. */
const GOING_AWAY = new Set(['57P01', '57P02', '57P03', '53300']);

/**
 * `refused`: the server answered that it stored nothing. `unknown`: no answer, so the statement may have run.
 * Source: PostgreSQL's error codes, https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export function classifyDatabaseError(thrown: unknown): 'refused' | 'unknown' {
  if (!(thrown instanceof postgres.PostgresError)) return 'unknown';
  return GOING_AWAY.has(thrown.code) ? 'unknown' : 'refused';
}

/** @param limit calls what it gets when no answer will come; returns what ends the waiting */
function waitWithin<T>(asked: PromiseLike<T>, limit: (giveUp: () => void) => () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = limit(() => reject(createNoAnswerError()));
    asked.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (thrown) => {
        cancel();
        reject(thrown);
      },
    );
  });
}

/**
 * A server that hangs, or whose network is gone, never answers.
 * @throws StorageError `lost` when `asked` takes longer than `ms`
 */
export function waitAtMost<T>(clock: Clock, ms: number, asked: PromiseLike<T>): Promise<T> {
  return waitWithin(asked, (giveUp) => clock.runAfter(Math.max(0, ms), giveUp));
}

/**
 * As `waitAtMost`, of the seconds in which this process runs: once it was paused, or was busy, the answer may
 * be there already. @throws StorageError `lost` when no answer comes
 */
export function waitWhileRunning<T>(clock: Clock, ms: number, asked: PromiseLike<T>): Promise<T> {
  return waitWithin(asked, (giveUp) => {
    let leftMs = ms;
    let cancel = () => {};
    const wait = () => {
      if (leftMs <= 0) return giveUp();
      const stepMs = Math.min(leftMs, SECOND);
      leftMs -= stepMs;
      cancel = clock.runAfter(stepMs, wait);
    };
    wait();
    return () => cancel();
  });
}

export function createLostError(): StorageError {
  return new StorageError('lost', 'Another process owns this workspace now, so nothing was stored.');
}

export function createNoAnswerError(): StorageError {
  return new StorageError(
    'lost',
    "The database doesn't answer. Whether the last change was stored isn't known, " +
      'so the records must be loaded again before anything else is changed.',
  );
}

/** For `catch`: throws the StorageError. */
export function failTo(doing: string): (thrown: unknown) => never {
  return (thrown) => {
    throw toDatabaseError(thrown, doing);
  };
}

/** Without the query and its values, which are people's data. `doing` completes "Couldn't …". */
export function toDatabaseError(thrown: unknown, doing: string): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const { message } = asError(thrown);
  if (!(thrown instanceof postgres.PostgresError))
    return new StorageError('io', `Couldn't ${doing}: the database doesn't answer (${message}).`);
  if (DISK_FULL.has(thrown.code))
    return new StorageError('full', `Couldn't ${doing}: the database has no room left.`);
  // A read-only transaction.
  if (thrown.code === '25006')
    return new StorageError('lost', `Couldn't ${doing}: the database is read-only, such as a standby.`);
  return new StorageError('io', `Couldn't ${doing}: the database says “${message}” (${thrown.code}).`);
}

export type Transaction = postgres.TransactionSql;

/** Whether an error means that the connection has closed, or is about to. */
function isConnectionLost(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError)
    return thrown.severity === 'FATAL' || thrown.severity === 'PANIC';
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  // The driver's own error, or Node's of a socket.
  return thrown.code === 'CONNECTION_CLOSED' || 'syscall' in thrown;
}

/**
 * Stores all that `work` changes, or nothing when it throws or the connection ends. The driver ends each
 * transaction with a statement, also when its connection is gone, and writing that one ends the process. So
 * work whose connection is gone never ends here: the driver itself fails the transaction then.
 * @throws what `work` throws, or an error of the driver
 */
export async function inTransaction<T>(
  database: Database,
  work: (sql: Transaction) => Promise<T>,
  mode: 'read write' | 'read only' = 'read write',
): Promise<T> {
  let isConnected = true;
  const never = () => new Promise<never>(() => undefined);
  const begun = database.begin(mode, async (sql) => {
    try {
      const result = { value: await work(sql) };
      return isConnected ? result : await never();
    } catch (thrown) {
      if (!isConnected || isConnectionLost(thrown)) return never();
      throw thrown;
    }
  });
  begun.catch(() => {
    isConnected = false;
  });
  return (await begun).value;
}
