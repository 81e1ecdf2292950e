/** `npm run gigdesk -- ledger verify [<team ID>] [<number>:<hash>]`: checks the ledgers of decisions. */
import { ACTIONS_IN_WORDS, auditEntries, type LedgerLink } from '../audit/audit.ts';
import { notDone, type Report } from '../base/command-report.ts';
import type { Config, readConfigFromEnvironment } from '../config.ts';
import { hashEntry } from '../decisions/chain.ts';
import { decisionHeads, decisions } from '../decisions/records.ts';
import {
  type AuditedLink,
  type LedgerBreak,
  type LedgerVerification,
  readAuditedLink,
  readDeletedUpTo,
  type StoredLedgerRecord,
  type VerifiedEntry,
  verifyLedger,
} from '../decisions/verify-ledger.ts';
import { asError } from '../errors.ts';
import { runOnDatabase } from '../installations/commands.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { type FolderLoader, readFolderRecords } from '../storage/journal/read-records.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';
import type { Key } from '../storage/store.ts';

interface StoredLedger {
  readonly team: string;
  readonly records: readonly StoredLedgerRecord[];
  readonly head: unknown;
  readonly audited: readonly AuditedLink[];
}

interface ReadLedgers {
  readonly ledgers: readonly StoredLedger[];
  /** Of the files, in sentences. */
  readonly damage: readonly string[];
}

/** Of the content as it is, whatever hash the entry names. */
const hashOf = (value: unknown) => hashEntry(typeof value === 'object' && value !== null ? value : { value });
const nameOf = (collection: string, key: Key) => `${collection} ${JSON.stringify(key)}`;

const MOST_DIFFERENCES = 20;

/** Takes one team's records of the ledger alone, and the audit log's links to them. */
class LedgerRecords implements FolderLoader {
  readonly #records = new Map<string, { place: unknown; value: unknown; isHead: boolean }>();
  readonly #audited = new Map<string, AuditedLink>();
  #older: { name: string; place: unknown; file: string; hash: string }[] = [];

  restart(): void {
    this.#records.clear();
    this.#audited.clear();
    this.#older = [];
  }

  loadOlder(file: string, collection: string, key: Key, value: unknown): void {
    if (collection !== decisions.name || value === undefined) return;
    const [place] = key;
    this.#older.push({ name: nameOf(collection, key), place, file, hash: hashOf(value) });
  }

  load(collection: string, key: Key, value: unknown): void {
    const [place] = key;
    const name = nameOf(collection, key);
    if (collection === auditEntries.name) {
      const link = readAuditedLink(value);
      if (link) this.#audited.set(name, link);
      else this.#audited.delete(name);
    }
    const isHead = collection === decisionHeads.name;
    if (!isHead && collection !== decisions.name) return;
    if (value === undefined) this.#records.delete(name);
    else this.#records.set(name, { place, value, isHead });
  }

  finish(sequence: number) {
    return { sequence, collections: new Map() };
  }

  get #head(): unknown {
    return [...this.#records.values()].find(({ isHead }) => isHead)?.value;
  }

  /** Entries that aren't what older files say, in sentences: entries never change. */
  listDifferences(team: string): readonly string[] {
    const deletedUpTo = readDeletedUpTo(this.#head);
    const different = this.#older.filter(({ name, place, hash }) => {
      const now = this.#records.get(name);
      return now ? hashOf(now.value) !== hash : Number(place) > deletedUpTo;
    });
    const texts = different.map(({ place, file }) => `${team}: entry ${Number(place)} in ${file}`);
    return [...new Set(texts)]
      .slice(0, MOST_DIFFERENCES)
      .map((text) => `${text} is missing in the ledger, or differs there.`);
  }

  /** None when nothing was ever decided. */
  list(team: string): readonly StoredLedger[] {
    if (this.#records.size === 0 && this.#audited.size === 0) return [];
    const records = [...this.#records.values()].filter(({ isHead }) => !isHead);
    return [{ team, records, head: this.#head, audited: [...this.#audited.values()] }];
  }
}

/** @returns undefined when the folder has no data. @throws StorageError, or the disk's error */
async function readFolderLedgers(folder: string): Promise<ReadLedgers | undefined> {
  const records = new LedgerRecords();
  const place = { disk: fileSystemDisk, folder, version: CURRENT_DATA_VERSION };
  const read = await readFolderRecords(place, records);
  if (read.kind !== 'read') return undefined;
  const { team, damage } = read;
  if (team === undefined) return { ledgers: [], damage };
  return { ledgers: records.list(team), damage: [...damage, ...records.listDifferences(team)] };
}

const ROWS = 1_000;

/** In one read-only transaction. @throws StorageError */
async function readDatabaseLedgers(database: Database): Promise<ReadLedgers> {
  const teams = new Map<string, LedgerRecords>();
  try {
    await database.begin('isolation level repeatable read read only', async (sql) => {
      const rows = sql<{ team: string; collection: string; key: string; value: string }[]>`
        select team, collection, key, value from records
        where collection in (${decisions.name}, ${decisionHeads.name}, ${auditEntries.name})
        order by team`;
      for await (const some of rows.cursor(ROWS))
        for (const { team, collection, key, value } of some) {
          const records = teams.get(team) ?? new LedgerRecords();
          teams.set(team, records);
          records.load(collection, JSON.parse(key) as Key, JSON.parse(value));
        }
    });
  } catch (thrown) {
    throw toDatabaseError(thrown, 'read the ledger in the database');
  }
  return { ledgers: [...teams].flatMap(([team, records]) => records.list(team)), damage: [] };
}

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

/** Kinds of other versions are named as stored. */
function kindText(kind: string): string {
  const words: Readonly<Record<string, string>> = { ...ACTIONS_IN_WORDS, outcome: 'how a decision ended' };
  return Object.hasOwn(words, kind) ? (words[kind] ?? kind) : kind;
}

function entryText(name: string, entry: VerifiedEntry | undefined): string[] {
  if (!entry) return [];
  const { seq, at, what, hash } = entry;
  return [`  ${name}: ${seq} (${kindText(what)}, ${new Date(at).toISOString()}), hash ${hash}`];
}

const MOST_BREAKS = 20;

/** @param areFilesSound no file is damaged, and none contradicts another. @returns lines */
function describeLedger(team: string, checked: LedgerVerification, areFilesSound: boolean) {
  const { entries, counts, first, last, deletedUpTo, breaks } = checked;
  const files = areFilesSound
    ? 'complete and unchanged'
    : 'every hash is right, but the files are not (see above)';
  const kinds = [...counts]
    .map(([kind, count]) => `    ${kindText(kind)}: ${count}`)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const more = breaks.length - MOST_BREAKS;
  return [
    `${team}: ${breaks.length > 0 ? 'BROKEN' : files}`,
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
