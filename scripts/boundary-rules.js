import { readdirSync, readFileSync } from 'node:fs';

/** The directions in which code may depend; `check-boundaries.js` runs these. */
const GROUND = '^src/((ids|clock|errors|log|secret)\\.ts$|base/)';
const FEATURES =
  '^src/(access|aliases|audit|bidding|credits|decisions|digests|directory|feed|follows|funnel|hints|' +
  'invitations|outbox|profiles|projects|proposals|query|response|schedule|setups|sources|spending|' +
  'statistics|templates|typed)/';

/** The store behind its port. */
const ENGINE = '^src/storage/((memory|journal)/|(commit-log|disk|open-journal-store)\\.ts$)';

/** Which features a feature may know besides itself. */
const FEATURES_KNOW = {
  aliases: [],
  outbox: [],
  credits: ['audit', 'decisions', 'outbox'],
  projects: ['aliases', 'credits'],
  audit: [],
  access: ['audit', 'decisions', 'outbox'],
  query: [],
  setups: [],
  sources: ['outbox'],
  feed: [
    'aliases',
    'audit',
    'credits',
    'decisions',
    'directory',
    'outbox',
    'query',
    'schedule',
    'setups',
    'sources',
  ],
  bidding: [
    'aliases',
    'audit',
    'decisions',
    'feed',
    'invitations',
    'outbox',
    'projects',
    'query',
    'schedule',
    'setups',
    'sources',
    'spending',
    'typed',
  ],
  templates: ['audit', 'decisions', 'typed'],
  directory: ['query', 'setups'],
  profiles: ['audit', 'directory', 'feed', 'outbox', 'sources'],
  proposals: [
    'aliases',
    'bidding',
    'directory',
    'feed',
    'outbox',
    'profiles',
    'query',
    'schedule',
    'sources',
  ],
  invitations: ['directory', 'feed', 'outbox', 'profiles', 'sources'],
  schedule: [],
  statistics: ['schedule'],
  digests: [
    'aliases',
    'audit',
    'bidding',
    'credits',
    'directory',
    'feed',
    'invitations',
    'outbox',
    'profiles',
    'proposals',
    'query',
    'response',
    'schedule',
    'setups',
    'statistics',
  ],
  typed: [],
  // How fast the team answers: targets, nudges, claims that expire.
  response: ['aliases', 'audit', 'bidding', 'feed', 'invitations', 'outbox', 'schedule', 'sources'],
  // Outside tools say that a filter has a new project.
  hints: ['audit', 'feed', 'schedule'],
  // What single people follow, besides the channels.
  follows: ['audit', 'feed', 'outbox', 'query', 'schedule'],
  // The team's rules for spending connects.
  spending: ['audit', 'outbox', 'schedule'],
  // The chained list of what people decided.
  decisions: ['audit'],
  // From found to hired, and what other rules would have shown.
  funnel: ['aliases', 'bidding', 'feed', 'query', 'spending'],
};

/** The rooms of src/slack: one for each feature. */
const ROOMS = readdirSync('src/slack', { withFileTypes: true })
  .filter((it) => it.isDirectory() && !['core', 'kit', 'delivery'].includes(it.name))
  .map(({ name }) => name);

/** Folders in which everything is pure: data in, data out. */
const PURE_FOLDERS = ['^src/query/', '^src/typed/'];

/** Files that say so at their head: “… Pure.” */
const pureFiles = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((file) => /^\/\*\*(?:(?!\*\/)[\s\S])*\bPure\b/.test(readFileSync(file, 'utf8')))
  .map((file) => `^${file.replaceAll('.', '\\.')}$`);

