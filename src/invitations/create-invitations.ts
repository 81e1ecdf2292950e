/** Invitations, put together: the loop that reads what is followed, one page after another. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { Bell } from '../feed/bell.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { StorageError } from '../storage/store.ts';
import { claimInvitation, releaseInvitation } from './claims.ts';
import { clearOldInvitations } from './clear-old.ts';
import type { InvitationsContext } from './context.ts';
import type { Invitations } from './invitations.ts';
import { nextTask, type Task } from './plan.ts';
import { readNewest, sweepPage } from './read-source.ts';
import { recordTrouble } from './record-trouble.ts';
import { readSources, type Source, sourceName } from './sources.ts';
import { viewInvitation } from './view.ts';

const LONGEST_SLEEP_MS = MINUTE;
const AFTER_FAULT_MS = MINUTE;
const BETWEEN_SWEEPS_MS = 10 * SECOND;

class Reader {
  readonly #context: InvitationsContext;
  readonly #bell = new Bell();
  /** What concerns every profile keeps all of them waiting. Not stored: a start may try at once. */
  #restsUntil: Instant = 0;
  #sweepsFrom: Instant = 0;
  #clearedAt: Instant | undefined;
  /** Sources at which our own code stumbled. */
  readonly #stumbled = new Map<string, Instant>();

  constructor(context: InvitationsContext) {
    this.#context = context;
  }

  wake(): void {
    this.#bell.ring();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    while (!signal.aborted) {
      try {
        await this.#turn(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        log.error('Invitations loop failed, retrying', { error: asError(thrown) });
        // A bell would not make the disk any larger: this pause is slept through.
        await clock.sleep(AFTER_FAULT_MS, signal).catch(() => undefined);
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { team, store, clock } = this.#context;
    await this.#keepHouse(signal);
    const states = await store.read((tx) => readSources(tx, team, clock.now()));
    const now = clock.now();
    const task = nextTask(states, now, {
      notBefore: (source) => Math.max(this.#restsUntil, this.#stumbled.get(sourceName(source)) ?? 0),
      sweepsFrom: this.#sweepsFrom,
    });
    if (task && task.at <= now) return this.#carryOut(task, signal);
    const waitMs = Math.min(LONGEST_SLEEP_MS, (task?.at ?? Number.POSITIVE_INFINITY) - now);
    await this.#bell.wait(clock, waitMs, signal);
    this.#forgetWrongTimes();
  }

  /** Pauses that are farther off than any: the clock was set back. */
  #forgetWrongTimes(): void {
    const latest = this.#context.clock.now() + DAY;
    if (this.#restsUntil > latest) this.#restsUntil = 0;
    if (this.#sweepsFrom > latest) this.#sweepsFrom = 0;
    for (const [name, until] of this.#stumbled) if (until > latest) this.#stumbled.delete(name);
  }

  /** Old records, once a day. */
  async #keepHouse(signal: AbortSignal): Promise<void> {
    const now = this.#context.clock.now();
    if (this.#clearedAt !== undefined && Math.abs(now - this.#clearedAt) < DAY) return;
    await clearOldInvitations(this.#context, signal);
    this.#clearedAt = now;
  }

  async #carryOut({ source, kind }: Task, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    if (kind === 'sweep') this.#sweepsFrom = clock.now() + BETWEEN_SWEEPS_MS;
    try {
      await (kind === 'newest' ? readNewest : sweepPage)(this.#context, source, signal);
      this.#stumbled.delete(sourceName(source));
    } catch (thrown) {
      if (signal.aborted || thrown instanceof StorageError) throw thrown;
      await this.#fail(source, thrown);
    }
  }

  /** A fault of our own keeps one source waiting, so that it holds up no other. */
  async #fail(source: Source, thrown: unknown): Promise<void> {
    const { log, clock } = this.#context;
    log.warn("Couldn't read invitations", { ...source, error: asError(thrown) });
    if (!(thrown instanceof MarketplaceError)) {
      this.#stumbled.set(sourceName(source), clock.now() + AFTER_FAULT_MS);
      return;
    }
    const restsUntil = await recordTrouble(this.#context, source, thrown);
    if (restsUntil !== undefined) this.#restsUntil = restsUntil;
  }
}

export function createInvitations(context: InvitationsContext): Invitations {
  const reader = new Reader(context);
  return {
    run: (signal) => reader.run(signal),
    wake: () => reader.wake(),
    claim: (channel, uid, by) => claimInvitation(context, channel, uid, by),
    release: (channel, uid, by, mayReleaseOthers) =>
      releaseInvitation(context, channel, uid, by, mayReleaseOthers),
    view: (tx, channel, uid) => viewInvitation(tx, context.team, channel, uid),
  };
}
