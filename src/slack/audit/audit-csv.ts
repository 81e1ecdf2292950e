/** The audit log as a table: one row for each entry, with its entry in the ledger of decisions. Pure. */
import { ACTIONS_IN_WORDS } from '../../audit/actions-in-words.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import type { DecisionCost, LedgerDecision, LedgerOutcome } from '../../decisions/decisions.ts';
import { CSV_START, type CsvCell, csvLine } from '../kit/csv.ts';

export interface ExportedEntry {
  readonly entry: AuditEntry;
  /** Missing for what isn't a decision. */
  readonly decision?: LedgerDecision | undefined;
  /** How the decision ended, oldest first. */
  readonly outcomes?: readonly LedgerOutcome[];
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

/** What an outcome says comes later, and so is closer to the truth. */
function costOf({ decision, outcomes = [] }: Row, name: keyof DecisionCost): number | undefined {
  const costs = [decision?.cost, ...outcomes.map(({ cost }) => cost)];
  return costs.findLast((cost) => cost?.[name] !== undefined)?.[name];
}

/** What was uncertain once may be known now. */
function uncertainCreditsOf({ outcomes = [] }: Row): number | undefined {
  return outcomes.findLast(({ cost }) => cost?.credits !== undefined)?.cost?.uncertainCredits;
}

/** Everything that the action has, as `name: value`. */
function detailsOf(act: Row['act']): string {
  return Object.entries(act)
    .flatMap(([name, value]) =>
      name === 'kind' || value === undefined || value === '' ? [] : [`${name}: ${textOf(value)}`],
    )
    .join('; ');
}

/** One table for the head and the cells. */
const COLUMNS: readonly (readonly [string, (row: Row) => CsvCell])[] = [
  ['time', ({ entry }) => new Date(entry.at).toISOString()],
  ['person', ({ entry }) => entry.by],
  ['channel', ({ entry }) => entry.channel],
  ['action', ({ entry }) => entry.act.kind],
  ['what', ({ entry }) => ACTIONS_IN_WORDS[entry.act.kind]],
  ['subject', ({ act, decision }) => subjectOf(act) ?? decision?.subject],
  ['details', ({ act }) => detailsOf(act)],
  ['result', ({ entry }) => entry.answer?.kind],
  ['result_code', ({ entry }) => entry.answer?.code],
  ['result_words', ({ entry }) => entry.answer?.words],
  ['job', ({ entry, act }) => entry.answer?.job ?? textOf(act['job'])],
  ['outcome', ({ outcomes }) => outcomes?.at(-1)?.result],
  ['connects', (row) => costOf(row, 'connects')],
  ['boost_connects', (row) => costOf(row, 'boostConnects')],
  ['credits', (row) => costOf(row, 'credits')],
  ['uncertain_credits', uncertainCreditsOf],
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
