/** Tries hostile input for a given time: `npm run fuzz -- --seconds 600 --seed 3 [files]`. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? randomInt(1_000_000));
if (!(seconds > 0) || !Number.isInteger(seed) || seed < 0) {
  console.error('--seconds takes the seconds per promise, --seed a whole number from 0');
  process.exit(1);
}
console.log(`seed ${seed}, ${seconds} s per promise; to repeat this run: npm run fuzz -- --seed ${seed}`);
const files =
  positionals.length > 0
    ? positionals.map((name) => `test/fuzz/${name}`)
    : ['test/fuzz/', 'test/features/books', 'test/features/bid-books'];
const vitest = await startVitest('test', files, { watch: false, provide: { fuzz: { seed, seconds } } });
await vitest.close();
