/** The request gate: lanes, the sliding window, background pacing, pauses after a 429, and `auto`'s limit. */
import { type Clock, type Instant, type RandomSource, SECOND } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { MarketplaceError } from '../errors.ts';
import {
  BACKGROUND_LANES,
  backgroundSlotLimit,
  type ClosableRequestGate,
  type GateJournal,
  type GateMemory,
  type GateStatus,
  type Lane,
  type PermittedRequestResult,
  type RequestPermit,
} from './gate.ts';
import { GateRecorder, loadGateMemory } from './recorder.ts';
import {
  findLimitReduction,
  GatePause,
  type LimitLearningState,
  learnFromAcceptance,
  learnFromRefusal,
  raiseLimitIfDue,
  startLimitLearning,
} from './refusals.ts';
import {
  BackgroundPacer,
  GateQueue,
  GateWindow,
  type QueuedRequest,
  RATE_WINDOW_MS,
  type WindowSlot,
} from './slots.ts';

export interface GateOptions {
  /** Requests a minute; `auto` learns the limit from the server's responses. */
  readonly limit: 'auto' | number;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly journal: GateJournal;
  readonly log: Log;
}

/**
 * Opens the gate with what the previous process left in the journal.
 *
 * - No 60 s ever have more requests than the limit, on our side or the server's, also across a restart.
 * - Background lanes fill at most four fifths of the window (`backgroundSlotLimit`), evenly
 *   (`BackgroundPacer`).
 * - A 429 stops everything for its Retry-After (1 s to 10 min), or until a request leaves the window. Then
 *   one request goes alone, and the rest follow once it isn't refused.
 * - A failing journal stops background work until it works again. People and bids continue unrecorded: the
 *   worst that a crash could cause then is a 429.
 * - An unreadable journal counts as a window that has just filled up.
 * Source: docs/marketplace-api.md, Limits.
 */
export async function createRequestGate(options: GateOptions): Promise<ClosableRequestGate> {
  const memory = await loadGateMemory(options.journal, options.clock, options.log);
  return new SlidingWindowGate(options, memory);
}

interface Entry extends QueuedRequest {
  /** Elapsed time at which it gives up, if ever. */
  readonly giveUpAt: number;
  admit(held: Held): void;
  refuse(reason: unknown): void;
}

/** A window slot with the id that releases or ends it. */
interface Held {
  readonly id: symbol;
  readonly place: WindowSlot;
}

class SlidingWindowGate implements ClosableRequestGate {
  readonly #options: GateOptions;
  readonly #window = new GateWindow();
  readonly #queue = new GateQueue<Entry>();
  readonly #turns = new BackgroundPacer();
  readonly #pause = new GatePause();
  readonly #recorder: GateRecorder;
  #learning: LimitLearningState | undefined;
  #callOffWake: (() => void) | undefined;
  /** The limit was raised, and no request has started since. */
  #isRaised = false;
  /** The first request that started after the raise. */
  #attempt: symbol | undefined;
  #isClosed = false;

