/**
 * What the simulated marketplace covers of docs/marketplace-api.md, and what it chose where the documentation
 * is silent. Every row has a test that drives the simulator over HTTP.
 */
import { ENDPOINT_COVERAGE, UNSIMULATED_ENDPOINT_COVERAGE } from './coverage-endpoints.ts';
import type { CoverageRow } from './coverage-row.ts';
import {
  ACCESS_RULE_COVERAGE,
  BIDDING_RULE_COVERAGE,
  CREDIT_RULE_COVERAGE,
  PROJECT_RULE_COVERAGE,
  TEMPLATE_RULE_COVERAGE,
} from './coverage-rules.ts';

export const MARKETPLACE_COVERAGE = [
  ...ENDPOINT_COVERAGE,
  ...ACCESS_RULE_COVERAGE,
  ...CREDIT_RULE_COVERAGE,
  ...PROJECT_RULE_COVERAGE,
  ...TEMPLATE_RULE_COVERAGE,
  ...BIDDING_RULE_COVERAGE,
  ...UNSIMULATED_ENDPOINT_COVERAGE,
] as const;

/** As a table in Markdown. */
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
