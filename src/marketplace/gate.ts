/**
 * The contract of the request gate: all requests of the team pass here, so that no 60 s ever hold more than the limit.
 */
import type { Instant } from '../clock.ts';

/** In order of precedence. The last four are background and leave room for the first two. */
export const LANES = ['bid', 'person', 'feed', 'tracking', 'sync', 'unfurl'] as const;
export type Lane = (typeof LANES)[number];

/** What came of a request that was sent. */
export type PermitResult =
  /** The server let it through, whatever it answered. */
  | { readonly kind: 'done' }
  /** No answer, or one of a server that fails: nothing is proved of its limit. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs?: number };

/**
 * The right to send one request. It must end in exactly one of these ways, and soon: one that has not ended after two
 * minutes counts as lost, and its place begins to run out.
 */
export interface RequestPermit {
  /** The request was sent and is over (answered, failed or given up). */
  finish(end: PermitResult): void;
  /** Nothing was sent: the place is free again at once. */
  cancel(): void;
}

export interface GateStatus {
  readonly limitPerMinute: number;
  /** Requests that count in the present window; after a fall of the limit, it may be more than that. */
  readonly used: number;
  readonly waiting: number;
  /** Set while a 429 keeps everything waiting. */
  readonly pausedUntil?: Instant;
  /** Set while `auto` allows well below what it did before a refusal: no more than that is tried before `until`. */
  readonly lowered?: { readonly from: number; readonly until: Instant };
  /** Set while what is let out can't be put on record: background work waits then. */
  readonly recordFails?: true;
}

export interface RequestGate {
  /**
   * Opens for one request, in lane order; resolves when it may be sent, after the request is on record (so that a
   * crash forgets none).
   * @throws MarketplaceError `gate-timeout` when `timeoutMs` passes first, or is bound to; nothing was sent then, and
   * `details.retryAfterMs` says when a place may be free. The signal's reason when aborted.
   */
  acquirePermit(
    lane: Lane,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<RequestPermit>;
  status(): GateStatus;
}

/** The gate for whoever opened it. */
export interface ClosableRequestGate extends RequestGate {
  /**
   * Puts on record what is known now, within seconds; nobody is let out any more, and nothing is saved, so that the
   * journal's keeper may close it. Never rejects.
   */
  close(): Promise<void>;
}

/** What the gate remembers across restarts. */
export interface GateMemory {
  /** Requests of the last minute: when each was over; for one still under way, when it will be over at the latest. */
  readonly recent: readonly Instant[];
  /** What `auto` has learned; absent for a fixed limit. */
  readonly limitPerMinute?: number;
  /** How long `auto` waits before it tries a higher limit, in milliseconds; absent for a fixed limit. */
  readonly probePauseMs?: number;
  /** Set while a 429 keeps everything waiting. */
  readonly pausedUntil?: Instant;
}

export interface GateJournal {
  load(): Promise<GateMemory | undefined>;
  /** Resolves when durable. */
  save(memory: GateMemory): Promise<void>;
}
