/**
 * `npm run soak -- replicas --seed 1 --seeds 3`: three replicas, twenty workspaces and a PostgreSQL that all
 * fail in every way, while projects arrive and people work. Prints a line for each tenth of the faults, and a
 * table with what the servers' own books say. Exit code 1, the seed and the broken promise when something
 * does not hold.
 */
import { parseArgs } from 'node:util';
import { keepProcessAlive, MINUTE, machineClock } from '../../src/clock.ts';
import { ReplicaSoak } from '../../test/soak/replicas/replica-soak.ts';
import { describeProgress, describeResult } from './describe-replicas.ts';

const STEPS_SHOWN = 60;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '3' },
    workspaces: { type: 'string', default: '20' },
    kills: { type: 'string', default: '200' },
    databaseRestarts: { type: 'string', default: '20' },
    refusals: { type: 'string', default: '15' },
    cuts: { type: 'string', default: '40' },
    pauses: { type: 'string', default: '10' },
    faultEveryMs: { type: 'string', default: '1400' },
    eventEveryMs: { type: 'string', default: '3000' },
  },
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function playSeed(seed: number): Promise<boolean> {
  const options = {
    seed,
    replicas: Number(values.replicas),
    workspaces: Number(values.workspaces),
    faults: {
      kill: Number(values.kills),
      database: Number(values.databaseRestarts),
      refusal: Number(values.refusals),
      cut: Number(values.cuts),
      pause: Number(values.pauses),
    },
    faultEveryMs: Number(values.faultEveryMs),
    eventEveryMs: Number(values.eventEveryMs),
  };
  print(`seed ${seed}: ${options.replicas} replicas, ${options.workspaces} workspaces`);
  const began = machineClock.monotonicNow();
  let soak: ReplicaSoak | undefined;
  try {
    soak = await ReplicaSoak.begin({
      ...options,
      onTenth: (tenth, it) => print(`  ${tenth} of 10: ${describeProgress(it)}`),
    });
    await soak.play();
    await soak.calm();
    for (const line of describeResult(soak)) print(`  ${line}`);
    await soak.expectPromisesKept();
    const minutes = (machineClock.monotonicNow() - began) / MINUTE;
    print(`seed ${seed}: passed in ${minutes.toFixed(1)} min`);
    return true;
  } catch (thrown) {
    for (const step of soak?.steps.steps.slice(-STEPS_SHOWN) ?? []) print(step);
    for (const line of soak?.troubles.slice(-5) ?? []) print(JSON.stringify(line).slice(0, 500));
    print(
      `seed ${seed}: FAILED: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
    );
    return false;
  } finally {
    await soak?.close();
  }
}

keepProcessAlive();
const [first, count] = [Number(values.seed), Number(values.seeds)];
const broken: number[] = [];
for (let seed = first; seed < first + count; seed++) if (!(await playSeed(seed))) broken.push(seed);
const failed = broken.length > 0 ? `; failed: ${broken.join(', ')}` : '';
print(`${count - broken.length} of ${count} seeds passed${failed}`);
process.exit(broken.length === 0 ? 0 : 1);
