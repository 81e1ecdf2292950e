/** What `npm run ledger` prints. Pure. */
import { ACTIONS_IN_WORDS } from '../audit/actions-in-words.ts';
import type { LedgerBreak, LedgerVerification, VerifiedEntry } from '../decisions/verify-ledger.ts';

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
export function describeLedger(
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
