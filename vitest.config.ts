import { defineConfig } from 'vitest/config';
import { compileForTests } from './test/compiled-files.ts';

const plugins = [compileForTests()];

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
      {
        extends: true,
        plugins,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/image/**', 'test/screenshots/**'],
        },
      },
      {
        extends: true,
        plugins,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/start-browser.ts'],
        },
      },
    ],
  },
});
