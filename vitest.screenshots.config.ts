import { defineConfig } from 'vitest/config';
import { compileForTests } from './test/compiled-files.ts';

/** Redraws docs/screenshots in a browser; vitest.config.ts has the page's tests. */
export default defineConfig({
  plugins: [compileForTests()],
  test: {
    include: ['test/screenshots/**/*.test.ts'],
    globalSetup: ['test/browser/start-browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
