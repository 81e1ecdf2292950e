/** `npm run backup -- <folder>`: copies the data folder, also while Gigdesk runs. Exit code 1 if it fails. */
import { keepProcessAlive, machineClock } from '../clock.ts';
import { readConfigFromEnvironment } from '../config.ts';
import { asError } from '../errors.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { type BackupResult, copyStore } from './copy-store.ts';

interface BackupReport {
  readonly code: 0 | 1;
  readonly words: string;
}

const MEBIBYTE = 2 ** 20;

function reportBackup(outcome: BackupResult, from: string, to: string): BackupReport {
  switch (outcome.kind) {
    case 'made': {
      const size = (outcome.bytes / MEBIBYTE).toFixed(1);
      const files = outcome.files === 1 ? '1 file' : `${outcome.files} files`;
      return {
        code: 0,
        words: `Backed up ${from} to ${to}: ${files}, ${size} MiB. The backup opens without errors.`,
      };
    }
    case 'target-in-use':
      return {
        code: 1,
        words: `${to} isn't empty. Choose a folder that doesn't exist yet. Nothing was copied.`,
      };
    case 'nothing-there':
      return { code: 1, words: `${from} has no Gigdesk data. Set DATA_DIR to the data folder.` };
    case 'unsound':
      return {
        code: 1,
        words: [
          'Backup failed: the copy is incomplete or damaged.',
          ...outcome.why,
          'Try again. If it keeps failing, stop Gigdesk and copy the folder yourself.',
        ].join('\n'),
      };
  }
}

async function makeBackup(target: string | undefined): Promise<BackupReport> {
  const read = readConfigFromEnvironment();
  if (read.kind === 'problems')
    return { code: 1, words: ['Configuration problems:', ...read.problems].join('\n- ') };
  if (!target) return { code: 1, words: 'Where should the backup go? Run: npm run backup -- <new folder>' };
  const { storage } = read.config;
  if (storage.engine !== 'folder')
    return {
      code: 1,
      words: 'The records are in PostgreSQL: back them up with pg_dump (docs/operations.md).',
    };
  const dataDir = storage.folder;
  try {
    return reportBackup(
      await copyStore({ disk: fileSystemDisk, clock: machineClock }, dataDir, target),
      dataDir,
      target,
    );
  } catch (thrown) {
    return { code: 1, words: `Backup failed: ${asError(thrown).message}` };
  }
}

keepProcessAlive();
const { code, words } = await makeBackup(process.argv[2]);
(code === 0 ? console.log : console.error)(words);
process.exit(code);
