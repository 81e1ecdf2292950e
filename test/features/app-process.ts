/** Runs `killed-app.ts` as a process, repeatedly on the same folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Instant } from '../../src/clock.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { linkCompiledFiles } from '../compiled-files.ts';
import { runKilledApp } from './killed-app.ts';

export interface CompiledApp {
  /** A folder, deleted with it. */
  readonly place: string;
  start(env: Readonly<Record<string, string>>): AppProcess;
  remove(): Promise<void>;
}

/** Settings for a process beside simulated services, and the fast clock they share. */
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
  /** The log so far. */
  readonly log: readonly LogLine[];
  /** Output other than log lines; a crash of Node itself shows here. */
  readonly noise: readonly string[];
  readonly isRunning: boolean;
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Resolves once the log has such a line. @throws Error when the process ends without one. */
  logged(isIt: (line: LogLine) => boolean): Promise<LogLine>;
}

const WARNING = 40;
const ERROR = 50;

/** The start line; only it says how the app receives events. */
export function isRunning(line: LogLine): boolean {
  return 'mode' in line && 'version' in line;
}

/** Slack isn't reachable yet; the app retries. */
export function isWaitingForSlack({ level, failures }: LogLine): boolean {
  return level === WARNING && typeof failures === 'number';
}

/** The request gate's record took too long: the fast clock caused this error, not the disk. */
function isSlowDisk({ error }: LogLine): boolean {
  return (JSON.stringify(error) ?? '').includes('gate/recorder');
}

/** The errors in log lines, without the one that only a fast clock causes. */
export function errorsIn(log: readonly LogLine[]): readonly LogLine[] {
  // Two seconds of the fast clock are a tenth of a real second: on a busy machine a disk can take longer.
  return log.filter((line) => line.level >= ERROR && !isSlowDisk(line));
}

export async function compileApp(): Promise<CompiledApp> {
  const tree = await linkCompiledFiles();
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
