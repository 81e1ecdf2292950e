/** Tries more hostile input than the test suite: `npm run fuzz -- --inputs 2000 --seed 3 [files]`. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values, positionals } = parseArgs({
  options: { inputs: { type: 'string', default: '1000' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const inputs = Number(values.inputs);
const seed = Number(values.seed ?? randomInt(1_000_000));
if (!Number.isInteger(inputs) || inputs < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('--inputs takes the number of inputs per promise, --seed a whole number from 0');
  process.exit(1);
}
console.log(`to repeat this run: npm run fuzz -- --inputs ${inputs} --seed ${seed}`);
const files =
  positionals.length > 0
    ? positionals.map((name) => `test/fuzz/${name}`)
    : ['test/fuzz/', 'test/features/books', 'test/features/bid-books', 'test/features/presses'];
const project = ['app', 'unit'];
const vitest = await startVitest('test', files, {
  watch: false,
  project,
  provide: { fuzz: { seed, inputs } },
});
await vitest.close();
