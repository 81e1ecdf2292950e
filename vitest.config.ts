import { defineConfig } from 'vitest/config';
import { compileForTests } from './test/compiled-files.ts';

const plugins = [compileForTests()];
const WHOLE_APP = ['test/{features,gallery,kit}/**/*.test.ts'];
const BROWSER = 'test/browser/start-browser.ts';

/** `npm test` runs the first three; `npx vitest run --project image` another. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['test/property-seed.ts'],
    // A third took longer on two cores: each worker loads the product anew.
    maxWorkers: 2,
    execArgv: ['--max-semi-space-size=64'],
    pool: 'forks',
    // The product has no module state, so the test files of a worker share its modules: loading them took
    // a fifth of the time.
    isolate: false,
    projects: [
      { extends: true, plugins, test: { name: 'app', include: WHOLE_APP } },
      {
        extends: true,
        plugins,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{features,gallery,kit,browser,image,screenshots}/**'],
        },
      },
      {
        extends: true,
        plugins,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], globalSetup: [BROWSER] },
      },
      {
        // The whole-app tests with their records in PostgreSQL.
        extends: true,
        plugins,
        test: {
          name: 'postgres',
          include: WHOLE_APP,
          // These write into the data folder, start with another one, or name the files that a change passes.
          exclude: [
            'test/gallery/**',
            ...['going-back', 'presses-table', 'ways'].map((name) => `test/features/${name}.test.ts`),
          ],
          globalSetup: ['test/features/start-databases.ts'],
          setupFiles: ['test/property-seed.ts', 'test/features/use-databases.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // Installs and compiles the product as the Dockerfile does, for a minute.
      {
        extends: true,
        test: { name: 'image', include: ['test/image/**/*.test.ts'], hookTimeout: 600_000 },
      },
      {
        // Draws docs/screenshots again.
        extends: true,
        plugins,
        test: { name: 'pictures', include: ['test/screenshots/**/*.test.ts'], globalSetup: [BROWSER] },
      },
    ],
  },
});
