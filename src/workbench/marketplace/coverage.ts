/**
 * What the simulated marketplace covers of docs/marketplace-api.md, and what it chose where the description is silent.
 * A test walks this table: every row has a check that drives the simulator over HTTP.
 */
import { ABSENT, ENDPOINTS } from './coverage-endpoints.ts';
import type { CoverageRow } from './coverage-row.ts';
import { ACCESS, BIDDING, CREDITS, PROJECTS, TEMPLATES } from './coverage-rules.ts';

export const COVERAGE = [
  ...ENDPOINTS,
  ...ACCESS,
  ...CREDITS,
  ...PROJECTS,
  ...TEMPLATES,
  ...BIDDING,
  ...ABSENT,
] as const;

export type CoverageId = (typeof COVERAGE)[number]['id'];

/** The table for the documentation, as Markdown. */
export function coverageAsMarkdown(rows: readonly CoverageRow[] = COVERAGE): string {
  const lines = rows.map(({ id, section, rule, how, choice }) => {
    const cells = [`\`${id}\``, section, rule, how, choice ?? ''];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    "| endpoint or rule | section | documented behavior | coverage | simulator's choice |",
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