  constructor(options: GateOptions, memory: GateMemory | 'none' | 'unknown') {
    this.#options = options;
    this.#recorder = new GateRecorder({
      ...options,
      memory: () => this.#memory(),
      onRecovered: () => this.#letOut(),
    });
    const known = typeof memory === 'object' ? memory : undefined;
    if (options.limit === 'auto')
      this.#learning = startLimitLearning(this.#now(), known?.limitPerMinute, known?.probePauseMs);
    if (known) this.#recall(known);
    if (memory === 'unknown') this.#recall({ recent: Array(this.#limit).fill(options.clock.now()) });
    this.#letOut();
  }

  acquirePermit(
    lane: Lane,
    options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<RequestPermit> {
    const { timeoutMs, signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const now = this.#now();
      let holds: Held | undefined;
      const endWaiting = () => {
        callOffTimeout?.();
        signal?.removeEventListener('abort', abort);
      };
      const entry: Entry = {
        lane,
        since: now,
        giveUpAt: now + (timeoutMs ?? Number.POSITIVE_INFINITY),
        admit: (held) => {
          holds = held;
          void this.#recorder.saveNow().then(() => {
            endWaiting();
            resolve(this.#permit(held));
          });
        },
        refuse: (reason) => {
          endWaiting();
          this.#queue.remove(entry);
          if (holds) this.#giveBack(holds);
          reject(reason);
        },
      };
      const abort = () => {
        entry.refuse(signal?.reason);
        this.#letOut();
      };
      const callOffTimeout =
        timeoutMs === undefined
          ? undefined
          : this.#options.clock.runAfter(timeoutMs, () => {
              entry.refuse(this.#tooLate(entry));
              this.#letOut();
            });
      signal?.addEventListener('abort', abort);
      this.#queue.add(entry);
      this.#letOut();
    });
  }

  status(): GateStatus {
    const now = this.#now();
    this.#window.dropExpiredSlots(now);
    const lowered = this.#learning && findLimitReduction(this.#learning, now);
    return {
      limitPerMinute: this.#limit,
      used: this.#window.used,
      waiting: this.#queue.size,
      pausedUntil: now < this.#pause.until ? this.#toWall(this.#pause.until) : undefined,
      ...(lowered && { lowered: { from: lowered.from, until: this.#toWall(lowered.until) } }),
      recordFails: this.#recorder.isFailing ? true : undefined,
    };
  }

  /** Monotonic time. Wall-clock time matters only in the journal and for people. */
  #now(): number {
    return this.#options.clock.monotonicNow();
  }

  #toWall(at: number): Instant {
    return this.#options.clock.now() + (at - this.#now());
  }

  /** An instant in the future counts as now: the wall clock was set back since. */
  #fromWallPast(instant: Instant): number {
    return this.#now() - Math.max(this.#options.clock.now() - instant, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOffWake?.();
    await this.#recorder.close();
  }

  get #limit(): number {
    const { limit } = this.#options;
    return this.#learning?.limit ?? (limit === 'auto' ? 1 : Math.max(1, Math.floor(limit)));
  }

  /** Starts every request that may start now and schedules the next check. */
  #letOut(): void {
    if (this.#isClosed) return;
    const now = this.#now();
    this.#window.dropExpiredSlots(now);
    do {
      for (let entry = this.#takeNext(now); entry; entry = this.#takeNext(now)) this.#admit(entry, now);
    } while (this.#tryHigherLimit(now));
    this.#refuseHopeless(now);
    this.#wakeAtNextChange(now);
  }

  #takeNext(now: number): Entry | undefined {
    if (this.#isHeld(now) || this.#window.used >= this.#limit) return undefined;
    const backgroundFits =
      this.#turns.canStart(now) && this.#window.usedByBackground < backgroundSlotLimit(this.#limit);
    return this.#queue.takeNext(backgroundFits && !this.#recorder.isFailing);
  }

  /** True during a pause, or while the first request after one is in flight, however much room there is. */
  #isHeld(now: number): boolean {
    if (now < this.#pause.until) return true;
    const { oneAtATimeSince } = this.#pause;
    return oneAtATimeSince !== undefined && this.#window.isAnyInFlightSince(oneAtATimeSince);
  }

  #admit(entry: Entry, now: number): void {
    const place: WindowSlot = { grantedAt: now, background: BACKGROUND_LANES.has(entry.lane) };
    if (place.background) this.#turns.recordStart(now, entry.since, backgroundSlotLimit(this.#limit));
    const id = this.#window.takeSlot(place);
    if (this.#isRaised) this.#attempt = id;
    this.#isRaised = false;
    entry.admit({ id, place });
  }

  #tryHigherLimit(now: number): boolean {
    if (!this.#learning || !this.#isHeldByLimit(now)) return false;
    const before = this.#learning.limit;
    this.#learning = raiseLimitIfDue(this.#learning, now);
    if (this.#learning.limit === before) return false;
    this.#isRaised = true;
    this.#options.log.info('Trying a higher request limit', { limitPerMinute: this.#learning.limit });
    this.#recorder.saveSoon();
    return true;
  }

  /** Only the limit holds work back, all of it is in use, and the last attempt at more has been answered. */
  #isHeldByLimit(now: number): boolean {
    if (this.#queue.size === 0 || this.#isHeld(now) || this.#recorder.isFailing) return false;
    if (this.#attempt !== undefined && this.#window.isInFlight(this.#attempt)) return false;
    const background = backgroundSlotLimit(this.#limit);
    const places = this.#queue.hasUrgent ? this.#limit : background;
    const isFull =
      this.#window.used >= this.#limit ||
      (!this.#queue.hasUrgent && this.#window.usedByBackground >= background);
    // Most must be granted within 60 s: requests about to leave our window have already left the server's, so
    // they prove nothing about its limit.
    return isFull && this.#window.countAcceptedBefore(now) >= 0.8 * places;
  }

  /** Refuses requests that can't start before their deadline at once, without waiting for the deadline. */
  #refuseHopeless(now: number): void {
    const roomAt = this.#window.hasInFlightRequests
      ? now
      : this.#window.slotsFreeAt(Math.max(this.#window.used - this.#limit + 1, 0));
    const earliest = Math.max(this.#pause.until, roomAt ?? now);
    if (earliest <= now) return;
    for (const entry of this.#queue.entries())
      if (entry.giveUpAt < earliest) entry.refuse(this.#tooLate(entry));
  }

  #tooLate(entry: Entry): MarketplaceError {
    const now = this.#now();
    const ahead = this.#queue.entries().indexOf(entry);
    const needed = this.#window.used - this.#limit + 1 + Math.max(ahead, 0);
    const roomAt = needed <= 0 ? now : (this.#window.slotsFreeAt(needed) ?? now + RATE_WINDOW_MS);
    const retryAfterMs = Math.max(roomAt, this.#pause.until, now + SECOND) - now;
    const message = 'No free slot at the request gate in time';
    return new MarketplaceError('gate-timeout', 'none', message, { retryAfterMs });
  }

  #wakeAtNextChange(now: number): void {
    this.#callOffWake?.();
    this.#callOffWake = undefined;
    const nextTurnAt = this.#queue.size > 0 ? this.#turns.nextStartAt : now;
    const changes = [this.#window.slotsFreeAt(1) ?? now, this.#pause.until, nextTurnAt];
    const next = Math.min(...changes.filter((at) => at > now));
    if (!Number.isFinite(next)) return;
    this.#callOffWake = this.#options.clock.runAfter(Math.ceil(next - now), () => this.#letOut());
  }

  #permit(held: Held): RequestPermit {
    let over = false;
    const once = (end: () => void) => {
      if (over) return;
      over = true;
      end();
      this.#recorder.saveSoon();
      this.#letOut();
    };
    return {
      finish: (end) => once(() => this.#finish(held, end)),
      cancel: () => once(() => this.#giveBack(held)),
    };
  }

  /** Nothing was sent, so the next request doesn't wait for it either. */
  #giveBack({ id, place }: Held): void {
    this.#window.releaseSlot(id);
    if (place.background) this.#turns.cancelStart(this.#now());
  }

  #finish({ id, place }: Held, end: PermittedRequestResult): void {
    const now = this.#now();
    this.#window.dropExpiredSlots(now);
    this.#window.endRequest(id, place, now, end.kind);
    if (this.#learning && end.kind === 'done')
      this.#learning = learnFromAcceptance(this.#learning, place.grantedAt);
    if (end.kind === 'rate-limited') this.#learnAndHold(now, place.grantedAt, end.retryAfterMs);
    else this.#pause.recordAcceptance(place.grantedAt);
  }

  #learnAndHold(now: number, grantedAt: number, retryAfterMs: number | undefined): void {
    const accepted = this.#window.countAcceptedBefore(grantedAt);
    if (this.#learning) this.#learning = learnFromRefusal(this.#learning, { now, grantedAt, accepted });
    const leavesAt = this.#window.oldestAcceptedLeavesAt();
    this.#pause.recordRefusal(now, { grantedAt, retryAfterMs, leavesAt, jitter: this.#options.random() });
    this.#turns.blockUntil(this.#pause.until);
    this.#options.log.warn('The marketplace rate-limited a request', {
      limitPerMinute: this.#limit,
      used: this.#window.used,
      pauseMs: Math.round(this.#pause.until - now),
    });
  }

  #memory(): GateMemory {
    const now = this.#now();
    this.#window.dropExpiredSlots(now);
    return {
      recent: this.#window.listEndTimes().map((end) => this.#toWall(end)),
      ...(this.#learning && {
        limitPerMinute: this.#learning.limit,
        probePauseMs: this.#learning.probePauseMs,
      }),
      ...(now < this.#pause.until && { pausedUntil: this.#toWall(this.#pause.until) }),
    };
  }

  #recall(memory: GateMemory): void {
    const now = this.#now();
    if (memory.recent.length > 0) this.#turns.blockUntil(now);
    for (const instant of memory.recent) {
      if (!Number.isFinite(instant)) continue;
      const endedAt = this.#fromWallPast(instant);
      this.#window.takeSlot({ grantedAt: endedAt, background: true, endedAt });
    }
    const pauseMs = (memory.pausedUntil ?? 0) - this.#options.clock.now();
    if (!(pauseMs > 0)) return;
    this.#pause.restorePause(now, pauseMs);
    this.#turns.blockUntil(this.#pause.until);
  }
}
