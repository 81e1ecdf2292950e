/** Runs `killed-app.ts` as a process, again and again on the same folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Instant } from '../../src/clock.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { compileTree } from '../compile-tree.ts';
import { runKilledApp } from './killed-app.ts';

export interface CompiledApp {
  /** A folder that goes away with it. */
  readonly place: string;
  start(env: Readonly<Record<string, string>>): AppProcess;
  remove(): Promise<void>;
}

/** What a process beside simulated services has to know of them, and of the fast clock that it shares with them. */
export function environmentBeside(
  { slack, marketplace }: { readonly slack: SimulatedSlack; readonly marketplace: SimulatedMarketplace },
  clock: { readonly speed: number; readonly began: Instant },
  folder: string,
) {
  return {
    CLOCK_SPEED: String(clock.speed),
    CLOCK_AT: String(clock.began),
    CLOCK_SHOWED: String(clock.began),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
    DATA_DIR: folder,
    PORT: '0',
  };
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface AppProcess {
  readonly child: ChildProcess;
  /** What it has logged so far. */
  readonly log: readonly LogLine[];
  /** What it wrote that is no line of the log; a crash of Node's own shows here. */
  readonly noise: readonly string[];
  readonly isRunning: boolean;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Resolves when such a line is in the log. @throws Error when the process ends without one. */
  logged(isIt: (line: LogLine) => boolean): Promise<LogLine>;
}

const WARNING = 40;
const ERROR = 50;

/** It has begun: this line alone tells how it receives. */
export function isRunning(line: LogLine): boolean {
  return 'mode' in line && 'version' in line;
}

/** Slack can't be reached yet, and is tried again. */
export function isWaitingForSlack({ level, failures }: LogLine): boolean {
  return level === WARNING && typeof failures === 'number';
}

/** The request gate's record was not written in time: the error stems from its own clock, not from the disk. */
function isSlowDisk({ error }: LogLine): boolean {
  return (JSON.stringify(error) ?? '').includes('gate-recorder');
}

/** The errors among lines of the log, but for the one that only a fast clock brings. */
export function errorsIn(log: readonly LogLine[]): readonly LogLine[] {
  // Two seconds of such a clock are a tenth of one: a disk may well take longer on a busy machine.
  return log.filter((line) => line.level >= ERROR && !isSlowDisk(line));
}

export async function compileApp(): Promise<CompiledApp> {
  const tree = await compileTree('test/features/killed-app.ts');
  const main = join(tree.place, 'main.js');
  await writeFile(
    main,
    `import { ${runKilledApp.name} } from './test/features/killed-app.js';
    await ${runKilledApp.name}(process.env);`,
  );
  return { place: tree.place, start: (env) => startApp(main, env), remove: () => tree.remove() };
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

function startApp(main: string, env: Readonly<Record<string, string>>): AppProcess {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: LogLine[] = [];
  const noise: string[] = [];
  const listeners = new Set<() => void>();
  const tellAll = () => {
    for (const listen of listeners) listen();
  };
  const take = (line: string) => {
    const parsed = parseLine(line);
    if (parsed) log.push(parsed);
    else noise.push(line);
    tellAll();
  };
  if (!child.stdout || !child.stderr) throw new Error('the app has no output');
  createInterface({ input: child.stdout }).on('line', take);
  createInterface({ input: child.stderr }).on('line', take);
  let isRunning = true;
  const ended = once(child, 'close').then(([code, signal]) => {
    isRunning = false;
    tellAll();
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return {
    child,
    log,
    noise,
    get isRunning() {
      return isRunning;
    },
    ended,
    logged: (isIt) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = log.find(isIt);
          if (!found && isRunning) return;
          listeners.delete(look);
          if (found) resolve(found);
          else reject(new Error(`it ended without ${isIt.name}: ${noise.join(' / ')}`));
        };
        listeners.add(look);
        look();
      }),
  };
}
