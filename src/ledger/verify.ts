/** `npm run ledger -- verify [<team ID>] [<number>:<hash>]`: checks the ledgers of decisions. */
import { notDone, type Report } from '../base/command-report.ts';
import type { Config, readConfigFromEnvironment } from '../config.ts';
import { type NotedEntry, verifyLedger } from '../decisions/verify-ledger.ts';
import { asError } from '../errors.ts';
import { runOnDatabase } from '../installations/run-on-database.ts';
import { type ReadLedgers, readDatabaseLedgers, readFolderLedgers } from './read-ledgers.ts';
import { describeLedger } from './report-ledger.ts';

const USAGE = 'Run: npm run ledger -- verify [<team ID>] [<number>:<hash>]';

interface VerifyOrder {
  /** Missing: all. */
  readonly team?: string;
  readonly noted?: NotedEntry;
}

function parseArguments([command, ...rest]: readonly string[]): VerifyOrder | undefined {
  if (command !== 'verify' || rest.length > 2) return undefined;
  const order: { team?: string; noted?: NotedEntry } = {};
  for (const argument of rest) {
    const [, seq, hash] = /^(\d{1,15}):([\da-f]{64})$/u.exec(argument) ?? [];
    if (seq !== undefined && hash !== undefined) order.noted = { seq: Number(seq), hash };
    else if (/^T[A-Z0-9]+$/u.test(argument)) order.team = argument;
    else return undefined;
  }
  return order;
}

function report({ ledgers, damage }: ReadLedgers, { team, noted }: VerifyOrder): Report {
  const wanted = ledgers.filter((ledger) => team === undefined || ledger.team === team);
  const which = wanted.length === 1 ? noted : undefined;
  if (noted && !which)
    return notDone(`A number and a hash need one team, and there are ${wanted.length}. ${USAGE}`);
  if (wanted.length === 0) {
    const words = team ? `${team} has no ledger here.` : 'There are no decisions yet.';
    return { code: damage.length === 0 && !team ? 0 : 1, words: [...damage, words].join('\n') };
  }
  const checked = wanted.map((ledger) => ({
    team: ledger.team,
    result: verifyLedger(ledger.team, ledger.records, ledger.head, { audited: ledger.audited, noted: which }),
  }));
  const areFilesSound = damage.length === 0;
  const isSound = areFilesSound && checked.every(({ result }) => result.breaks.length === 0);
  const lines = checked.flatMap((each) => describeLedger(each.team, each.result, areFilesSound));
  return { code: isSound ? 0 : 1, words: [...damage, ...lines].join('\n') };
}

async function verifyFolder(folder: string, order: VerifyOrder): Promise<Report> {
  try {
    const read = await readFolderLedgers(folder);
    if (read) return report(read, order);
    return notDone(`${folder} has no Gigdesk data. Set DATA_DIR to the data folder.`);
  } catch (thrown) {
    return notDone(`Couldn't read the ledger: ${asError(thrown).message}`);
  }
}

/** Never throws: it reports what failed. */
export async function runLedgerCommand(
  given: readonly string[],
  read: ReturnType<typeof readConfigFromEnvironment>,
): Promise<Report> {
  const order = parseArguments(given);
  if (!order) return notDone(USAGE);
  if (read.kind === 'problems') return notDone(['Configuration problems:', ...read.problems].join('\n- '));
  const { storage }: Config = read.config;
  if (storage.engine === 'folder') return verifyFolder(storage.folder, order);
  return runOnDatabase(async (database) => report(await readDatabaseLedgers(database), order));
}
