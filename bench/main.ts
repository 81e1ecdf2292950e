/**
 * `npm run bench`: a table of Gigdesk's performance promises, each row with its bar; writes
 * `docs/benchmark.md`. `-- --quick` takes less data and fewer rounds; `-- --only storage,gate` measures some
 * of the parts. Neither writes the page.
 * Exit code 0 when all rows hold, 1 when one does not, 2 when a part failed or does not exist.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { keepProcessAlive, machineClock, SECOND } from '../src/clock.ts';
import { asError } from '../src/errors.ts';
import { describeMachine } from './machine.ts';
import { takeSecond } from './measure-again.ts';
import { holds, type PartOptions } from './part.ts';
import { type Part, parts } from './part-list.ts';
import { runPart } from './run-part.ts';
import { formatTable } from './table.ts';
import { formatPage, type Result } from './table-page.ts';

const PAGE = 'docs/benchmark.md';
/** A quick run repeats only parts at most this long, so it ends within two minutes. */
const QUICK_AGAIN_MS = 10 * SECOND;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function choose(only: string | undefined): readonly Part[] {
  if (only === undefined) return parts;
  const names = only.split(',').map((name) => name.trim());
  const known = parts.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown part: ${unknown.join(', ')}; choose from ${known.join(', ')}`);
  return parts.filter(({ name }) => names.includes(name));
}

async function measure(part: Part, options: PartOptions): Promise<Result> {
  const began = machineClock.now();
  try {
    const rows = await runPart(part.name, options);
    const missed = rows.filter((row) => !holds(row)).length;
    const isShort = machineClock.now() - began < QUICK_AGAIN_MS;
    if (missed === 0 || (options.quick && !isShort)) return { part, rows };
    options.say(
      missed === 1
        ? '1 row missed its target, measuring again'
        : `${missed} rows missed their targets, measuring again`,
    );
    return { part, rows: takeSecond(rows, await runPart(part.name, options)) };
  } catch (thrown) {
    const failed = asError(thrown).message;
    options.say(`failed: ${failed}`);
    return { part, rows: [], failed };
  }
}

function exitCode(results: readonly Result[]): number {
  if (results.some(({ failed }) => failed !== undefined)) return 2;
  return results.every(({ rows }) => rows.every(holds)) ? 0 : 1;
}

async function runBenchmark(): Promise<number> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const chosen = choose(values.only);
  const machine = describeMachine();
  const began = machineClock.now();
  const seconds = () => ((machineClock.now() - began) / SECOND).toFixed(0).padStart(4);
  print(`${machine}\n`);
  const results: Result[] = [];
  for (const part of chosen) {
    const say = (line: string) => print(`${seconds()} s  ${part.name}: ${line}`);
    say(part.about);
    const result = await measure(part, { quick: values.quick, say });
    results.push(result);
    // At once: a run that is stopped has measured something.
    print(`\n${formatTable(result.rows)}\n`);
  }
  for (const { part, failed } of results) if (failed !== undefined) print(`${part.name} FAILED: ${failed}`);
  if (!values.quick && values.only === undefined) {
    const day = new Date(began).toISOString().slice(0, 10);
    await writeFile(PAGE, formatPage(results, { day, machine }));
    print(`written to ${PAGE}`);
  }
  return exitCode(results);
}

keepProcessAlive();
process.exit(
  await runBenchmark().catch((thrown: unknown) => {
    process.stderr.write(`${asError(thrown).message}\n`);
    return 2;
  }),
);
