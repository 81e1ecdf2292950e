/**
 * Checks whether this server's wall clock is correct. Servers send the time in each response's Date header;
 * the monotonic clock measures elapsed time. Reasons and users: docs/decisions/0007-clock.md.
 */
import { type Clock, DAY, HOUR, type Instant } from './clock.ts';
import { asError, GigdeskError } from './errors.ts';
import type { Log } from './log.ts';

export type TimeServer = 'slack' | 'marketplace';

/** `byMs` above 0: the wall clock is ahead. */
export type ClockState = { readonly kind: 'right' } | { readonly kind: 'off'; readonly byMs: number };

/** The clock's times as the previous process stored them. */
export interface StoredClockTimes {
  /** The wall clock when it was last correct. */
  readonly at: Instant;
  /** See `trustedNow`. */
  readonly trusted: Instant;
}

/** For parts that must not act on a wrong clock. */
export interface ClockGuard {
  /** Gets the time from servers if the clock seems off. @throws ClockOffError when it is off. */
  ensureClockCorrect(): Promise<void>;
}

/** For a loop that waits while the clock is off. Each call queries the servers then. */
export async function isClockCorrect(guard: ClockGuard): Promise<boolean> {
  return guard.ensureClockCorrect().then(
    () => true,
    () => false,
  );
}

/** The clock is off, so nothing was sent. */
export class ClockOffError extends GigdeskError {
  override readonly name = 'ClockOffError';
  readonly code = 'clock-off';
  readonly byMs: number;
  constructor(byMs: number) {
    super(`This server's clock is off by ${Math.round(byMs / 1_000)} s.`);
    this.byMs = byMs;
  }
}

/** Two clocks agree within this. A wrong time zone is off by an hour or more. */
const TOLERANCE_MS = HOUR;
/** A downtime of up to this length is plausible. */
const PLAUSIBLE_REST_MS = 7 * DAY;
/** A disputed wall clock is accepted after it runs steadily for this much monotonic time. */
const DOUBTED_MS = HOUR;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Each makes a server respond. Failures are ignored. */
  readonly askServers: readonly (() => Promise<unknown>)[];
}

/** Wall clock minus monotonic clock, in milliseconds. */
type Offset = number;

interface Word {
  readonly offset: Offset;
  readonly heardAt: number;
}

export class ClockWatch implements ClockGuard {
  readonly #parts: Parts;
  /** Each server's latest Date, and the monotonic time when it arrived. */
  readonly #servers = new Map<TimeServer, Word>();
  /**
   * The wall clock so far; this process may have started up to `roomMs` later. Proven: a server confirmed it,
   * or it ran steadily long enough.
   */
  #past: { readonly offset: Offset; readonly roomMs: number; readonly isProven: boolean } | undefined;
  /** The wall clock is in doubt since this monotonic time. */
  #doubted: { readonly offset: Offset; readonly since: number } | undefined;
  #trusted: Offset | undefined;
  #asking: Promise<void> | undefined;
  #wasOff = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts from the stored times. Call once. */
  applyStoredTimes(stored: StoredClockTimes | undefined): void {
    const wall = this.#wallOffset();
    const steady = this.#parts.clock.monotonicNow();
    const offset = stored ? stored.at - steady : wall;
    this.#past = { offset, roomMs: stored ? PLAUSIBLE_REST_MS : 0, isProven: false };
    this.#trusted ??= Math.min(wall, (stored?.trusted ?? wall + steady) - steady);
    this.#log(this.readClockState());
  }

