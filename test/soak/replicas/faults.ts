/** What befalls the replicas of a soak, in an order that the seed decides. */
import { machineClock, SECOND } from '../../../src/clock.ts';
import type { LocalDatabase } from '../../../src/workbench/database/start-database.ts';
import type { Refusal, RefusingDatabase } from '../../cluster/refusing-database.ts';
import type { Dice } from '../../play/dice.ts';
import type { Fleet, Slot } from './fleet.ts';

/** Of a whole play. */
export interface FaultCounts {
  readonly kills: number;
  readonly databaseRestarts: number;
  /** The database is read-only, lets nobody in, or is full, for a while. */
  readonly refusals: number;
  /** Connections to the database: cut, an answer or a statement lost, slow or silent for a while. */
  readonly cuts: number;
  /** A process is stopped for longer than the others wait for its word. */
  readonly pauses: number;
}

type Fault = 'kill' | 'database' | 'refusal' | 'cut' | 'pause';
const REFUSALS: readonly Refusal[] = ['read-only', 'no connections', 'full disk'];
const CUTS = ['cut', 'answer', 'question', 'slow', 'silence'] as const;
/** Replicas count as hanging after 5 s. */
const PAUSE_MS = { least: 5.5 * SECOND, more: 3 * SECOND };
/** Of a silence, a slow connection or a database that refuses. */
const TROUBLE_MS = { least: SECOND, more: 7 * SECOND };
const SLOW_BY_MS = 300;
const DOWN_MS = 2 * SECOND;

export function planFaults(dice: Dice, counts: FaultCounts): readonly Fault[] {
  const all: readonly Fault[] = [
    ...Array<Fault>(counts.kills).fill('kill'),
    ...Array<Fault>(counts.databaseRestarts).fill('database'),
    ...Array<Fault>(counts.refusals).fill('refusal'),
    ...Array<Fault>(counts.cuts).fill('cut'),
    ...Array<Fault>(counts.pauses).fill('pause'),
  ];
  return all
    .map((fault) => ({ fault, rank: dice.share() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault);
}

export class Faults {
  databaseRestarts = 0;
  refusals = 0;
  cuts = 0;
  pauses = 0;
  readonly #fleet: Fleet;
  readonly #server: LocalDatabase;
  readonly #database: RefusingDatabase;
  readonly #dice: Dice;
  /** What takes a while: one at a time, so another replica can work. */
  #lasting: Promise<void> | undefined;

  constructor(fleet: Fleet, server: LocalDatabase, database: RefusingDatabase, dice: Dice) {
    this.#fleet = fleet;
    this.#server = server;
    this.#database = database;
    this.#dice = dice;
  }

  async play(fault: Fault): Promise<void> {
    const slot = this.#dice.pick(this.#fleet.slots);
    const share = this.#dice.share();
    if (fault === 'kill') return this.#kill(slot);
    if (fault === 'database') return this.#restartDatabase(share < 0.5 ? 'crash' : 'restart');
    if (fault === 'refusal') return this.#refuse(share);
    if (fault === 'pause') return this.#pause(share);
    return this.#cut(slot, share);
  }

  /** Until what takes a while is over, and nothing is cut anymore. */
  async end(): Promise<void> {
    await this.#lasting;
    for (const { proxy } of this.#fleet.slots) proxy.restore();
  }

  async #kill(slot: Slot): Promise<void> {
    this.#dice.note(`kills ${slot.name}, which owns ${this.#fleet.countOwned(slot)}`);
    await this.#fleet.restart(slot);
  }

  async #restartDatabase(how: 'crash' | 'restart'): Promise<void> {
    // The server must run to end what it refuses.
    await this.#lasting;
    const downMs = this.#dice.share() * DOWN_MS;
    this.#dice.note(`the database: ${how}, down for ${downMs.toFixed(0)} ms`);
    await this.#server.stop(how);
    await machineClock.sleep(downMs);
    await this.#server.start();
    this.databaseRestarts += 1;
  }

  async #refuse(share: number): Promise<void> {
    // In turns, so that a short play has each of them.
    const what = REFUSALS[this.refusals++ % REFUSALS.length] ?? 'read-only';
    await this.#lasting;
    const ms = TROUBLE_MS.least + share * TROUBLE_MS.more;
    this.#dice.note(`the database: ${what} for ${ms.toFixed(0)} ms`);
    await this.#database.refuse(what);
    this.#last(ms, () => this.#database.accept(what));
  }

  async #pause(share: number): Promise<void> {
    await this.#lasting;
    // One that owns something: nothing else shows.
    const owners = this.#fleet.slots.filter((slot) => this.#fleet.countOwned(slot) > 0);
    const slot = this.#dice.any(owners) ?? this.#dice.pick(this.#fleet.slots);
    const ms = PAUSE_MS.least + share * PAUSE_MS.more;
    this.#dice.note(`pauses ${slot.name} for ${ms.toFixed(0)} ms`);
    this.pauses += 1;
    this.#last(ms, this.#fleet.pause(slot));
  }

  async #cut(slot: Slot, share: number): Promise<void> {
    const kind = this.#dice.pick(CUTS);
    this.#dice.note(`${kind} between ${slot.name} and the database`);
    this.cuts += 1;
    const { proxy } = slot;
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
