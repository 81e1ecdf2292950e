/**
 * Whether this server's wall clock can be believed. Servers tell the time in the Date header of each answer, and the monotonic
 * clock tells how much time has gone by. Why, and what depends on it: docs/decisions/0021-clock.md.
 */
import { type Clock, DAY, HOUR, type Instant } from './clock.ts';
import { asError, GigdeskError } from './errors.ts';
import type { Log } from './log.ts';

export type TimeServer = 'slack' | 'marketplace';

/** `byMs` above 0: the wall clock is ahead. */
export type ClockState = { readonly kind: 'right' } | { readonly kind: 'off'; readonly byMs: number };

/** What was on record of the clock when the process before this one ran. */
export interface StoredClockTimes {
  /** The wall clock, when it was last believed. */
  readonly at: Instant;
  /** See `trustedNow`. */
  readonly trusted: Instant;
}

/** What parts are handed that must not act by a wrong clock. */
export interface ClockGuard {
  /** Asks servers for the time where the clock seems to be off. @throws ClockOffError when it is. */
  ensureClockCorrect(): Promise<void>;
}

/** For a loop that waits instead of acting while the clock is off: it asks a server each time. */
export async function isClockCorrect(guard: ClockGuard): Promise<boolean> {
  return guard.ensureClockCorrect().then(
    () => true,
    () => false,
  );
}

/** Nothing was sent, since the clock is off. */
export class ClockOffError extends GigdeskError {
  override readonly name = 'ClockOffError';
  readonly code = 'clock-off';
  readonly byMs: number;
  constructor(byMs: number) {
    super(`This server's clock is off by ${Math.round(byMs / 1_000)} s.`);
    this.byMs = byMs;
  }
}

/** Two clocks agree within this. Machines set to the wrong time zone are an hour off or more. */
const TOLERANCE_MS = HOUR;
/** A process may have been down for so long without a doubt that time really went by. */
const PLAUSIBLE_REST_MS = 7 * DAY;
/** What no two clocks agree on is believed after the wall clock has held for this much steady time. */
const DOUBTED_MS = HOUR;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Each makes a server answer. Their failures are ignored. */
  readonly askServers: readonly (() => Promise<unknown>)[];
}

/** A moment of the wall clock as the monotonic clock carries it on: what to add to `steady()`. */
type Offset = number;

interface Word {
  readonly offset: Offset;
  readonly heardAt: number;
}

export class ClockWatch implements ClockGuard {
  readonly #parts: Parts;
  /** What each server's latest Date says, and when it was heard, in steady time. */
  readonly #servers = new Map<TimeServer, Word>();
  /**
   * The wall clock as it was: this process may have begun up to `roomMs` later. Proven: a server has confirmed it, or it has held
   * for long.
   */
  #past: { readonly offset: Offset; readonly roomMs: number; readonly isProven: boolean } | undefined;
  /** The wall clock has been in doubt since then, in steady time. */
  #doubted: { readonly offset: Offset; readonly since: number } | undefined;
  #trusted: Offset | undefined;
  #asking: Promise<void> | undefined;
  #wasOff = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Goes on from what is on record; to be called once. */
  applyStoredTimes(stored: StoredClockTimes | undefined): void {
    const wall = this.#wallOffset();
    const steady = this.#parts.clock.monotonicNow();
    const offset = stored ? stored.at - steady : wall;
    this.#past = { offset, roomMs: stored ? PLAUSIBLE_REST_MS : 0, isProven: false };
    this.#trusted ??= Math.min(wall, (stored?.trusted ?? wall + steady) - steady);
    this.#log(this.readClockState());
  }

  /** Takes the Date header of an answer that has just come; anything else is ignored. */
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
    // Two against two: nothing is done until they agree, or the clock has held.
    if (against.length < byServers.length && (against.length === 0 || past !== 'denies')) {
      this.#goOnFrom(wall, true);
      return { kind: 'right' };
    }
    // One server alone may be wrong itself, where this clock has only gone on as it was.
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

  /** Asks one server after the other for the time while the clock seems to be off. Never throws. */
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
   * A moment that has surely come: never later than the wall clock, nor than what servers tell. Records are cleared out by their
   * age at this moment. Without any server's word it goes on only while a process runs.
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

  /** What the next process goes on from; undefined while the clock is off. */
  readTimesToStore(): StoredClockTimes | undefined {
    return this.isOff() ? undefined : { at: this.#parts.clock.now(), trusted: this.trustedNow() };
  }

  #wallOffset(): Offset {
    return this.#parts.clock.now() - this.#parts.clock.monotonicNow();
  }

  /** The monotonic clock of some machines stands still while they sleep: what was heard since a leap outweighs what was before. */
  #freshWords(): readonly Word[] {
    const words = [...this.#servers.values()];
    const since = this.#doubted?.since ?? 0;
    const fresh = words.filter(({ heardAt }) => heardAt >= since);
    return fresh.length > 0 ? fresh : words;
  }

  /** What this server's own past says of its wall clock. */
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

  /** For how much steady time the wall clock has not leapt while it was in doubt. */
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

/** Of an even number the earlier: one voice that is wrong is outvoted, and a draw erases nothing. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NEGATIVE_INFINITY;
}