  /** Takes the Date header of a response that just arrived; ignores an invalid one. */
  recordServerDate(server: TimeServer, date: unknown): void {
    const told = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(told)) return;
    const steady = this.#parts.clock.monotonicNow();
    this.#servers.set(server, { offset: told - steady, heardAt: steady });
    this.#log(this.readClockState());
  }

  readClockState(): ClockState {
    const wall = this.#wallOffset();
    const byPast = wall - (this.#past?.offset ?? wall);
    const past = this.#askPast(wall);
    const byServers = this.#freshWords().map(({ offset }) => wall - offset);
    if (byServers.length === 0) {
      if (past === 'denies') return { kind: 'off', byMs: byPast };
      this.#goOnFrom(wall, past === 'confirms');
      return { kind: 'right' };
    }
    const against = byServers.filter((byMs) => Math.abs(byMs) > TOLERANCE_MS);
    // A tie (one server agrees; the other and the past object) counts as off, so nothing acts on the clock.
    if (against.length < byServers.length && (against.length === 0 || past !== 'denies')) {
      this.#goOnFrom(wall, true);
      return { kind: 'right' };
    }
    // A single server may be wrong itself if this clock only continued from its proven past.
    if (byServers.length === 1 && past === 'confirms') return { kind: 'right' };
    return { kind: 'off', byMs: middle(past === 'denies' ? [...against, byPast] : against) };
  }

  isOff(): boolean {
    return this.readClockState().kind === 'off';
  }

  async ensureClockCorrect(): Promise<void> {
    if (!this.isOff()) return;
    await this.#ask();
    const state = this.readClockState();
    if (state.kind === 'off') throw new ClockOffError(state.byMs);
  }

  /** Queries the servers in turn while the clock seems off. Never throws. */
  #ask(): Promise<void> {
    this.#asking ??= this.#askInTurn().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askInTurn(): Promise<void> {
    const { log, askServers } = this.#parts;
    for (const ask of askServers) {
      await ask().catch((thrown: unknown) =>
        log.warn("Couldn't get the time from a server", { error: asError(thrown).message }),
      );
      if (!this.isOff()) return;
    }
  }

  /**
   * A time that has certainly passed: never later than the wall clock, nor than the median of the known
   * clocks. Record retention uses it. Without server times it advances only while a process runs.
   */
  trustedNow(): Instant {
    const wall = this.#wallOffset();
    const servers = [...this.#servers.values()].map(({ offset }) => offset);
    const voices = [wall, ...servers, ...(this.#trusted === undefined ? [] : [this.#trusted])];
    if (servers.length > 0) this.#trusted = Math.min(wall, middle(voices));
    const trusted = this.#trusted;
    if (trusted === undefined) return Number.NEGATIVE_INFINITY;
    return Math.min(wall, trusted) + this.#parts.clock.monotonicNow();
  }

  /** The times for the next process to start from; undefined while the clock is off. */
  readTimesToStore(): StoredClockTimes | undefined {
    return this.isOff() ? undefined : { at: this.#parts.clock.now(), trusted: this.trustedNow() };
  }

  #wallOffset(): Offset {
    return this.#parts.clock.now() - this.#parts.clock.monotonicNow();
  }

  /** On some machines the monotonic clock stops during sleep: server times since the last jump win. */
  #freshWords(): readonly Word[] {
    const words = [...this.#servers.values()];
    const since = this.#doubted?.since ?? 0;
    const fresh = words.filter(({ heardAt }) => heardAt >= since);
    return fresh.length > 0 ? fresh : words;
  }

  #askPast(wall: Offset): 'confirms' | 'allows' | 'denies' {
    const { offset, roomMs, isProven } = this.#past ?? { offset: wall, roomMs: 0, isProven: false };
    const byMs = wall - offset;
    const fits = byMs >= -TOLERANCE_MS && byMs <= roomMs + TOLERANCE_MS;
    if (fits && isProven) return 'confirms';
    if (this.#hasHeldFor(wall) >= DOUBTED_MS) {
      this.#goOnFrom(wall, true);
      return 'confirms';
    }
    return fits ? 'allows' : 'denies';
  }

  /** Monotonic time for which the doubted wall clock has not jumped. */
  #hasHeldFor(wall: Offset): number {
    const steady = this.#parts.clock.monotonicNow();
    if (!this.#doubted || Math.abs(wall - this.#doubted.offset) > TOLERANCE_MS)
      this.#doubted = { offset: wall, since: steady };
    return steady - this.#doubted.since;
  }

  #goOnFrom(wall: Offset, isProven: boolean): void {
    if (this.#past) this.#past = { offset: wall, roomMs: 0, isProven };
    if (isProven) this.#doubted = undefined;
  }

  #log(state: ClockState): void {
    const isOff = state.kind === 'off';
    if (isOff === this.#wasOff) return;
    this.#wasOff = isOff;
    const { log } = this.#parts;
    if (isOff) log.error("This server's clock is wrong", { byMs: state.byMs });
    else log.info("This server's clock is correct again");
  }
}

/** The lower median: one wrong clock is outvoted, and a tie picks the earlier time, which deletes less. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NEGATIVE_INFINITY;
}
