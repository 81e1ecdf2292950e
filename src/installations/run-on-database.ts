/** What the commands on installed workspaces share: the configuration and the database. */
import { notDone, type Report } from '../base/command-report.ts';
import { type Config, readConfigFromEnvironment } from '../config.ts';
import { asError } from '../errors.ts';
import { connectDatabase, type Database } from '../storage/postgres/database.ts';
import { migrateDatabase } from '../storage/postgres/migrations.ts';

/** Reads this process's configuration and prepares its database. Never throws: it reports what failed. */
export async function runOnDatabase(
  run: (database: Database, config: Config) => Promise<Report>,
): Promise<Report> {
  const read = readConfigFromEnvironment();
  if (read.kind === 'problems') return notDone(['Configuration problems:', ...read.problems].join('\n- '));
  const { storage } = read.config;
  if (storage.engine !== 'postgres')
    return notDone('This needs PostgreSQL: set DATABASE_URL. Nothing was changed.');
  const database = connectDatabase({ url: storage.url, max: 1 });
  try {
    // Refuses the tables of a newer version, which may have more of a team.
    await migrateDatabase(database);
    return await run(database, read.config);
  } catch (thrown) {
    return notDone(asError(thrown).message);
  } finally {
    await database.end({ timeout: 0 });
  }
}