const PURE = [...PURE_FOLDERS, ...pureFiles];

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
      name: 'the-browser-knows-the-protocol',
      comment: 'What runs in the browser is compiled apart; what it shares with the server are types.',
      severity: 'error',
      from: { path: '^src/workbench/page/client/' },
      to: { path: '^src/', pathNot: '^src/workbench/page/(client/|protocol\\.ts$)' },
    },
    {
      name: 'the-page-is-drawn-on-the-server-alone',
      comment: 'React and its blocks are for the workbench.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/workbench/page/render/' },
      to: { path: 'node_modules/(react|react-dom|slack-blocks-to-jsx)/' },
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
      name: 'effects-stand-alone',
      comment: 'Of the storage they know the port.',
      severity: 'error',
      from: { path: '^src/effects/' },
      to: {
        path: '^src/',
        pathNot: ['^src/effects/', '^src/storage/store\\.ts$', GROUND, '^src/clock-watch\\.ts$'],
      },
    },
    {
      name: 'base-stands-alone',
      severity: 'error',
      from: { path: '^src/base/' },
      to: { path: '^src/', pathNot: [GROUND] },
    },
    {
      name: 'engine-behind-its-port',
      comment: 'Domain code knows the port (store.ts), not the engine.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(storage/|app-contract\\.ts$|workspace-records\\.ts$|doctor/|backup/|ledger/|moving/|' +
          'workbench/sandbox-ports\\.ts$)',
      },
      to: { path: ENGINE },
    },
    {
      name: 'records-in-memory-know-no-log',
      comment: 'Files or a database: the records in memory know the port (commit-log.ts) alone.',
      severity: 'error',
      from: { path: '^src/storage/memory/' },
      to: {
        path: '^src/storage/',
        pathNot: ['^src/storage/memory/', '^src/storage/(commit-log|packed-json|store)\\.ts$'],
      },
    },
    {
      name: 'logs-know-no-records-in-memory',
      comment: 'Only the files that put both halves together know both.',
      severity: 'error',
      from: { path: '^src/storage/', pathNot: '^src/storage/(memory/|open-(journal|postgres)-store\\.ts$)' },
      to: { path: '^src/storage/memory/' },
    },
    {
      name: 'features-know-no-slack',
      severity: 'error',
      from: { path: FEATURES },
      to: {
        path: [
          '^src/(slack|cluster|workbench|doctor|metrics|backup|moving)/',
          '^src/(app|main|config)\\.ts$',
          'node_modules/@slack',
        ],
      },
    },
    {
      name: 'kit-knows-no-room',
      comment: 'The kit draws and parses; of the core it knows the types of routes.ts.',
      severity: 'error',
      from: { path: '^src/slack/kit/' },
      to: { path: '^src/slack/', pathNot: '^src/slack/kit/|^src/slack/core/routes\\.ts$' },
    },
    {
      name: 'core-knows-no-room',
      comment: 'The core serves every room; of delivery it knows the health.',
      severity: 'error',
      from: { path: '^src/slack/core/' },
      to: { path: '^src/slack/', pathNot: '^src/slack/(core|kit)/|^src/slack/delivery/health\\.ts$' },
    },
    {
      name: 'slack-knows-no-replicas',
      comment: 'Where a workspace is served comes through the ports teams.ts and core/slack-request.ts.',
      severity: 'error',
      from: { path: '^src/slack/' },
      to: { path: '^src/cluster/' },
    },
    {
      name: 'delivery-knows-no-room',
      severity: 'error',
      from: { path: '^src/slack/delivery/' },
      to: { path: '^src/slack/', pathNot: '^src/slack/(core|kit|delivery)/' },
    },
    {
      name: 'a-room-knows-the-faces-of-others',
      comment: "A room's face is the file of its own name: cards/cards.ts.",
      severity: 'error',
      from: { path: '^src/slack/([a-z]+)/', pathNot: '^src/slack/(core|kit|delivery)/' },
      to: {
        path: '^src/slack/[a-z-]+/',
        pathNot: [
          '^src/slack/$1/',
          '^src/slack/(core|kit)/',
          '^src/slack/delivery/health\\.ts$',
          ...ROOMS.map((room) => `^src/slack/${room}/${room}\\.ts$`),
        ],
      },
    },
    ...Object.entries(FEATURES_KNOW).map(([feature, known]) => ({
      name: `${feature}-knows-its-own`,
      comment: 'The table of docs/architecture.md.',
      severity: 'error',
      from: { path: `^src/${feature}/` },
      to: { path: FEATURES, pathNot: [feature, ...known].map((folder) => `^src/${folder}/`) },
    })),
    {
      name: 'pure-files-do-nothing',
      comment: 'What is pure imports no I/O, no storage, no network.',
      severity: 'error',
      from: { path: PURE },
      to: {
        path: [
          ENGINE,
          '^src/marketplace/(http|transport|http-client)\\.ts$',
          'node_modules/(undici|lowdb|@slack/(bolt|web-api))',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-use-no-builtins',
      severity: 'error',
      from: { path: PURE },
      // A digest is a plain function; what is random in there is banned by the linter.
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
  ],
};
