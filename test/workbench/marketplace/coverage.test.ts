import { describe, expect, it } from 'vitest';
import { coverageAsMarkdown, MARKETPLACE_COVERAGE } from '../../../src/workbench/marketplace/coverage.ts';
import type { CoverageRow } from '../../../src/workbench/marketplace/coverage-row.ts';
import { apiAssumptionsAsMarkdown } from '../../../src/workbench/marketplace/mode-assumptions.ts';
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

  it('is described for people: what is documented, chosen, and answered instead in each mode', async () => {
    await expect(page()).toMatchFileSnapshot('../../../docs/marketplace-guesses.md');
  });
});

function page(): string {
  return [
    '# Marketplace API: documented behavior and guesses',
    '',
    "Gigdesk hasn't been tested with the real service. [The documentation](marketplace-api.md) leaves " +
      'some questions open. The',
    'simulated marketplace has a default answer to each, and a mode with another answer. The tests and ' +
      'the soak try these modes.',
    '`test/workbench/marketplace/coverage.test.ts` writes this page.',
    '',
    '## Guesses, and the mode that changes each',
    '',
    apiAssumptionsAsMarkdown(),
    '## Documented behavior',
    '',
    '`simulated`: as documented. `chosen`: the documentation leaves details open. `absent`: not simulated.',
    '',
    coverageAsMarkdown(),
  ].join('\n');
}
