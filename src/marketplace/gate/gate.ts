/** The contract of the request gate. All requests of the team pass it, so no 60 s exceed the limit. */
import { z } from 'zod';
import type { Instant } from '../../clock.ts';

/** In order of precedence. The last four are background and leave room for the first two. */
export const LANES = ['bid', 'person', 'feed', 'tracking', 'sync', 'unfurl'] as const;
export type Lane = (typeof LANES)[number];

/** Lanes that leave room for people and bids. */
export const BACKGROUND_LANES: ReadonlySet<Lane> = new Set(['feed', 'tracking', 'sync', 'unfurl']);

/**
 * How many slots background lanes may fill. A fifth of the window, and at least one slot, stays free for
 * people and bids. With a limit of one, background work may use the only slot: otherwise it would never run.
 */
export function backgroundSlotLimit(limit: number): number {
  return Math.max(1, limit - Math.max(1, Math.ceil(limit / 5)));
}

export type PermittedRequestResult =
  /** The server let it through, whatever the response. */
  | { readonly kind: 'done' }
  /** No response, or one from a failing server: says nothing about its limit. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs?: number };

/**
 * The right to send one request. Call exactly one of its methods, and soon: after two minutes an open permit
 * counts as lost, and its slot starts to expire.
 */
export interface RequestPermit {
  /** The request was sent and has ended (answered, failed or given up). */
  finish(end: PermittedRequestResult): void;
  /** Nothing was sent: the slot is free again at once. */
  cancel(): void;
}

export interface GateStatus {
  readonly limitPerMinute: number;
  /** Requests in the present window. May exceed the limit after the limit falls. */
  readonly used: number;
  readonly waiting: number;
  /** Set while a 429 pauses all requests. */
  readonly pausedUntil?: Instant;
  /** Set while `auto` allows well below its limit before a refusal; it tries no higher one before `until`. */
  readonly lowered?: { readonly from: number; readonly until: Instant };
  /** Set while the journal fails: background work waits. */
  readonly recordFails?: true;
}

export interface RequestGate {
  /**
   * Resolves when one request may be sent, in lane order, after the journal has recorded it (so a crash
   * forgets none).
   * @throws MarketplaceError `gate-timeout` when `timeoutMs` passes first, or is certain to. Nothing was sent
   * then, and `details.retryAfterMs` says when a slot may be free. Throws the signal's reason when aborted.
   */
  acquirePermit(
    lane: Lane,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<RequestPermit>;
  status(): GateStatus;
}

export interface ClosableRequestGate extends RequestGate {
  /**
   * Saves the present state within seconds. No request starts and nothing is saved after that, so the owner
   * may close the journal. Never rejects.
   */
  close(): Promise<void>;
}

/** What the gate remembers across restarts. */
export const GateMemory = z.object({
  /** When each request of the last minute ended. For one in flight, when it ends at the latest. */
  recent: z.array(z.number()).readonly(),
  /** The limit that `auto` has learned; absent for a fixed limit. */
  limitPerMinute: z.number().exactOptional(),
  /** How long `auto` waits before it tries a higher limit, in milliseconds; absent for a fixed limit. */
  probePauseMs: z.number().exactOptional(),
  /** Set while a 429 pauses all requests. */
  pausedUntil: z.number().exactOptional(),
});
export type GateMemory = z.infer<typeof GateMemory>;

export interface GateJournal {
  load(): Promise<GateMemory | undefined>;
  /** Resolves when durable. */
  save(memory: GateMemory): Promise<void>;
}
