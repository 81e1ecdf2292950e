/** The tests that `npm run mutate` runs: the pure ones beside the cores. */
import { defineConfig } from 'vitest/config';

const CORES =
  'bidding,credits,decisions,effects,feed,follows,hints,ledger,marketplace,query,response,sources,spending';

export default defineConfig({
  test: {
    include: [`test/{${CORES}}/**/*.test.ts`],
    // A process of its own runs the code without its mutants.
    testNamePattern: /^(?!.*(?:as its own process|a database is checked))/u,
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 60_000,
  },
});
