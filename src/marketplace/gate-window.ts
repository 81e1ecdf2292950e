/**
 * The slots of the sliding window: who uses them, until when, and when the next one is free. Times are
 * elapsed ms.
 */
import { MINUTE } from '../clock.ts';
import type { PermittedRequestResult } from './gate.ts';

/** Source: docs/marketplace-api.md, Limits: requests per minute. */
export const RATE_WINDOW_MS = MINUTE;

/**
 * Assumed: covers the drift of two clocks over a minute, timer inaccuracy and rounding to whole milliseconds.
 */
export const RATE_WINDOW_MARGIN_MS = 50;

/** A request that is still open after this time never ends: its timeouts are far shorter. */
export const MAX_IN_FLIGHT_MS = 2 * MINUTE;

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
 * How many slots background lanes may fill. A fifth of the window, and at least one slot, stays free for
 * people and bids. With a limit of one, background work may use the only slot: otherwise it would never run.
 */
export function backgroundSlotLimit(limit: number): number {
  return Math.max(1, limit - Math.max(1, Math.ceil(limit / 5)));
}
