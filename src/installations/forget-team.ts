/** Deletes everything that the database has of a team. */
import type { TeamId } from '../ids.ts';
import { type Database, failTo, inTransaction, type Transaction } from '../storage/postgres/database.ts';

/** How much was deleted. */
export interface ForgottenTeam {
  readonly records: number;
  /** Copies of proposals. */
  readonly cachedItems: number;
  readonly wasInstalled: boolean;
}

/**
 * At once, also while the app is installed or a replica runs the workspace: its next change is refused.
 * @throws StorageError when the database refuses or doesn't answer; then nothing was deleted.
 */
export function forgetTeam(database: Database, team: TeamId): Promise<ForgottenTeam> {
  return change(database, (sql) => deleteAll(sql, team));
}

/**
 * @returns undefined when the team was removed less than a day ago, or has installed the app again
 * @throws StorageError when the database refuses or doesn't answer; then nothing was deleted.
 */
export function forgetRemovedTeam(database: Database, team: TeamId): Promise<ForgottenTeam | undefined> {
  return change(database, async (sql) => {
    const removed = await sql`
      select team from installations
      where team = ${team} and removed_at < now() - interval '1 day' for update`;
    return removed.length > 0 ? deleteAll(sql, team) : undefined;
  });
}

/**
 * Marketplace accounts whose token nobody uses anymore. They stay for a day: a team that connects one again
 * must not exceed its limit. @throws StorageError when the database refuses or doesn't answer
 */
export async function forgetUnusedAccounts(database: Database): Promise<void> {
  await change(database, (sql) => deleteUnusedAccounts(sql, '1 day'));
}

function change<T>(database: Database, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(database, work).catch(failTo('delete the data of the team'));
}

async function deleteUnusedAccounts(sql: Transaction, keptFor: string): Promise<void> {
  await sql`
    delete from accounts where opened_at <= now() - ${keptFor}::interval
      and not exists (select from installations where account = accounts.id)`;
}

async function deleteAll(sql: Transaction, team: TeamId): Promise<ForgottenTeam> {
  await sql`set local statement_timeout = 0`;
  const installations = await sql`delete from installations where team = ${team}`;
  // Before the records: an owner's batch changes this row, too, so it is stored before this, or refused.
  await sql`delete from workspaces where team = ${team}`;
  await deleteUnusedAccounts(sql, '0');
  const records = await sql`delete from records where team = ${team}`;
  const cachedItems = await sql`delete from cached_items where team = ${team}`;
  return { records: records.count, cachedItems: cachedItems.count, wasInstalled: installations.count > 0 };
}
