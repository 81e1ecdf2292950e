/** `docs/benchmark.md`: the last full run, for readers who haven't run it. */

import { holds, type Row } from './part.ts';
import type { Part } from './part-list.ts';
import { cellsOf } from './table.ts';

export interface Result {
  readonly part: Part;
  readonly rows: readonly Row[];
  /** The error of a part that failed. */
  readonly failed?: string;
}

/** Describes the measured machine. */
export interface Occasion {
  /** `2026-11-20`. */
  readonly day: string;
  readonly machine: string;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

function describePart({ part, rows, failed }: Result): readonly string[] {
  const head = ['', `## ${part.title}`, ''];
  if (failed !== undefined) return [...head, 'This part failed, so this run has no results for it.'];
  const lines = rows.map((row) => {
    const [what, measured, bar, held, baseline] = cellsOf(row);
    return tableLine([what, measured, bar, held === 'NO' ? '**NO**' : held, baseline]);
  });
  return [
    ...head,
    tableLine(['Metric', 'Measured', 'Target', 'Met', 'Compared with']),
    '|---|---:|---|---|---|',
    ...lines,
  ];
}

/** Leads with the rows that miss their bar. */
function sumUp(results: readonly Result[]): readonly string[] {
  const rows = results.flatMap((result) => result.rows);
  const barred = rows.filter(({ bar }) => bar !== undefined);
  const missed = barred.filter((row) => !holds(row));
  const failed = results.filter((result) => result.failed !== undefined).map(({ part }) => part.title);
  const parts = failed.length === 0 ? [] : ['', `Parts that failed: ${failed.join(', ')}.`];
  if (missed.length === 0) return [`All targets are met (${barred.length} of ${barred.length}).`, ...parts];
  const list = missed.map((row) => {
    const [what, measured, bar] = cellsOf(row);
    return `- ${what}: ${measured}, target ${bar}`;
  });
  return [
    `${barred.length - missed.length} of ${barred.length} targets are met. Missed:`,
    '',
    ...list,
    ...parts,
  ];
}

export function formatPage(results: readonly Result[], { day, machine }: Occasion): string {
  const lines = [
    '# Benchmark',
    '',
    '`npm run bench` writes this page, and prints how each figure was measured.',
    '',
    `Measured on ${day}, on ${machine}. Times differ on other machines. In rows with a ratio (x), both sides`,
    'were measured in the same run.',
    '',
    ...sumUp(results),
    ...results.flatMap(describePart),
    '',
  ];
  return lines.join('\n');
}
