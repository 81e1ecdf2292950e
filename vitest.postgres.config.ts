import { defineConfig } from 'vitest/config';
import { compileForTests } from './test/compiled-files.ts';

/** The whole-app tests with their records in PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  plugins: [compileForTests()],
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: 'forks',
    isolate: false,
    include: ['test/{features,kit}/**/*.test.ts'],
    // These write into the data folder, or name the files that a change passes.
    exclude: ['test/features/going-back.test.ts', 'test/features/ways.test.ts'],
    globalSetup: ['test/features/start-databases.ts'],
    setupFiles: ['test/features/use-databases.ts'],
  },
});
