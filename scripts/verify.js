/**
 * Everything that takes long, before a release: `npm run verify`. The benchmark, three seeds of the soak with
 * 200 kills, mutation tests of every core, and a minute of fuzzing for each promise. Runs all of them, even
 * if one fails, and writes the results to docs/verification.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const STEPS = [
  { name: 'benchmark', script: 'bench', args: [] },
  {
    name: 'soak: three seeds of ten days, 200 kills',
    script: 'soak',
    args: ['--seeds', '3', '--kills', '200'],
  },
  { name: 'mutation tests', script: 'mutate', args: [] },
  { name: 'fuzzing, 60 s for each promise', script: 'fuzz', args: ['--seconds', '60', '--seed', '1'] },
];
const PAGE = 'docs/verification.md';

function minutesSince(start) {
  return `${((Date.now() - start) / 60_000).toFixed(0)} min`;
}

const rows = STEPS.map(({ name, script, args }) => {
  console.log(`\n=== ${name}`);
  const start = Date.now();
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], { stdio: 'inherit' });
  return { name, isPassed: status === 0, took: minutesSince(start) };
});

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
const today = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} cores, Node.js ${process.versions.node}`;
writeFileSync(
  PAGE,
  [
    '# Last verification',
    '',
    'Written by `npm run verify`, which takes long and runs before a release.',
    '',
    `Version ${version} at ${commit || 'an unknown commit'}, ${today}, ${machine}.`,
    '',
    '| what | result | took |',
    '|---|---|---|',
    ...rows.map(({ name, isPassed, took }) => `| ${name} | ${isPassed ? 'passed' : 'failed'} | ${took} |`),
    '',
  ].join('\n'),
);
process.exitCode = rows.every(({ isPassed }) => isPassed) ? 0 : 1;
