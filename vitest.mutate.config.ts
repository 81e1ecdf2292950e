import { defineConfig } from 'vitest/config';

// The tests of the pure cores alone, for mutation testing: what is changed there must be seen by a test that stands beside it.
export default defineConfig({
  test: {
    pool: 'threads',
    include: ['test/query/**/*.test.ts'],
  },
});
