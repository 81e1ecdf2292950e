import { defineConfig } from 'vitest/config';

/** Draws docs/screenshots anew, in a browser; tests of the page are in vitest.config.ts. */
export default defineConfig({
  test: {
    include: ['test/browser/screenshots.proof.ts'],
    globalSetup: ['test/browser/start-browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
