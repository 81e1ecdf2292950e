/** The app as a process: its log, what it owns, and its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { linkCompiledFiles } from '../compiled-files.ts';
import { runAppBesideTest } from './app-main.ts';
import { until } from './until.ts';

export type Environment = Readonly<Record<string, string>>;

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export const WARNING = 40;
const ERROR = 50;
/** Lines of a process that ended. */
const LAST_WORDS = 5;

/** The start line; only it says how the app receives events. */
export function isRunning(line: LogLine): boolean {
  return 'mode' in line && 'version' in line;
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

export class AppProcess {
  readonly log: LogLine[] = [];
  /** Output other than log lines; a crash of Node itself shows here. */
  readonly noise: string[] = [];
  /** Workspaces, as it says. */
  readonly owned = new Set<unknown>();
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  isRunning = true;
  /** It runs, and isn't paused. */
  isReady = false;
  /** A signal was sent that ends it. */
  isEnding = false;
  readonly #child: ChildProcess;

  constructor(main: string, env: Environment) {
    this.#child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) throw new Error('the app has no output');
    for (const input of [stdout, stderr]) createInterface({ input }).on('line', (line) => this.#take(line));
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.isRunning = false;
      this.isReady = false;
      this.owned.clear();
      return code ?? signal;
    });
  }

  /** @throws Error when it ends without such a line */
  logged(isIt: (line: LogLine) => boolean): Promise<LogLine> {
    return until(
      'a line in the log',
      () => {
        const found = this.log.find(isIt);
        if (!found && !this.isRunning) throw new Error(`it ended: ${this.lastWords}`);
        return found;
      },
      { state: () => this.lastWords },
    );
  }

  send(signal: NodeJS.Signals): void {
    this.isEnding ||= signal !== 'SIGSTOP' && signal !== 'SIGCONT';
    if (signal === 'SIGSTOP') this.isReady = false;
    if (signal === 'SIGCONT') this.isReady = this.isRunning && this.log.some(isRunning);
    this.#child.kill(signal);
  }

  /** @returns how it ends after a signal */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.send(signal);
    return this.ended;
  }

  get lastWords(): string {
    const lines = this.log.slice(-LAST_WORDS).map((it) => JSON.stringify(it));
    return [...lines, ...this.noise].join('\n');
  }

  #take(text: string): void {
    const line = parseLine(text);
    if (!line) {
      this.noise.push(text);
      return;
    }
    this.log.push(line);
    if (isRunning(line)) this.isReady = true;
    if (line.msg === 'Owns a workspace') this.owned.add(line['team']);
    if (line.msg === 'No longer owns a workspace') this.owned.delete(line['team']);
  }
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

export interface CompiledApp {
  /** A folder, deleted with it. */
  readonly place: string;
  start(env: Environment): AppProcess;
  remove(): Promise<void>;
}

export async function compileApp(): Promise<CompiledApp> {
  const tree = await linkCompiledFiles();
  const main = join(tree.place, 'main.js');
  await writeFile(
    main,
    `import { ${runAppBesideTest.name} } from './test/processes/app-main.js';
    await ${runAppBesideTest.name}(process.env);`,
  );
  return { ...tree, start: (env) => new AppProcess(main, env) };
}
