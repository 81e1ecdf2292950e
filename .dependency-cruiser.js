/** The directions in which code may depend. `scripts/check-boundaries.js` runs these and fails if it saw no module. */
const GROUND = '^src/(ids|clock|errors|log|secret)\\.ts$';
const FEATURES = '^src/(feed|credits|projects|outbox|access|query|schedule)/';

/** Pure files: data in, data out. */
const PURE = [
  '^src/query/',
  '^src/access/roles\\.ts$',
  '^src/feed/(poll-plan|read-filter|page-size|match-card|rate)\\.ts$',
  '^src/credits/(split|forecast|periods|reckoning)\\.ts$',
  '^src/slack/blocks/',
  '^src/slack/messages/(?!render-post)',
];

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-missing-modules', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'product-knows-no-workbench',
      comment: 'The simulated services are for tests and the sandbox; they never ship.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workbench/' },
      to: { path: '^src/workbench/' },
    },
    {
      name: 'simulators-know-no-product',
      comment: 'A simulator that shares the schema agrees with its mistakes.',
      severity: 'error',
      from: { path: '^src/workbench/', pathNot: '^src/workbench/sandbox' },
      to: { path: '^src/', pathNot: '^src/(workbench/|clock\\.ts$)' },
    },
    {
      name: 'marketplace-stands-alone',
      severity: 'error',
      from: { path: '^src/marketplace/' },
      to: { path: '^src/', pathNot: ['^src/marketplace/', GROUND] },
    },
    {
      name: 'storage-stands-alone',
      severity: 'error',
      from: { path: '^src/storage/' },
      to: { path: '^src/', pathNot: ['^src/storage/', GROUND] },
    },
    {
      name: 'engine-behind-its-port',
      comment: 'Domain code knows the port, not lowdb.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(storage/|app\\.ts$|doctor/)' },
      to: { path: '^src/storage/lowdb/' },
    },
    {
      name: 'features-know-no-slack',
      severity: 'error',
      from: { path: FEATURES },
      to: { path: ['^src/(slack|workbench|doctor)/', '^src/(app|main|config)\\.ts$', 'node_modules/@slack'] },
    },
    {
      name: 'pure-files-do-nothing',
      comment: 'What is pure imports no I/O, no storage, no network.',
      severity: 'error',
      from: { path: PURE },
      to: {
        path: [
          '^node:',
          '^src/storage/lowdb/',
          '^src/marketplace/(transport|http-client)',
          'node_modules/(undici|lowdb|@slack/(bolt|web-api))',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-use-no-builtins',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'] },
    },
  ],
};
