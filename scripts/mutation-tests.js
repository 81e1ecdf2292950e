/** The tests that `npm run mutate` runs: the pure ones beside the cores. */
import { defineConfig } from 'vitest/config';

const CORES =
  'bidding,credits,decisions,effects,feed,follows,hints,ledger,marketplace,query,response,sources,spending';

export default defineConfig({ test: { include: [`test/{${CORES}}/**/*.test.ts`], testTimeout: 60_000 } });
