/** `npm run backup -- <folder>`: copies the data folder, also while Gigdesk runs. Exit code 1 when no backup was made. */
import { keepProcessAlive, machineClock } from '../clock.ts';
import { readEnvironment } from '../config.ts';
import { asError } from '../errors.ts';
import { machineDisk } from '../storage/lowdb/disk.ts';
import { type BackupOutcome, copyStore } from './copy-store.ts';

interface Told {
  readonly code: 0 | 1;
  readonly words: string;
}

const MEBIBYTE = 2 ** 20;

function tell(outcome: BackupOutcome, from: string, to: string): Told {
  switch (outcome.kind) {
    case 'made': {
      const size = (outcome.bytes / MEBIBYTE).toFixed(1);
      const files = outcome.files === 1 ? '1 file' : `${outcome.files} files`;
      return {
        code: 0,
        words: `A backup of ${from} is in ${to}: ${files}, ${size} MiB, opened and found whole.`,
      };
    }
    case 'target-in-use':
      return {
        code: 1,
        words: `${to} is not empty: name a folder that is not there yet. Nothing was copied.`,
      };
    case 'nothing-there':
      return { code: 1, words: `${from} holds no data of Gigdesk: set DATA_DIR to its folder.` };
    case 'unsound':
      return {
        code: 1,
        words: [
          'No backup was made: the copy was not whole.',
          ...outcome.why,
          'Try again; if that ends the same, stop Gigdesk and copy the folder.',
        ].join('\n'),
      };
  }
}

async function makeBackup(target: string | undefined): Promise<Told> {
  const read = readEnvironment();
  if (read.kind === 'problems')
    return { code: 1, words: ['The configuration has these problems:', ...read.problems].join('\n- ') };
  if (!target) return { code: 1, words: 'Say where to: npm run backup -- <folder that is not there yet>' };
  const { dataDir } = read.config;
  try {
    return tell(
      await copyStore({ disk: machineDisk, clock: machineClock }, dataDir, target),
      dataDir,
      target,
    );
  } catch (thrown) {
    return { code: 1, words: `No backup was made: ${asError(thrown).message}` };
  }
}

keepProcessAlive();
const { code, words } = await makeBackup(process.argv[2]);
(code === 0 ? console.log : console.error)(words);
process.exit(code);
