/**
 * Everything that takes long, before a release: `npm run verify`. The benchmark, three seeds of the soak with
 * 200 kills, three of the soak with replicas, the whole-app tests on PostgreSQL, mutation tests of every
 * core, and fuzzing with many inputs. Runs every step, even if one fails, and prints the results.
 * `npm run verify -- benchmark fuzzing` runs some steps.
 */
import { spawnSync } from 'node:child_process';

const CORES = 'query credits bidding gate feed spending decisions response follows hints'.split(' ');
const STEPS = [
  { name: 'benchmark', what: 'every bar', command: 'npm run bench' },
  {
    name: 'soak',
    what: 'three seeds of ten days, 200 kills',
    command: 'npm run soak -- --seeds 3 --kills 200',
  },
  {
    name: 'soak-replicas',
    what: 'three seeds of three replicas: 200 kills, 20 restarts of the database, 65 other troubles each',
    command: 'npm run soak -- replicas --seeds 3',
  },
  {
    name: 'postgres',
    what: 'the whole-app tests with their records in PostgreSQL',
    command: 'npx vitest run --project postgres',
  },
  ...CORES.map((core) => ({
    name: `mutation-${core}`,
    what: `the tests notice changes of ${core}`,
    command: `npm run mutate -- ${core}`,
  })),
  {
    name: 'fuzzing',
    what: '1,000 inputs for each promise',
    command: 'npm run fuzz -- --inputs 1000 --seed 1',
  },
];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !STEPS.some((step) => step.name === name));
if (unknown !== undefined) {
  console.error(`unknown step "${unknown}"; choose from ${STEPS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

function run({ name, what, command }) {
  console.log(`\n=== ${name}: ${what}`);
  const start = Date.now();
  const [program, ...words] = command.split(' ');
  const { status } = spawnSync(program, words, { stdio: 'inherit' });
  const took = `${((Date.now() - start) / 60_000).toFixed(0)} min`;
  return { name, what, took, result: status === 0 ? 'passed' : 'FAILED' };
}

const steps = STEPS.filter(({ name }) => asked.length === 0 || asked.includes(name));
const results = steps.map(run);
console.table(results);
process.exitCode = results.every(({ result }) => result === 'passed') ? 0 : 1;
