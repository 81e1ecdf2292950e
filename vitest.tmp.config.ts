import { defineConfig } from 'vitest/config';
export default defineConfig({ root: '/work/main', test: { testTimeout: 90000, hookTimeout: 60000, maxWorkers: 1, pool: 'forks', isolate: false, execArgv: ['--cpu-prof', '--cpu-prof-dir=/tmp/gig/prof'], include: ['test/**/*.test.ts'] } });
