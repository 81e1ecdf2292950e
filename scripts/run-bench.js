/** Compiles everything into `dist-bench` and runs a program there: `npm run bench`, `npm run soak`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';

const PLACE = 'dist-bench';
/** By script and, for the second of each, its first word: `npm run soak -- replicas`. */
const PROGRAMS = {
  bench: 'bench/main.js',
  'bench code': 'bench/code/main.js',
  soak: 'bench/soak/main.js',
  'soak replicas': 'bench/soak/replicas-main.js',
};

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const [script, ...words] = process.argv.slice(2);
const second = PROGRAMS[`${script} ${words[0]}`];
const program = second ?? PROGRAMS[script];
run('node_modules/typescript/bin/tsc', '--noEmit', 'false', '--outDir', PLACE);
copyFileSync('package.json', `${PLACE}/package.json`);
run('--expose-gc', `${PLACE}/${program}`, ...(second ? words.slice(1) : words));
