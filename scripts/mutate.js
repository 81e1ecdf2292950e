/**
 * Mutation tests of the pure cores: `npm run mutate [-- <core> ...]`, `npm run mutate -- short`. Changes a
 * core's code in one place at a time, and one of the pure tests (`mutation-tests.js`) has to fail. `--file`
 * tries one file. Scope, exclusions and the last scores: docs/decisions/0011-testing.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/** The least share of its mutants that a core's tests have to catch, in percent. */
const BAR = 85;
/** Longer than a busy machine takes, to recognize a hung mutant, ms. */
const PATIENCE = 20_000;

/** @returns paths. A file that was renamed would otherwise lose its mutants unnoticed. */
function sources(folder, names) {
  const files = names.split(' ').map((name) => `src/${folder}/${name}.ts`);
  for (const file of files) if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return files;
}

/** The pure files of each core, and its tests when they aren't in the folder of its name. */
const CORES = {
  query: { files: ['src/query/*.ts', '!src/query/query.ts'] },
  credits: {
    files: sources(
      'credits',
      'balance billing-periods budgets charging create-credits credits-state reserve-credits ' +
        'settle-reservation',
    ),
  },
  bidding: {
    files: [
      'src/effects/attempt.ts',
      ...sources(
        'bidding',
        'decide-bid decide-job job-status-text setup-warnings uncertain-bids validate-bid-form',
      ),
    ],
    tests: 'bidding effects',
  },
  tracking: {
    files: sources('bidding', 'job-tracker'),
    tests: 'bidding features/bid-followed.test.ts',
  },
  gate: {
    files: sources('marketplace', 'gate/gate gate/refusals gate/request-gate gate/slots retry'),
    tests: 'marketplace',
  },
  feed: {
    files: [
      'src/base/backoff.ts',
      ...sources('sources', 'claims failure-rules'),
      ...sources(
        'feed',
        'backfill card-details channels decide-card merge-project page-continuation poll-inputs poll-plan ' +
          'quiet-hours timestamps verdict-checks',
      ),
    ],
    tests: 'feed sources',
  },
  spending: { files: sources('spending', 'decide-rules hold') },
  decisions: { files: sources('decisions', 'chain verify-ledger') },
  response: { files: sources('response', 'clocks measure stages working-time') },
  follows: { files: sources('follows', 'match-rules') },
  hints: { files: sources('hints', 'read-hint') },
  /** A quick selection, for every change. */
  short: {
    files: [
      'src/query/words.ts',
      ...sources('credits', 'balance'),
      ...sources('bidding', 'decide-bid'),
      ...sources('marketplace', 'retry'),
      ...sources('feed', 'decide-card verdict-checks'),
      ...sources('sources', 'failure-rules'),
    ],
    tests: 'query credits bidding marketplace feed sources',
  },
};

const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '2' }, file: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const asked = positionals.length > 0 ? positionals : Object.keys(CORES).filter((name) => name !== 'short');
const unknown = asked.find((name) => !Object.hasOwn(CORES, name));
if (unknown !== undefined) {
  console.error(`unknown core "${unknown}"; choose from ${Object.keys(CORES).join(', ')}`);
  process.exit(1);
}

async function tryCore(name) {
  const { files, tests = name } = CORES[name];
  process.env.MUTATION_TESTS = tests;
  const stryker = new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation-tests.js', related: true },
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutate-ignore.js'],
    ignorers: ['words'],
    mutate: values.file ?? files,
    coverageAnalysis: 'perTest',
    // Leave out what no test reads.
    ignorePatterns: ['/dist*', '/data', '/coverage'],
    concurrency: Number(values.jobs),
    timeoutMS: PATIENCE,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `reports/mutation/${name}.json` },
    logLevel: 'warn',
    allowConsoleColors: false,
    // Stryker rewrites tsconfig.json with an API that TypeScript no longer has; nothing is compiled here.
    tsconfigFile: 'none.json',
  });
  return (await stryker.runMutationTest()).filter(({ status }) => status !== 'Ignored');
}

const isNoticed = ({ status }) => status === 'Killed' || status === 'Timeout';

function row(name, mutants) {
  const noticed = mutants.filter(isNoticed).length;
  const hung = mutants.filter(({ status }) => status === 'Timeout').length;
  const score = (100 * noticed) / mutants.length;
  const hangs = hung > 0 ? `, ${hung} of them because they never end` : '';
  const counts = `${noticed} of ${mutants.length}${hangs}`;
  console.log(`${name.padEnd(40)} ${score.toFixed(1).padStart(5)} %  ${counts}`);
  return score;
}

function describe({ fileName, location: { start, end }, mutatorName, replacement, status }) {
  const line = readFileSync(fileName, 'utf8').split('\n')[start.line - 1] ?? '';
  const written = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
  const instead = (replacement ?? '').replace(/\s+/g, ' ');
  const fate = status === 'Survived' ? 'survived' : 'never ran';
  const place = `${relative('.', fileName)}:${start.line}:${start.column}`;
  return `${fate}: ${place} ${mutatorName}: ${written.slice(0, 80)} => ${instead.slice(0, 80)}`;
}

let isEnough = true;
for (const name of asked) {
  const mutants = await tryCore(name);
  for (const mutant of mutants.filter((each) => !isNoticed(each))) console.log(describe(mutant));
  const files = [...new Set(mutants.map(({ fileName }) => fileName))].sort();
  for (const file of files) {
    const of = mutants.filter(({ fileName }) => fileName === file);
    row(`  ${relative('.', file)}`, of);
  }
  if (row(name, mutants) < BAR) isEnough = false;
}
if (!isEnough) {
  console.error(`the tests of every core must catch ${BAR}% of its mutants`);
  process.exit(1);
}
