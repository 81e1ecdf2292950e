/** The tests that `npm run mutate` runs for a core: the pure ones in its folders. */
import { defineConfig } from 'vitest/config';

const tests = process.env.MUTATION_TESTS.split(' ');

export default defineConfig({
  test: {
    include: tests.map((it) => (it.endsWith('.ts') ? `test/${it}` : `test/${it}/**/*.test.ts`)),
    // They simulate days, or something else than a core.
    exclude: ['gate/learning', 'credits/promises', 'feed/filter-hints', 'bidding/letter-likeness'].map(
      (name) => `**/${name}.test.ts`,
    ),
    // A process of its own runs the code without its mutants.
    testNamePattern: /^(?!.*(?:as its own process|a database is checked))/u,
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 60_000,
  },
});
