import { defineConfig } from 'vitest/config';

/** What installs and compiles the product anew takes a minute, and is a step of its own. */
export default defineConfig({
  test: {
    include: ['test/image/**/*.proof.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    pool: 'forks',
  },
});
