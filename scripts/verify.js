/**
 * Everything that takes long, before a release: `npm run verify`. The benchmark, three seeds of the soak with
 * 200 kills, three of the soak with replicas, the whole-app tests on PostgreSQL, mutation tests of every
 * core, and fuzzing with many inputs. Runs every step, even if one fails, and writes each result
 * to docs/verification.md as soon as it's known. `npm run verify -- benchmark fuzzing` repeats some steps;
 * the others keep their last results.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const CORES = ['query', 'credits', 'bidding', 'gate', 'feed'];
const STEPS = [
  { name: 'benchmark', what: 'every bar', script: 'bench', args: [] },
  {
    name: 'soak',
    what: 'three seeds of ten days, 200 kills',
    script: 'soak',
    args: ['--seeds', '3', '--kills', '200'],
  },
  {
    name: 'soak-replicas',
    what: 'three seeds of three replicas: 200 kills, 20 restarts of the database, 65 other troubles each',
    script: 'soak:replicas',
    args: ['--seeds', '3'],
  },
  {
    name: 'postgres',
    what: 'the whole-app tests with their records in PostgreSQL',
    script: 'test:postgres',
    args: [],
  },
  ...CORES.map((core) => ({
    name: `mutation-${core}`,
    what: `the tests notice changes of ${core}`,
    script: 'mutate',
    args: [core],
  })),
  {
    name: 'fuzzing',
    what: '1,000 inputs for each promise',
    script: 'fuzz',
    args: ['--inputs', '1000', '--seed', '1'],
  },
];
const PAGE = 'docs/verification.md';

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !STEPS.some((step) => step.name === name));
if (unknown !== undefined) {
  console.error(`unknown step "${unknown}"; choose from ${STEPS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

/** The rows of the last page by their step. */
function readRows() {
  const lines = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split('\n') : [];
  return new Map(
    STEPS.flatMap(({ name }) => {
      const row = lines.find((line) => line.startsWith(`| ${name} |`));
      return row === undefined ? [] : [[name, row]];
    }),
  );
}

function writePage(rows) {
  const page = [
    '# Last verification',
    '',
    'Written by `npm run verify`, which takes more than an hour and runs before a release. Each step names',
    'the commit that it tried.',
    '',
    `Machine: ${cpus().length} cores, Node.js ${process.versions.node}.`,
    '',
    '| step | what | result | took | commit | date |',
    '|---|---|---|---|---|---|',
    ...STEPS.map(({ name, what }) => rows.get(name) ?? `| ${name} | ${what} | not run yet | | | |`),
    '',
  ];
  writeFileSync(PAGE, page.join('\n'));
}

function run({ name, what, script, args }) {
  console.log(`\n=== ${name}: ${what}`);
  const start = Date.now();
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], { stdio: 'inherit' });
  const took = `${((Date.now() - start) / 60_000).toFixed(0)} min`;
  const result = status === 0 ? 'passed' : '**failed**';
  const commit = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const today = new Date().toISOString().slice(0, 10);
  const rows = readRows();
  rows.set(name, `| ${[name, what, result, took, commit || 'unknown', today].join(' | ')} |`);
  writePage(rows);
  return status === 0;
}

const steps = STEPS.filter(({ name }) => asked.length === 0 || asked.includes(name));
const results = steps.map(run);
process.exitCode = results.every(Boolean) ? 0 : 1;
