/**
 * Transactions that survive the loss of their connection. The driver ends each transaction with a statement,
 * also when its connection is gone, and writing that one ends the process. So work whose connection is gone
 * never ends here: the driver itself fails the transaction when the connection closes.
 */
import postgres from 'postgres';
import type { Database } from './database.ts';

/** Asks in a transaction. */
export type Transaction = postgres.TransactionSql;

/** The server closes the connection right after such an error. */
const FATAL = new Set(['FATAL', 'PANIC']);

/** Whether an error means that the connection has closed, or is about to. */
function isConnectionLost(thrown: unknown): boolean {
  if (thrown instanceof postgres.PostgresError) return FATAL.has(thrown.severity);
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  // The driver's own error, or Node's of a socket.
  return thrown.code === 'CONNECTION_CLOSED' || 'syscall' in thrown;
}

/**
 * Stores all that `work` changes, or nothing when it throws or the connection ends.
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
