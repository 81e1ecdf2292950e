/**
 * The gate's slots: who uses them and until when (the window), which waiting request is next (the queue), and
 * when background work may take one (the pacer). Times are elapsed ms. Pure.
 */
import { MINUTE, SECOND } from '../../clock.ts';
import { LANES, type Lane, type PermittedRequestResult } from './gate.ts';

/** Source: docs/marketplace-api.md, Limits: requests per minute. */
export const RATE_WINDOW_MS = MINUTE;

/** Assumed: covers the drift of two clocks over a minute, timer inaccuracy and rounding. */
export const RATE_WINDOW_MARGIN_MS = 50;

/** A request that is still open after this time never ends: its timeouts are far shorter. */
const MAX_IN_FLIGHT_MS = 2 * MINUTE;

export interface WindowSlot {
  readonly grantedAt: number;
  readonly background: boolean;
  readonly endedAt?: number;
  /**
   * How it ended. `rate-limited` and `failed` keep their slots, since the server may have counted them, but
   * they don't prove capacity.
   */
  readonly end?: PermittedRequestResult['kind'];
}

/**
 * A request uses its slot from its permit until 60 s after its end. The server counts it at some moment in
 * between, so no 60 s on the server's side exceed the slots either, whatever the network's delay.
 */
export class GateWindow {
  readonly #places = new Map<symbol, WindowSlot>();

  takeSlot(place: WindowSlot): symbol {
    const id = Symbol('place');
    this.#places.set(id, place);
    return id;
  }

  releaseSlot(id: symbol): void {
    this.#places.delete(id);
  }

  /** Also for a slot already dropped as lost: its request was in flight until now after all. */
  endRequest(id: symbol, place: WindowSlot, endedAt: number, end: PermittedRequestResult['kind']): void {
    this.#places.set(id, { ...place, endedAt, end });
  }

  dropExpiredSlots(now: number): void {
    for (const [id, place] of this.#places) if (leavesAt(place) <= now) this.#places.delete(id);
  }

  get used(): number {
    return this.#places.size;
  }

  get usedByBackground(): number {
    return this.#count((place) => place.background);
  }

  /** How many requests granted in the 60 s up to `at` the server has accepted or not answered yet. */
  countAcceptedBefore(at: number): number {
    return this.#count(
      ({ grantedAt, end = 'done' }) => end === 'done' && grantedAt > at - RATE_WINDOW_MS && grantedAt <= at,
    );
  }

  isInFlight(id: symbol): boolean {
    const place = this.#places.get(id);
    return place !== undefined && place.endedAt === undefined;
  }

  isAnyInFlightSince(since: number): boolean {
    return this.#count((place) => place.endedAt === undefined && place.grantedAt > since) > 0;
  }

  /** When each known request ended, or will end at the latest. */
  listEndTimes(): number[] {
    return [...this.#places.values()].map(overBy);
  }

  /** When `count` slots are free at the latest; undefined when there are fewer slots. */
  slotsFreeAt(count: number): number | undefined {
    const leaving = [...this.#places.values()].map(leavesAt).sort((a, b) => a - b);
    return leaving[count - 1];
  }

  /** When the oldest request that the server accepted leaves its window. */
  oldestAcceptedLeavesAt(): number | undefined {
    const leaving = [...this.#places.values()].filter(
      (place) => place.end !== 'rate-limited' && place.endedAt !== undefined,
    );
    return leaving.length === 0 ? undefined : Math.min(...leaving.map(leavesAt));
  }

  /** Whether a slot may become free at any moment because its owner cancels it. */
  get hasInFlightRequests(): boolean {
    return this.#count((place) => place.endedAt === undefined) > 0;
  }

  #count(matches: (place: WindowSlot) => boolean): number {
    let count = 0;
    for (const place of this.#places.values()) if (matches(place)) count++;
    return count;
  }
}

function overBy(place: WindowSlot): number {
  return place.endedAt ?? place.grantedAt + MAX_IN_FLIGHT_MS;
}

function leavesAt(place: WindowSlot): number {
  return overBy(place) + RATE_WINDOW_MS + RATE_WINDOW_MARGIN_MS;
}

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

/**
 * Spreads background requests evenly over the minute. Otherwise they would all leave the window together,
 * come back together, and find little new. The window and pauses may still block a request in its turn.
 * Why: docs/decisions/0006-gate.md.
 */
export class BackgroundPacer {
  #nextAt = Number.NEGATIVE_INFINITY;
  #burstEndsAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;

  canStart(now: number): boolean {
    return now < this.#burstEndsAt || now >= this.#nextAt;
  }

  /** When the next turn comes, bursts aside. In the past if it has already come. */
  get nextStartAt(): number {
    return this.#nextAt;
  }

  /** A request that has waited since `since` takes its turn at `now`, one of `places` in a minute. */
  recordStart(now: number, since: number, places: number): void {
    // After a minute without background work, requests may fill their share at once for a while.
    if (now - this.#nextAt >= RATE_WINDOW_MS) this.#burstEndsAt = now + 10 * SECOND;
    // A request that arrives at an empty queue may use missed turns. Requests that queue up never get 2 turns
    // at once.
    const turn = since === now ? Math.max(this.#nextAt, now - 20 * SECOND) : now;
    this.#nextAt = turn + RATE_WINDOW_MS / places;
  }

  /** The request that took the last turn was never sent, so the next one doesn't wait for it. */
  cancelStart(now: number): void {
    this.#nextAt = Math.min(this.#nextAt, Math.max(now, this.#heldUntil));
  }

  /** No turn comes before `at`, and no burst follows: others ran until then, or the server refused some. */
  blockUntil(at: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, at);
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#burstEndsAt = Number.NEGATIVE_INFINITY;
  }
}
