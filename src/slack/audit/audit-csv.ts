/** The audit log as a table: one row for each entry, with its entry in the ledger of decisions. Pure. */
import type { AuditEntry } from '../../audit/audit.ts';
import type { LedgerDecision } from '../../decisions/decisions.ts';
import { CSV_START, type CsvCell, csvLine } from '../kit/csv.ts';

export interface ExportedEntry {
  readonly entry: AuditEntry;
  /** Missing for what isn't a decision, and for what is older than the ledger. */
  readonly decision?: LedgerDecision | undefined;
}

interface Row extends ExportedEntry {
  readonly act: Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SUBJECTS = ['title', 'name', 'profileName', 'value', 'user', 'role'] as const;

function subjectOf(act: Row['act']): string | undefined {
  return SUBJECTS.map((name) => textOf(act[name])).find((text) => text !== undefined && text !== '');
}

/** Everything that the action has, as `name: value`. */
function detailsOf(act: Row['act']): string {
  return Object.entries(act)
    .flatMap(([name, value]) => (name === 'kind' || value === undefined ? [] : [`${name}: ${textOf(value)}`]))
    .join('; ');
}

/** One table for the head and the cells. */
const COLUMNS: readonly (readonly [string, (row: Row) => CsvCell])[] = [
  ['time', ({ entry }) => new Date(entry.at).toISOString()],
  ['person', ({ entry }) => entry.by],
  ['channel', ({ entry }) => entry.channel],
  ['action', ({ entry }) => entry.act.kind],
  ['subject', ({ act }) => subjectOf(act)],
  ['details', ({ act }) => detailsOf(act)],
  ['result', ({ entry }) => entry.answer?.kind],
  ['result_code', ({ entry }) => entry.answer?.code],
  ['result_words', ({ entry }) => entry.answer?.words],
  ['job', ({ entry, act }) => entry.answer?.job ?? textOf(act['job'])],
  ['connects', ({ decision }) => decision?.cost?.connects],
  ['boost_connects', ({ decision }) => decision?.cost?.boostConnects],
  ['shown', ({ decision }) => decision?.shown?.text],
  ['shown_hash', ({ decision }) => decision?.shown?.hash],
  ['ledger_number', ({ decision }) => decision?.seq],
  ['ledger_hash', ({ decision }) => decision?.hash],
];

export const AUDIT_CSV_START = CSV_START + csvLine(COLUMNS.map(([name]) => name));

export function auditCsvLine(exported: ExportedEntry): string {
  const row = { ...exported, act: exported.entry.act };
  return csvLine(COLUMNS.map(([, cellOf]) => cellOf(row)));
}
