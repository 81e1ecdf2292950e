/** Who waits at the gate, and who is next. Times are elapsed ms. */
import { MINUTE } from '../clock.ts';
import { LANES, type Lane } from './gate.ts';

/** Lanes that leave room for people and bids. */
export const BACKGROUND: ReadonlySet<Lane> = new Set(['feed', 'tracking', 'sync']);

/** Feeds never run out of work, so that strict precedence would let the lanes behind them wait for ever. */
const OVERDUE_AFTER_MS = 2 * MINUTE;

/** Of the background places, at most every fourth goes to an overdue entry. */
const TURNS_BETWEEN_OVERDUE = 3;

export interface Waiting {
  readonly lane: Lane;
  readonly since: number;
}

/**
 * Lanes in their order, first come first served within a lane. One exception: an entry of `tracking` or `sync` that
 * has waited two minutes takes the next background place ahead of the feed, at most every fourth one.
 */
export class GateQueue<T extends Waiting> {
  readonly #lanes = new Map<Lane, Set<T>>(LANES.map((lane) => [lane, new Set<T>()]));
  #turnsSinceOverdue = TURNS_BETWEEN_OVERDUE;

  add(entry: T): void {
    this.#lanes.get(entry.lane)?.add(entry);
  }

  remove(entry: T): void {
    this.#lanes.get(entry.lane)?.delete(entry);
  }

  get size(): number {
    let size = 0;
    for (const lane of this.#lanes.values()) size += lane.size;
    return size;
  }

  /** Somebody waits for whom background work leaves room. */
  get hasUrgent(): boolean {
    return (this.#first('person') ?? this.#first('bid')) !== undefined;
  }

  /** In the order of precedence. */
  entries(): T[] {
    return [...this.#lanes.values()].flatMap((lane) => [...lane]);
  }

  /** Takes the next entry out; undefined when none of those that may go is waiting. */
  takeNext(now: number, withBackground: boolean): T | undefined {
    const urgent = this.#first('person') ?? this.#first('bid');
    const entry = urgent ?? (withBackground ? this.#nextInBackground(now) : undefined);
    if (entry) this.remove(entry);
    return entry;
  }

  #nextInBackground(now: number): T | undefined {
    const overdue = this.#turnsSinceOverdue >= TURNS_BETWEEN_OVERDUE ? this.#overdue(now) : undefined;
    const entry = overdue ?? this.#first('feed') ?? this.#first('tracking') ?? this.#first('sync');
    if (overdue) this.#turnsSinceOverdue = 0;
    else if (entry) this.#turnsSinceOverdue++;
    return entry;
  }

  #overdue(now: number): T | undefined {
    return [this.#first('tracking'), this.#first('sync')]
      .filter((entry) => entry !== undefined && now - entry.since >= OVERDUE_AFTER_MS)
      .sort((a, b) => (a?.since ?? 0) - (b?.since ?? 0))[0];
  }

  #first(lane: Lane): T | undefined {
    return this.#lanes.get(lane)?.values().next().value;
  }
}
