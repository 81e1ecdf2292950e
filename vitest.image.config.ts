import { defineConfig } from 'vitest/config';

/** Installing and compiling the product takes a minute, so it is a separate step. */
export default defineConfig({
  test: {
    include: ['test/image/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    pool: 'forks',
  },
});
