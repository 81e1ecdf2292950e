/** The commands on installed workspaces. Exit code 1 if one fails. */
import { done, endWithReport, notDone, type Report } from '../base/command-report.ts';
import { machineRandomBytes } from '../clock.ts';
import { type Config, readConfigFromEnvironment } from '../config.ts';
import { asError } from '../errors.ts';
import { parseSlackTeam, type TeamId } from '../ids.ts';
import type { EncryptionKeys } from '../seal.ts';
import { connectDatabase, type Database } from '../storage/postgres/database.ts';
import { migrateDatabase } from '../storage/postgres/migrations.ts';
import { type ForgottenTeam, forgetTeam } from './forget-team.ts';
import { type RotatedKeys, rotateKeys } from './rotate-keys.ts';

/** Reads this process's configuration and prepares its database. Never throws: it reports what failed. */
export async function runOnDatabase(run: (database: Database, config: Config) => Promise<Report>) {
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

function reportForgotten(team: TeamId, { records, cachedItems, wasInstalled }: ForgottenTeam): Report {
  if (records === 0 && cachedItems === 0 && !wasInstalled)
    return notDone(`The database has nothing of ${team}. Nothing was deleted.`);
  const installation = wasInstalled ? 'the installation with its tokens' : 'no installation';
  return done(
    `Deleted everything of ${team}: records: ${records}, copies of proposals: ${cachedItems}, ` +
      `${installation}. If the app is still in that Slack workspace, remove it there, too.`,
  );
}

/** `gigdesk forget <team>`: deletes everything of a team from the database. */
export function forgetCommand(): Promise<void> {
  const team = parseSlackTeam(process.argv[2]);
  const report = runOnDatabase(async (database) =>
    team
      ? reportForgotten(team, await forgetTeam(database, team))
      : notDone('Which team? Run: npm run gigdesk -- forget <team ID>, for example T0123ABCD'),
  );
  return endWithReport(report);
}

function reportRotation({ resealed, unchanged, problems }: RotatedKeys, keys: EncryptionKeys): Report {
  const [first, ...others] = keys;
  const counts =
    `Tokens sealed with the key “${first.id}”: ${resealed} now, ${unchanged} before. ` +
    `Tokens that no key opens: ${problems.length}.`;
  if (problems.length > 0) return notDone(counts, ...problems);
  if (others.length === 0) return done(counts);
  return done(counts, 'Once all replicas run with this ENCRYPTION_KEY, remove its other keys.');
}

/** `gigdesk rotate-key`: seals all tokens with the first key of `ENCRYPTION_KEY`. */
export function rotateKeyCommand(): Promise<void> {
  const report = runOnDatabase(async (database, { workspaces }) => {
    if (workspaces.mode !== 'installed')
      return notDone('There are no sealed tokens: ENCRYPTION_KEY is for many workspaces.');
    const { encryptionKeys: keys } = workspaces;
    return reportRotation(await rotateKeys({ database, keys, randomBytes: machineRandomBytes }), keys);
  });
  return endWithReport(report);
}
