/**
 * The sender of posts: each stands in Slack exactly once and is kept up to date.
 * Channels are served side by side, each in the order of its posts; updates hold up no new post.
 */

import { MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { DeliveryContext, DeliveryMemory } from './context.ts';
import { growingPause, LOOK_EVERY_MS, WORKSPACE_GAP_MS } from './pauses.ts';
import { type Channel, channelsToSend } from './queues.ts';
import { type Step, sendNext } from './send-next.ts';
import { updateNext } from './update-next.ts';

export interface Delivery {
  /** Delivers until stopped. @returns when what was under way is on record. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** There may be something new to send: look now. */
  wake(): void;
}

/** At shutdown messages under way are waited for this long; what became of the others is looked up at the next start. */
const DRAIN_MS = 6 * SECOND;
/** Channels served at the same time. */
const PARALLEL = 8;
const FAULT_PAUSE_MS = 5_000;
const FIRST_TOKEN_PAUSE_MS = 10_000;
const LONGEST_TOKEN_PAUSE_MS = 5 * MINUTE;

/** Its moments are by the clock's steady time: none of them is on record, and setting the clock moves none. */
class Sender implements Delivery {
  readonly #context: DeliveryContext;
  readonly #memory: DeliveryMemory = {
    plain: new Set(),
    unthreaded: new Set(),
    failures: new Map(),
    updateHolds: new Map(),
  };
  /** No step of the channel before then. */
  readonly #notBefore = new Map<Channel, number>();
  readonly #busy = new Map<Channel | 'updates', Promise<void>>();
  #nextStart = 0;
  #nextUpdate = 0;
  #pausedUntil = 0;
  #tokenFailures = 0;
  #wakeUp: () => void = () => undefined;
  #isAwake = false;
  #isOver = false;

  constructor(context: DeliveryContext) {
    this.#context = context;
  }

  wake(): void {
    this.#isAwake = true;
    this.#wakeUp();
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.wake();
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      this.#isAwake = false;
      const due = await this.#look();
      if (!signal.aborted) await this.#rest(due);
    }
    signal.removeEventListener('abort', stop);
    this.#isOver = await this.#drain();
  }

  /** @returns true, when nothing is under way or the time is up. */
  async #drain(): Promise<true> {
    let callOff = () => {};
    const late = new Promise<void>((resolve) => {
      callOff = this.#context.clock.after(DRAIN_MS, resolve);
    });
    await Promise.race([Promise.all(this.#busy.values()), late]);
    callOff();
    if (this.#busy.size > 0)
      this.#context.log.warn('messages were given up at shutdown', { left: this.#busy.size });
    return true;
  }

  /** Starts every step that is due. @returns when to look again. */
  async #look(): Promise<number> {
    const now = this.#context.clock.steady();
    if (this.#pausedUntil > now) return this.#pausedUntil;
    try {
      this.#startUpdate(now);
      const due = await this.#startSteps(now);
      return this.#busy.has('updates') ? due : Math.min(due, this.#nextUpdate);
    } catch (thrown) {
      this.#context.log.error('delivery could not read the outbox', { error: asError(thrown) });
      return now + FAULT_PAUSE_MS;
    }
  }

  async #startSteps(now: number): Promise<number> {
    const { store, team } = this.#context;
    const channels = await store.read((tx) => channelsToSend(tx, team));
    for (const [channel, at] of this.#notBefore) {
      if (!channels.has(channel) && at <= now) this.#notBefore.delete(channel);
    }
    let due = now + LOOK_EVERY_MS;
    const free = [...channels].filter((channel) => !this.#busy.has(channel));
    // Whoever has waited longest is first, or a few busy channels would use up the workspace's pace.
    for (const channel of free.sort((a, b) => this.#heldUntil(a) - this.#heldUntil(b))) {
      const at = Math.max(this.#heldUntil(channel), this.#nextStart);
      if (at > now) due = Math.min(due, at);
      else if (this.#busy.size < PARALLEL) this.#startStep(channel, now);
    }
    return due;
  }

  #heldUntil(channel: Channel): number {
    return this.#notBefore.get(channel) ?? 0;
  }

  #startStep(channel: Channel, now: number): void {
    this.#nextStart = now + WORKSPACE_GAP_MS;
    this.#start(
      channel,
      () => sendNext(this.#context, this.#memory, channel),
      (at) => this.#notBefore.set(channel, at),
    );
  }

  #startUpdate(now: number): void {
    if (this.#busy.has('updates') || this.#nextUpdate > now) return;
    this.#start(
      'updates',
      () => updateNext(this.#context, this.#memory.updateHolds),
      (at) => {
        this.#nextUpdate = at;
      },
    );
  }

  #start(key: Channel | 'updates', step: () => Promise<Step>, holdUntil: (at: number) => void): void {
    const done = this.#take(key, step, holdUntil).finally(() => {
      this.#busy.delete(key);
      this.wake();
    });
    this.#busy.set(key, done);
  }

  async #take(key: string, step: () => Promise<Step>, holdUntil: (at: number) => void): Promise<void> {
    const { clock, log } = this.#context;
    try {
      const next = await step();
      if (next.kind === 'token') return this.#pauseAll(next.error);
      if (next.kind === 'at') this.#tokenFailures = 0;
      holdUntil(next.kind === 'at' ? next.at : clock.steady() + LOOK_EVERY_MS);
    } catch (thrown) {
      // It was told as given up, and its store is closed.
      if (this.#isOver) return;
      log.error('a step of delivery failed', { step: key, error: asError(thrown) });
      holdUntil(clock.steady() + FAULT_PAUSE_MS);
    }
  }

  #pauseAll(error: string): void {
    const { clock, log, random } = this.#context;
    // Steps that were under way together tell the same trouble once.
    if (this.#pausedUntil > clock.steady()) return;
    this.#tokenFailures++;
    const pauseMs = growingPause(this.#tokenFailures, FIRST_TOKEN_PAUSE_MS, LONGEST_TOKEN_PAUSE_MS, random);
    this.#pausedUntil = clock.steady() + pauseMs;
    log.error('Slack refuses the token: nothing is delivered', { error, pauseMs });
  }

  /** Until then, or until something wakes us. */
  async #rest(due: number): Promise<void> {
    if (this.#isAwake) return;
    const { clock } = this.#context;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(due - clock.steady(), resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
    this.#wakeUp = () => undefined;
  }
}

export function createDelivery(context: DeliveryContext): Delivery {
  return new Sender(context);
}
