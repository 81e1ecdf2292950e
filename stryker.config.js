export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts' },
  mutate: ['src/query/*.ts'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  // Stryker rewrites a tsconfig.json by an API that TypeScript 7 no longer has; nothing here is compiled.
  tsconfigFile: 'none.json',
};
