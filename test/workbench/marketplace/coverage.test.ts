import { describe, expect, it } from 'vitest';
import { coverageAsMarkdown, MARKETPLACE_COVERAGE } from '../../../src/workbench/marketplace/coverage.ts';
import type { CoverageRow } from '../../../src/workbench/marketplace/coverage-row.ts';
import { ENDPOINT_ROUTES } from '../../../src/workbench/marketplace/routes.ts';

describe('the simulated marketplace holds to docs/marketplace-api.md', () => {
  it('names every endpoint that it serves, and each row once', () => {
    const ids = MARKETPLACE_COVERAGE.map((row): string => row.id);
    expect(
      ENDPOINT_ROUTES.map(({ method, path }) => `${method} ${path}`).filter((id) => !ids.includes(id)),
    ).toEqual([]);
    expect(ids.filter((id) => /^(GET|POST) /.test(id))).toHaveLength(ENDPOINT_ROUTES.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says what it chose wherever it chose', () => {
    const rows: readonly CoverageRow[] = MARKETPLACE_COVERAGE;
    expect(rows.filter((row) => (row.how === 'simulated') !== (row.choice === undefined))).toEqual([]);
    expect(coverageAsMarkdown().split('\n')).toHaveLength(MARKETPLACE_COVERAGE.length + 3);
  });
});
