/**
 * `npm run soak -- --seed 7 --days 10`: simulated days in which everything fails that can fail. Prints a line
 * for each day, and at the end the comparison with the servers' own books. `--seeds 5` continues with the
 * next seeds; `--kills 200` also kills a real process.
 * Exit code 1, the seed and the broken promise when something does not hold.
 */
import { parseArgs } from 'node:util';
import { keepProcessAlive, MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { judge } from '../../test/play/judge.ts';
import { Play } from '../../test/play/play.ts';
import { playKills } from '../../test/processes/play-kills.ts';
import { heapAfterCollection, type Memory, measureMemory } from './memory.ts';

/** How much more memory a process may hold after days than one just started on the same folder. */
const GATHERED_AT_MOST_MB = 12;
const STEPS_SHOWN = 60;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '10' },
    kills: { type: 'string', default: '200' },
    moments: { type: 'string', default: '100' },
  },
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function table(rows: readonly (readonly [string, string | number])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) print(`  ${name.padEnd(width)}  ${value}`);
}

function printDay(soak: Play, day: number, tookMs: number): void {
  const { service, jobs } = soak.desk.market;
  print(
    `  day ${String(day).padStart(2)}: ${(tookMs / SECOND).toFixed(0)} s · ${soak.published.length} ` +
      `projects · ${jobs.length} jobs · ${service.consumedCredits().total} credits · ` +
      `${service.requests().length} requests · ${soak.kills} kills · ` +
      `heap ${heapAfterCollection().toFixed(0)} MB`,
  );
}

function tell(soak: Play, memory: readonly Memory[]): void {
  const { desk, options, sent, invitations, proposals, templates } = soak;
  const { service, jobs } = desk.market;
  const busiest = service.maxRequestsInAnyMinute();
  table([
    ['projects published', soak.published.length],
    ['credits charged, all on budgets', service.consumedCredits().total],
    ['busiest 60 s', `${busiest} of ${options.requestsPerMinute} requests`],
    ['bid forms sent, jobs created', `${sent.size}, ${jobs.length}`],
    ['templates requested, created', `${templates.size}, ${service.templates().length}`],
    ['invitations, proposals', `${invitations.length}, ${proposals.length}`],
    ['times that all budgets were seen', soak.looks],
    ['kills', soak.kills],
    ...memory.map(
      ({ day, heapMb, gatheredMb }) =>
        [
          `heap after day ${day}`,
          `${heapMb.toFixed(1)} MB, of which a restart frees ${gatheredMb.toFixed(1)} MB`,
        ] as const,
    ),
  ]);
}

async function playDays(soak: Play, days: number): Promise<void> {
  const memory: Memory[] = [];
  const steadyFrom = Math.ceil(days / 2) + 1;
  for (let day = 1; day <= days; day++) {
    // Leaks show only in a process that runs for long.
    if (days > 3 && day === steadyFrom) soak.isLasting = true;
    const began = machineClock.now();
    await soak.day();
    printDay(soak, day, machineClock.now() - began);
    if (days > 3 && (day === 2 || day === days)) {
      soak.isLasting = false;
      memory.push(await measureMemory(soak.desk.app, day));
    }
  }
  await soak.calm();
  tell(soak, memory);
  await judge(soak);
  const fat = memory.find(({ gatheredMb }) => gatheredMb > GATHERED_AT_MOST_MB);
  if (fat)
    throw new Error(
      `memory leak: after day ${fat.day}, a restart would free ${fat.gatheredMb.toFixed(1)} MB`,
    );
}

async function playSeed(seed: number): Promise<boolean> {
  print(`seed ${seed}, ${values.days} days`);
  const began = machineClock.now();
  const soak = await Play.begin({
    seed,
    about: 'soak',
    // Both documented limits.
    requestsPerMinute: seed % 3 === 0 ? 30 : 5,
    moments: Number(values.moments),
  });
  try {
    try {
      await playDays(soak, Number(values.days));
    } finally {
      // This step searches the log again, and may fail as well.
      await soak.desk.stop();
    }
    print(`seed ${seed}: passed in ${((machineClock.now() - began) / MINUTE).toFixed(1)} min`);
    return true;
  } catch (thrown) {
    print(soak.dice.steps.slice(-STEPS_SHOWN).join('\n'));
    print(
      `seed ${seed}: FAILED: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
    );
    return false;
  }
}

async function playSeeds(): Promise<boolean> {
  const [first, count, kills] = [Number(values.seed), Number(values.seeds), Number(values.kills)];
  const broken: number[] = [];
  for (let seed = first; seed < first + count; seed++) if (!(await playSeed(seed))) broken.push(seed);
  print(
    `${count - broken.length} of ${count} seeds ` +
      `passed${broken.length > 0 ? `; failed: ${broken.join(', ')}` : ''}`,
  );
  if (kills > 0) {
    print(`separate process, killed ${kills} times (seed ${first})`);
    const told = await playKills({
      kills,
      seed: first,
      onKill: (killed) => {
        if (killed % 50 === 0) print(`  killed ${killed} times`);
      },
    });
    table([
      ['kills', kills],
      ['projects posted once', told.projects],
      ['credits in the ledger, as charged', told.credits],
    ]);
  }
  return broken.length === 0;
}

keepProcessAlive();
try {
  process.exit((await playSeeds()) ? 0 : 1);
} catch (thrown) {
  print(`FAILED: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  process.exit(1);
}
