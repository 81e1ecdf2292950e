/** `gigdesk backup <folder>`: copies the data folder, also while Gigdesk runs. Exit code 1 if it fails. */
import { done, endWithReport, notDone, type Report } from '../base/command-report.ts';
import { readConfigFromEnvironment } from '../config.ts';
import { asError } from '../errors.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { type BackupResult, copyStore } from './copy-store.ts';

function reportBackup(outcome: BackupResult, from: string, to: string): Report {
  switch (outcome.kind) {
    case 'made': {
      const size = (outcome.bytes / 2 ** 20).toFixed(1);
      const files = outcome.files === 1 ? '1 file' : `${outcome.files} files`;
      return done(
        `Backed up ${from} to ${to}: ${files}, ${size} MiB. The backup can be read without errors.`,
      );
    }
    case 'target-in-use':
      return notDone(`${to} isn't empty. Choose a folder that doesn't exist yet. Nothing was copied.`);
    case 'nothing-there':
      return notDone(`${from} has no Gigdesk data. Set DATA_DIR to the data folder.`);
    case 'unsound':
      return notDone(
        'Backup failed: the copy is incomplete or damaged.',
        ...outcome.why,
        'Try again. If it keeps failing, stop Gigdesk and copy the folder yourself.',
      );
  }
}

async function makeBackup(target: string | undefined): Promise<Report> {
  const read = readConfigFromEnvironment();
  if (read.kind === 'problems') return notDone(['Configuration problems:', ...read.problems].join('\n- '));
  if (!target) return notDone('Where should the backup go? Run: npm run gigdesk -- backup <new folder>');
  const { storage } = read.config;
  if (storage.engine !== 'folder')
    return notDone('The records are in PostgreSQL: back them up with pg_dump (docs/operations.md).');
  const { folder } = storage;
  try {
    const made = await copyStore(fileSystemDisk, folder, target);
    return reportBackup(made, folder, target);
  } catch (thrown) {
    return notDone(`Backup failed: ${asError(thrown).message}`);
  }
}

await endWithReport(makeBackup(process.argv[2]));
