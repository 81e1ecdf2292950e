/** The gate's waiting requests, and which one is next. Times are elapsed ms. */
import { LANES, type Lane } from './gate.ts';

/** Lanes that leave room for people and bids. */
export const BACKGROUND_LANES: ReadonlySet<Lane> = new Set(['feed', 'tracking', 'sync', 'unfurl']);

/**
 * Feeds never run out of work, so strict precedence would starve the lanes behind them. Every fourth
 * background slot is theirs while they wait: page-by-page copies move on, and the feed keeps most of its
 * pace.
 */
const TURNS_BETWEEN_OTHERS = 3;

export interface QueuedRequest {
  readonly lane: Lane;
  readonly since: number;
}

/**
 * Lanes in their order, first come first served within a lane. One exception: every fourth background slot
 * goes to `tracking` or `sync`, whichever has waited longer, or else to `unfurl`, ahead of the feed.
 */
export class GateQueue<T extends QueuedRequest> {
  readonly #lanes = new Map<Lane, Set<T>>(LANES.map((lane) => [lane, new Set<T>()]));
  #turnsSinceOthers = 0;

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

  /** Whether a bid or a person waits; background work leaves room for them. */
  get hasUrgent(): boolean {
    return (this.#first('bid') ?? this.#first('person')) !== undefined;
  }

  /** In order of precedence. */
  entries(): T[] {
    return [...this.#lanes.values()].flatMap((lane) => [...lane]);
  }

  /** Removes and returns the next entry; undefined when no eligible entry is waiting. */
  takeNext(withBackground: boolean): T | undefined {
    const urgent = this.#first('bid') ?? this.#first('person');
    const entry = urgent ?? (withBackground ? this.#nextInBackground() : undefined);
    if (entry) this.remove(entry);
    return entry;
  }

  #nextInBackground(): T | undefined {
    const other = this.#longestOther() ?? this.#first('unfurl');
    const isTurnOfOthers = this.#turnsSinceOthers >= TURNS_BETWEEN_OTHERS;
    const entry = (isTurnOfOthers ? other : undefined) ?? this.#first('feed') ?? this.#nextOther();
    if (!entry) return undefined;
    this.#turnsSinceOthers = entry.lane === 'feed' ? this.#turnsSinceOthers + 1 : 0;
    return entry;
  }

  #nextOther(): T | undefined {
    return this.#first('tracking') ?? this.#first('sync') ?? this.#first('unfurl');
  }

  #longestOther(): T | undefined {
    const [tracking, sync] = [this.#first('tracking'), this.#first('sync')];
    if (!tracking || !sync) return tracking ?? sync;
    return sync.since < tracking.since ? sync : tracking;
  }

  #first(lane: Lane): T | undefined {
    return this.#lanes.get(lane)?.values().next().value;
  }
}
