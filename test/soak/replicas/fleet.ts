/** The replicas of a soak as processes: starts, kills and pauses them. Their logs say who owns what. */

import { type Instant, machineClock } from '../../../src/clock.ts';
import type { CuttingProxy } from '../../../src/workbench/database/cutting-proxy.ts';
import { type AppProcess, isRunning, type LogLine } from '../../features/app-process.ts';

const WARNING = 40;
const LINES_SHOWN = 40;
/** Lines of a process that ended. */
const LAST_WORDS = 5;

/** An address that stays when its process is killed and started again. */
export interface Slot {
  readonly name: string;
  readonly port: number;
  /** Its way to the database. */
  readonly proxy: CuttingProxy;
}

interface Life {
  readonly slot: Slot;
  readonly app: AppProcess;
  /** Log lines and other output read so far. */
  linesRead: number;
  noiseRead: number;
  isKilled: boolean;
  isPaused: boolean;
  isReady: boolean;
}

interface Owned {
  /** undefined: nobody. */
  readonly life: Life | undefined;
  readonly since: Instant;
}

export interface FleetOptions {
  readonly slots: readonly Slot[];
  readonly start: (slot: Slot) => AppProcess;
  /** Must not be in any log. */
  readonly secrets: readonly string[];
}

export class Fleet {
  /** Broken promises of the processes. */
  readonly broken: string[] = [];
  /** How often each warning or error was logged. */
  readonly warnings = new Map<string, number>();
  readonly lastErrors: string[] = [];
  kills = 0;
  readonly #options: FleetOptions;
  readonly #lives = new Map<Slot, Life>();
  readonly #owners = new Map<string, Owned>();
  #next = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get slots(): readonly Slot[] {
    return this.#options.slots;
  }

  start(slot: Slot): void {
    const app = this.#options.start(slot);
    const life: Life = {
      slot,
      app,
      linesRead: 0,
      noiseRead: 0,
      isKilled: false,
      isPaused: false,
      isReady: false,
    };
    this.#lives.set(slot, life);
    void app.ended.then((how) => {
      const said = [...app.log.slice(-LAST_WORDS).map((it) => JSON.stringify(it)), ...app.noise];
      if (!life.isKilled) this.broken.push(`${slot.name} ended by itself: ${how}\n${said.join('\n')}`);
    });
  }

  /** With SIGKILL, and starts it again. Also one that is paused. */
  async restart(slot: Slot): Promise<void> {
    const life = this.#life(slot);
    this.look();
    life.isKilled = true;
    this.kills += 1;
    const owned = this.#ownedBy(life);
    life.app.child.kill('SIGKILL');
    await life.app.ended;
    this.look();
    for (const team of owned) this.#noteLoss(team, life, machineClock.now());
    this.start(slot);
  }

  /** @returns what lets it go on */
  pause(slot: Slot): () => void {
    const life = this.#life(slot);
    life.isPaused = life.app.child.kill('SIGSTOP');
    return () => {
      life.isPaused = false;
      if (!life.isKilled) life.app.child.kill('SIGCONT');
    };
  }

  /** How many workspaces it owns, as it says. */
  countOwned(slot: Slot): number {
    return this.#ownedBy(this.#life(slot)).length;
  }

  get owned(): number {
    return [...this.#owners.values()].filter(({ life }) => life).length;
  }

  /** Ready replicas in turns, as a proxy sends Slack's requests there. undefined: none is ready. */
  nextAddress(): string | undefined {
    this.look();
    const ready = [...this.#lives.values()].filter((it) => it.isReady && !it.isKilled && !it.isPaused);
    const life = ready[this.#next++ % Math.max(1, ready.length)];
    return life && `http://127.0.0.1:${life.slot.port}`;
  }

  /** All run and are ready. */
  get isWhole(): boolean {
    return [...this.#lives.values()].every((it) => it.isReady && !it.isPaused && it.app.isRunning);
  }

  /** Reads what the processes have said since. */
  look(): void {
    for (const life of this.#lives.values()) this.#read(life);
  }

  /** Ends all with SIGTERM. */
  async close(): Promise<void> {
    for (const life of this.#lives.values()) {
      life.isKilled = true;
      life.app.child.kill('SIGTERM');
    }
    for (const [slot, { app }] of this.#lives) {
      const how = await app.ended;
      if (how !== 0) this.broken.push(`${slot.name} ended with ${how} after SIGTERM`);
    }
    this.look();
  }

  /** After a failure. */
  async kill(): Promise<void> {
    for (const life of this.#lives.values()) {
      life.isKilled = true;
      life.app.child.kill('SIGKILL');
      await life.app.ended;
    }
  }

  #life(slot: Slot): Life {
    const life = this.#lives.get(slot);
    if (!life) throw new Error(`${slot.name} was never started`);
    return life;
  }

  #ownedBy(life: Life): readonly string[] {
    return [...this.#owners].flatMap(([team, owned]) => (owned.life === life ? [team] : []));
  }

  #read(life: Life): void {
    const { app, slot } = life;
    for (; life.linesRead < app.log.length; life.linesRead++) {
      const line = app.log[life.linesRead];
      if (line) this.#take(life, line);
    }
    // Only a crash of Node itself writes anything else.
    for (; life.noiseRead < app.noise.length; life.noiseRead++)
      this.broken.push(`${slot.name} said: ${app.noise[life.noiseRead]}`);
  }

  #take(life: Life, line: LogLine): void {
    const { msg, level } = line;
    const team = typeof line['team'] === 'string' ? line['team'] : '';
    if (isRunning(line)) life.isReady = true;
    const at = Date.parse(String(line['time']));
    // Another process may have said later that it lost the workspace, and been read before.
    if (msg === 'Owns a workspace' && at >= (this.#owners.get(team)?.since ?? 0))
      this.#owners.set(team, { life, since: at });
    if (msg === 'No longer owns a workspace') this.#noteLoss(team, life, at);
    const text = JSON.stringify(line);
    for (const secret of this.#options.secrets)
      if (text.includes(secret)) this.broken.push(`a token in the log of ${life.slot.name}: ${msg}`);
    if (level < WARNING) return;
    this.warnings.set(msg, (this.warnings.get(msg) ?? 0) + 1);
    this.lastErrors.push(text);
    if (this.lastErrors.length > LINES_SHOWN) this.lastErrors.shift();
  }

  #noteLoss(team: string, life: Life, at: Instant): void {
    if (this.#owners.get(team)?.life === life) this.#owners.set(team, { life: undefined, since: at });
  }
}
