/** One replica of the cluster sandbox: the compiled app in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Instant } from '../../clock.ts';
import type { CuttingProxy } from '../database/cutting-proxy.ts';

export type ReplicaState = 'starting' | 'running' | 'paused' | 'ended';

/** What the page shows of its own counters, since its start. */
export interface ReplicaCounts {
  readonly takeovers: number;
  readonly forwards: number;
  readonly fencedCommits: number;
}

export interface OwnershipChange {
  readonly kind: 'owns' | 'gave up';
  readonly team: string;
  readonly at: Instant;
}

export interface ReplicaProcessOptions {
  readonly name: string;
  readonly port: number;
  readonly database: CuttingProxy;
  readonly env: Readonly<Record<string, string>>;
  readonly onOwnership: (change: OwnershipChange) => void;
  /** @param owned what it owned. @param how its exit code, or the signal that ended it */
  readonly onEnd: (owned: readonly string[], how: string) => void;
}

const SLOW_MS = 400;
const NOTHING: ReplicaCounts = { takeovers: 0, forwards: 0, fencedCommits: 0 };
const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));

const LogLine = z.object({
  msg: z.string(),
  time: z.string(),
  team: z.string().optional(),
  mode: z.string().optional(),
});

export class ReplicaProcess {
  readonly name: string;
  readonly url: string;
  readonly owned = new Set<string>();
  counts = NOTHING;
  isSlow = false;
  readonly #options: ReplicaProcessOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isReady = false;
  #isPaused = false;

  constructor(options: ReplicaProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
  }

  get state(): ReplicaState {
    if (!this.#child) return 'ended';
    if (this.#isPaused) return 'paused';
    return this.#isReady ? 'running' : 'starting';
  }

  start(): void {
    if (this.#child) return;
    const child = spawn(process.execPath, [MAIN], {
      env: this.#options.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#ended = once(child, 'close').then(([code, signal]) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#isReady = false;
      this.#isPaused = false;
      this.counts = NOTHING;
      const owned = [...this.owned];
      this.owned.clear();
      this.#options.onEnd(owned, String(signal ?? code));
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
  }

  /** With SIGKILL, as when its machine is lost. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** With SIGTERM, as a deployment does, and starts it again. */
  async restart(): Promise<void> {
    this.resume();
    this.#child?.kill('SIGTERM');
    await this.#ended;
    this.start();
  }

  pause(): void {
    if (this.#child?.kill('SIGSTOP')) this.#isPaused = true;
  }

  resume(): void {
    if (this.#child?.kill('SIGCONT')) this.#isPaused = false;
  }

  cutConnections(): void {
    this.#options.database.cut();
  }

  /** The database's answers take 0.4 s longer, or no longer. */
  toggleSlow(): void {
    this.isSlow = !this.isSlow;
    this.#options.database.slowDown(this.isSlow ? SLOW_MS : 0);
  }

  /** Reads its counters, unless it doesn't answer. */
  async refreshCounts(): Promise<void> {
    if (this.state !== 'running') return;
    try {
      const answer = await globalThis.fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_000) });
      const [takeovers, forwards, fencedCommits] = readCounts(await answer.text());
      this.counts = { takeovers, forwards, fencedCommits };
    } catch {
      // It is being killed, or paused.
    }
  }

  /** With SIGTERM, and its way to the database. */
  async close(): Promise<void> {
    this.resume();
    this.#child?.kill('SIGTERM');
    await this.#ended;
    await this.#options.database.close();
  }

  #read(line: string): void {
    const read = readLogLine(line);
    if (!read) return;
    const { msg, team, mode, time } = read;
    if (mode !== undefined) this.#isReady = true;
    if (team === undefined) return;
    const at = Date.parse(time);
    if (msg === 'Owns a workspace') {
      this.owned.add(team);
      this.#options.onOwnership({ kind: 'owns', team, at });
    } else if (msg === 'No longer owns a workspace' && this.owned.delete(team)) {
      this.#options.onOwnership({ kind: 'gave up', team, at });
    }
  }
}

function readLogLine(line: string): z.infer<typeof LogLine> | undefined {
  try {
    return LogLine.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function readCounts(text: string): [number, number, number] {
  const count = (name: string) => Number(new RegExp(`${name} (\\d+)`, 'u').exec(text)?.[1] ?? 0);
  return [count('takeovers'), count('forwards'), count('refused commits')];
}
