/** What befalls the replicas of a soak, in an order that the seed decides. */
import { machineClock, SECOND } from '../../../src/clock.ts';
import type { LocalDatabase } from '../../../src/workbench/database/start-database.ts';
import type { Dice } from '../../play/dice.ts';
import type { Fleet, Replica } from '../../processes/fleet.ts';
import { type Refusal, refuseDatabase } from '../../processes/refuse-database.ts';

/**
 * A kill of a replica. The database ends; or is read-only, lets nobody in, or is full, for a while.
 * Connections to it are cut, lose an answer or a statement, or are slow or silent for a while. A process is
 * paused for longer than the others wait for its word.
 */
type Fault = 'kill' | 'database' | 'refusal' | 'cut' | 'pause';
/** Of a whole play. */
export type FaultCounts = Readonly<Record<Fault, number>>;
const REFUSALS: readonly Refusal[] = ['read-only', 'no connections', 'full disk'];
const CUTS = ['cut', 'answer', 'question', 'slow', 'silence'] as const;
/** Replicas count as hanging after 5 s. */
const PAUSE_MS = { least: 5.5 * SECOND, more: 3 * SECOND };
/** Of a silence, a slow connection or a database that refuses. */
const TROUBLE_MS = { least: SECOND, more: 7 * SECOND };
const SLOW_BY_MS = 300;
const DOWN_MS = 2 * SECOND;

export function planFaults(dice: Dice, counts: FaultCounts): readonly Fault[] {
  return (Object.entries(counts) as [Fault, number][])
    .flatMap(([fault, count]) => Array<Fault>(count).fill(fault))
    .map((fault) => ({ fault, rank: dice.share() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault);
}

export class Faults {
  /** What was done so far; a database refuses in turns, so that a short play has each way. */
  readonly done: Record<Fault, number> = { kill: 0, database: 0, refusal: 0, cut: 0, pause: 0 };
  readonly #fleet: Fleet;
  readonly #server: LocalDatabase;
  readonly #databaseUrl: string;
  readonly #dice: Dice;
  /** What takes a while: one at a time, so another replica can work. */
  #lasting: Promise<void> | undefined;

  constructor(fleet: Fleet, server: LocalDatabase, databaseUrl: string, dice: Dice) {
    this.#fleet = fleet;
    this.#server = server;
    this.#databaseUrl = databaseUrl;
    this.#dice = dice;
  }

  async play(fault: Fault): Promise<void> {
    const replica = this.#dice.pick(this.#fleet.replicas);
    const share = this.#dice.share();
    if (fault === 'kill') await this.#kill(replica);
    else if (fault === 'cut') await this.#cut(replica, share);
    else {
      await this.#lasting;
      if (fault === 'database') await this.#restartDatabase(share);
      else if (fault === 'refusal') await this.#refuse(TROUBLE_MS.least + share * TROUBLE_MS.more);
      else this.#pause(PAUSE_MS.least + share * PAUSE_MS.more);
    }
    this.done[fault] += 1;
  }

  /** Until what takes a while is over, and nothing is cut anymore. */
  async end(): Promise<void> {
    await this.#lasting;
    for (const { proxy } of this.#fleet.replicas) proxy.restore();
  }

  async #kill(replica: Replica): Promise<void> {
    this.#dice.note(`kills ${replica.name}, which owns ${replica.app.owned.size}`);
    await this.#fleet.restart(replica);
  }

  async #restartDatabase(share: number): Promise<void> {
    const how = share < 0.5 ? 'crash' : 'restart';
    const downMs = this.#dice.share() * DOWN_MS;
    this.#dice.note(`the database: ${how}, down for ${downMs.toFixed(0)} ms`);
    await this.#server.stop(how);
    await machineClock.sleep(downMs);
    await this.#server.start();
  }

  async #refuse(ms: number): Promise<void> {
    const what = REFUSALS[this.done.refusal % REFUSALS.length] ?? 'read-only';
    this.#dice.note(`the database: ${what} for ${ms.toFixed(0)} ms`);
    this.#last(ms, await refuseDatabase(this.#server.adminUrl, this.#databaseUrl, what));
  }

  #pause(ms: number): void {
    // One that owns something: nothing else shows.
    const owners = this.#fleet.replicas.filter((it) => it.app.owned.size > 0);
    const { name, app } = this.#dice.any(owners) ?? this.#dice.pick(this.#fleet.replicas);
    this.#dice.note(`pauses ${name} for ${ms.toFixed(0)} ms`);
    app.send('SIGSTOP');
    this.#last(ms, () => app.send('SIGCONT'));
  }

  async #cut({ name, proxy }: Replica, share: number): Promise<void> {
    const kind = this.#dice.pick(CUTS);
    this.#dice.note(`${kind} between ${name} and the database`);
    if (kind === 'cut') return proxy.cut();
    if (kind === 'answer') return proxy.dropNextAnswer();
    if (kind === 'question') return proxy.dropNextQuestion();
    await this.#lasting;
    if (kind === 'silence') proxy.silence();
    else proxy.slowDown(SLOW_BY_MS);
    this.#last(TROUBLE_MS.least + share * TROUBLE_MS.more, () => proxy.restore());
  }

  #last(ms: number, end: () => void | Promise<void>): void {
    this.#lasting = machineClock.sleep(ms).then(end);
  }
}
