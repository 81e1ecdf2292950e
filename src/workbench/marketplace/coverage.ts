/**
 * What the simulated marketplace covers of docs/marketplace-api.md, and what it chose where the documentation
 * is silent. A test walks this table: every row has a check that drives the simulator over HTTP.
 */
import { ABSENT_ENDPOINTS, ENDPOINT_COVERAGE } from './coverage-endpoints.ts';
import type { CoverageRow } from './coverage-row.ts';
import {
  ACCESS_RULES,
  BIDDING_RULES,
  CREDIT_RULES,
  PROJECT_RULES,
  TEMPLATE_RULES,
} from './coverage-rules.ts';

export const MARKETPLACE_COVERAGE = [
  ...ENDPOINT_COVERAGE,
  ...ACCESS_RULES,
  ...CREDIT_RULES,
  ...PROJECT_RULES,
  ...TEMPLATE_RULES,
  ...BIDDING_RULES,
  ...ABSENT_ENDPOINTS,
] as const;

export type CoverageId = (typeof MARKETPLACE_COVERAGE)[number]['id'];

/** The table for the documentation, as Markdown. */
export function coverageAsMarkdown(rows: readonly CoverageRow[] = MARKETPLACE_COVERAGE): string {
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
