/** `npm run gigdesk -- ledger verify [<team ID>] [<number>:<hash>]`: checks the ledgers of decisions. */
import { ACTIONS_IN_WORDS, type LedgerLink } from '../audit/audit.ts';
import { notDone, type Report } from '../base/command-report.ts';
import type { Config, readConfigFromEnvironment } from '../config.ts';
import {
  type LedgerBreak,
  type LedgerVerification,
  type VerifiedEntry,
  verifyLedger,
} from '../decisions/verify-ledger.ts';
import { asError } from '../errors.ts';
import { runOnDatabase } from '../installations/run-on-database.ts';
import { type ReadLedgers, readDatabaseLedgers, readFolderLedgers } from './read-ledgers.ts';

const USAGE = 'Run: npm run gigdesk -- ledger verify [<team ID>] [<number>:<hash>]';

interface VerifyOrder {
  /** Missing: all. */
  readonly team?: string;
  /** A number and a hash that someone wrote down. */
  readonly noted?: LedgerLink;
}

function parseArguments([command, ...rest]: readonly string[]): VerifyOrder | undefined {
  if (command !== 'verify' || rest.length > 2) return undefined;
  const order: { team?: string; noted?: LedgerLink } = {};
  for (const argument of rest) {
    const [, seq, hash] = /^(\d{1,15}):([\da-f]{64})$/u.exec(argument) ?? [];
    if (seq !== undefined && hash !== undefined) order.noted = { seq: Number(seq), hash };
    else if (/^T[A-Z0-9]+$/u.test(argument)) order.team = argument;
    else return undefined;
  }
  return order;
}

function entriesText(from: number, to: number): string {
  return from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
}

function breakText(found: LedgerBreak): string {
  switch (found.kind) {
    case 'changed':
      return `Entry ${found.seq} was changed: its hash doesn't match its content.`;
    case 'missing':
      return `${entriesText(found.from, found.to)}: missing.`;
    case 'misplaced':
      return `Entry ${found.seq} isn't an entry that belongs there.`;
    case 'unlinked':
      return `Entry ${found.seq} doesn't follow the entry before it: one of the two was replaced.`;
    case 'cut':
      return `${entriesText(found.from, found.to)}: missing at the end.`;
    case 'not-last':
      return `Entry ${found.seq} isn't the one that was written last.`;
    case 'no-head':
      return "The record of the ledger's end is missing, so a missing end can't be noticed.";
    case 'not-as-audited':
      return `Entry ${found.seq} is missing or was replaced: the audit log names another one.`;
    case 'not-as-noted':
      return `Entry ${found.seq} doesn't have the hash that you gave, or isn't kept anymore.`;
  }
}

const OUTCOME = 'outcome';

/** Kinds of other versions are named as stored. */
function kindText(kind: string): string {
  const words: Readonly<Record<string, string>> = { ...ACTIONS_IN_WORDS, [OUTCOME]: 'how a decision ended' };
  return Object.hasOwn(words, kind) ? (words[kind] ?? kind) : kind;
}

function entryText(name: string, entry: VerifiedEntry | undefined): string[] {
  if (!entry) return [];
  const { seq, at, what, hash } = entry;
  return [`  ${name}: ${seq} (${kindText(what)}, ${new Date(at).toISOString()}), hash ${hash}`];
}

const MOST_BREAKS = 20;

function verdictText({ breaks }: LedgerVerification, areFilesSound: boolean): string {
  if (breaks.length > 0) return 'BROKEN';
  return areFilesSound ? 'complete and unchanged' : 'every hash is right, but the files are not (see above)';
}

/** @param areFilesSound no file is damaged, and none contradicts another. @returns lines */
function describeLedger(
  team: string,
  checked: LedgerVerification,
  areFilesSound: boolean,
): readonly string[] {
  const { entries, counts, first, last, deletedUpTo, breaks } = checked;
  const kinds = [...counts]
    .map(([kind, count]) => `    ${kindText(kind)}: ${count}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const more = breaks.length - MOST_BREAKS;
  return [
    `${team}: ${verdictText(checked, areFilesSound)}`,
    `  entries: ${entries}`,
    ...kinds,
    ...entryText('first', first),
    ...entryText('last', last),
    ...(deletedUpTo === undefined ? [] : [`  deleted for their age: up to ${deletedUpTo}`]),
    ...breaks.slice(0, MOST_BREAKS).map((found) => `  ${breakText(found)}`),
    ...(more > 0 ? [`  And ${more} more.`] : []),
  ];
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
    result: verifyLedger(ledger.records, ledger.head, { audited: ledger.audited, noted: which }),
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
