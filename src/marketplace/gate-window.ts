/** The places of the sliding window: who occupies one, until when, and when the next comes free. Times are elapsed ms. */
import { MINUTE } from '../clock.ts';
import type { PermitResult } from './gate.ts';

/** Source: docs/marketplace-api.md, Limits: requests per minute. */
export const RATE_WINDOW_MS = MINUTE;

/** Assumed: what two clocks may differ over a minute, and what timers and whole milliseconds leave open. */
export const RATE_WINDOW_MARGIN_MS = 50;

/** A request that has not ended by then never will: its timeouts are far shorter. */
export const MAX_IN_FLIGHT_MS = 2 * MINUTE;

export interface WindowSlot {
  readonly grantedAt: number;
  readonly background: boolean;
  readonly endedAt?: number;
  /** As it ended; `rate-limited` and `failed` keep their places, since the server may have counted them, but prove no room. */
  readonly end?: PermitResult['kind'];
}

/**
 * A request holds its place from the moment it may be sent until 60 s after it ended. The server counts it somewhere in
 * between, so that whatever the network's delay, no more than the places fall into any 60 s of the server's either.
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

  /** Also for a place given up as lost before: its request was under way until now after all. */
  endRequest(id: symbol, place: WindowSlot, endedAt: number, end: PermitResult['kind']): void {
    this.#places.set(id, { ...place, endedAt, end });
  }

  /** Forgets what no longer counts. */
  dropExpiredSlots(now: number): void {
    for (const [id, place] of this.#places) if (leavesAt(place) <= now) this.#places.delete(id);
  }

  get used(): number {
    return this.#places.size;
  }

  get usedByBackground(): number {
    return this.#count((place) => place.background);
  }

  /** Of the requests let out in the 60 s up to `at`, how many the server has let through, or not answered yet. */
  countAcceptedBefore(at: number): number {
    return this.#count(
      ({ grantedAt, end = 'done' }) => end === 'done' && grantedAt > at - RATE_WINDOW_MS && grantedAt <= at,
    );
  }

  isInFlight(id: symbol): boolean {
    const place = this.#places.get(id);
    return place !== undefined && place.endedAt === undefined;
  }

  /** Whether a request that was let out after `since` has not ended yet. */
  isAnyInFlightSince(since: number): boolean {
    return this.#count((place) => place.endedAt === undefined && place.grantedAt > since) > 0;
  }

  /** When each known request is over, or will be at the latest. */
  listEndTimes(): number[] {
    return [...this.#places.values()].map(overBy);
  }

  /** When `count` places will have come free at the latest; undefined when there are not so many. */
  slotsFreeAt(count: number): number | undefined {
    const leaving = [...this.#places.values()].map(leavesAt).sort((a, b) => a - b);
    return leaving[count - 1];
  }

  /** When the oldest request that the server let through leaves its window. */
  oldestAcceptedLeavesAt(): number | undefined {
    const leaving = [...this.#places.values()].filter(
      (place) => place.end !== 'rate-limited' && place.endedAt !== undefined,
    );
    return leaving.length === 0 ? undefined : Math.min(...leaving.map(leavesAt));
  }

  /** Whether a place could come free at any moment, by its holder not using it. */
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
 * How many places background lanes may fill: a fifth of the window, and at least one place, is left to people and
 * bids. A limit of one leaves no choice: background work may use the only place, else it would never run.
 */
export function backgroundSlotLimit(limit: number): number {
  return Math.max(1, limit - Math.max(1, Math.ceil(limit / 5)));
}
