/**
 * Sends posts: each appears in Slack exactly once and is kept up to date. Channels run in parallel, each in
 * the order of its posts; updates never delay a new post.
 */
import { withTimeLimit } from '../../base/time-limit.ts';
import { type Instant, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { posts } from '../../outbox/posts.ts';
import { type ReadTransaction, readWhenChanged } from '../../storage/store.ts';
import type { DeliveryContext, DeliveryRuntimeState, NextChannelCheck } from './context.ts';
import {
  backoffDelayMs,
  GATHER_MS,
  IDLE_OUTBOX_POLL_MS,
  MIN_WORKSPACE_POST_GAP_MS,
  OUTBOX_POLL_MS,
} from './delays.ts';
import { type DeliveryHealth, type DeliveryHealthReader, readRefusedConversations } from './health.ts';
import { sendNextPost } from './send-next.ts';
import { PostSearchTracker, UnknownRefusalTracker } from './trackers.ts';
import { type OutboxWork, type PostDestination, readOutboxWork } from './transitions.ts';
import { updateNextMessage } from './update-next.ts';
import { createTokenCheck } from './web-port.ts';

const FAULT_PAUSE_MS = 5_000;

/** What may be running: the turn of a channel or of the updates, or the token check. */
type Sending = PostDestination | 'updates';
type Task = Sending | 'token';

/** Slack rejected the token, and `auth.test` confirmed it. */
interface Pause {
  readonly since: Instant;
  readonly error: string;
  /** Whose turns were rejected. */
  readonly causes: Set<Sending>;
  failures: number;
  /** Monotonic time. */
  until: number;
}

/** All times are monotonic: none is stored, and setting the clock changes none. */
export class DeliveryWorker implements DeliveryHealthReader {
  readonly #context: DeliveryContext;
  readonly #memory: DeliveryRuntimeState;
  readonly #readWork: () => Promise<OutboxWork>;
  /** The earliest time of the channel's next step. */
  readonly #notBefore = new Map<PostDestination, number>();
  readonly #busy = new Map<Task, Promise<void>>();
  #nextStart = 0;
  #nextUpdate = 0;
  #pause: Pause | undefined;
  #wakeUp: () => void = () => undefined;
  #isAwake = false;
  #isGathering = false;
  #isOver = false;

  constructor(context: DeliveryContext) {
    this.#context = context;
    this.#readWork = readWhenChanged(context.store, [posts], (tx) => readOutboxWork(tx));
    context.store.onCommit([posts], () => this.#wakeSoon());
    this.#memory = {
      textOnlyPosts: new Set(),
      unknownRefusals: new UnknownRefusalTracker(),
      searches: new PostSearchTracker(context.clock),
      unthreadedPosts: new Set(),
      failures: new Map(),
      updateDelays: { channels: new Map(), messages: new Map() },
      checkToken: createTokenCheck(context.port),
    };
  }

  async readHealth(tx: ReadTransaction): Promise<DeliveryHealth> {
    const refused = await readRefusedConversations(tx);
    const pause = this.#pause;
    return pause ? { paused: { since: pause.since, error: pause.error }, refused } : { refused };
  }

  /** Checks for new posts now. */
  wake(): void {
    this.#isAwake = true;
    this.#wakeUp();
  }

  /** Posts that are stored within a moment can become one summary, and several changes one update. */
  #wakeSoon(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#context.clock.runAfter(GATHER_MS, () => {
      this.#isGathering = false;
      this.wake();
    });
  }

  /** Delivers until stopped. @returns when the results of running steps are stored. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.wake();
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      this.#isAwake = false;
      const due = await this.#look();
      if (!signal.aborted) await this.#rest(due);
    }
    signal.removeEventListener('abort', stop);
    const { clock, log } = this.#context;
    // For running sends; the next start checks how the others ended.
    await withTimeLimit(clock, 6 * SECOND, Promise.all(this.#busy.values()), () => undefined);
    if (this.#busy.size > 0) log.warn('dropped unsent messages at shutdown', { left: this.#busy.size });
    this.#isOver = true;
  }

  /** Starts every step that is due. @returns when to check again. */
  async #look(): Promise<number> {
    const now = this.#context.clock.monotonicNow();
    if (this.#pause) return this.#lookAtPause(this.#pause, now);
    try {
      const { toSend, toUpdate } = await this.#readWork();
      const hasUpdates = toUpdate.size > 0;
      if (hasUpdates) this.#startUpdate(now);
      const due = this.#startSteps(now, toSend);
      return hasUpdates && !this.#busy.has('updates') ? Math.min(due, this.#nextUpdate) : due;
    } catch (thrown) {
      this.#context.log.error('could not read the outbox', { error: asError(thrown) });
      return now + FAULT_PAUSE_MS;
    }
  }

  /** During a pause, only the token check runs. @returns when to check again. */
  #lookAtPause(pause: Pause, now: number): number {
    if (pause.until > now) return pause.until;
    if (!this.#busy.has('token')) this.#start('token', () => this.#checkToken(pause));
    return now + OUTBOX_POLL_MS;
  }

  #startSteps(now: number, channels: ReadonlySet<PostDestination>): number {
    for (const [channel, at] of this.#notBefore)
      if (!channels.has(channel) && at <= now) this.#notBefore.delete(channel);
    let due = now + (channels.size > 0 ? OUTBOX_POLL_MS : IDLE_OUTBOX_POLL_MS);
    const free = [...channels].filter((channel) => !this.#busy.has(channel));
    // The channel that waited longest goes first, or a few busy channels would use up the workspace's rate.
    for (const channel of free.sort((a, b) => this.#heldUntil(a) - this.#heldUntil(b))) {
      const at = Math.max(this.#heldUntil(channel), this.#nextStart);
      if (at > now) due = Math.min(due, at);
      else if (this.#busy.size < 8) this.#startStep(channel, now);
    }
    return due;
  }

  #heldUntil(channel: PostDestination): number {
    return this.#notBefore.get(channel) ?? 0;
  }

  #startStep(channel: PostDestination, now: number): void {
    this.#nextStart = now + MIN_WORKSPACE_POST_GAP_MS;
    this.#start(channel, () =>
      this.#take(
        channel,
        () => sendNextPost(this.#context, this.#memory, channel),
        (at) => this.#notBefore.set(channel, at),
      ),
    );
  }

  #startUpdate(now: number): void {
    if (this.#busy.has('updates') || this.#nextUpdate > now) return;
    this.#start('updates', () =>
      this.#take(
        'updates',
        () => updateNextMessage(this.#context, this.#memory),
        (at) => {
          this.#nextUpdate = at;
        },
      ),
    );
  }

  /** @param run must not reject */
  #start(key: Task, run: () => Promise<void>): void {
    const done = run().finally(() => {
      this.#busy.delete(key);
      this.wake();
    });
    this.#busy.set(key, done);
  }

  async #take(key: Sending, step: () => Promise<NextChannelCheck>, holdUntil: (at: number) => void) {
    const { clock, log } = this.#context;
    try {
      const next = await step();
      if (next.kind === 'token') return this.#pauseAll(next.error, key);
      holdUntil(next.kind === 'at' ? next.at : clock.monotonicNow() + OUTBOX_POLL_MS);
    } catch (thrown) {
      // The shutdown already reported this step as dropped, and the store is closed.
      if (this.#isOver) return;
      log.error('a delivery step failed', { step: key, error: asError(thrown) });
      holdUntil(clock.monotonicNow() + FAULT_PAUSE_MS);
    }
  }

  #pauseAll(error: string, causedBy: Sending): void {
    const { clock, log } = this.#context;
    if (this.#pause) return void this.#pause.causes.add(causedBy);
    const pause = { since: clock.now(), error, failures: 1, until: 0, causes: new Set([causedBy]) };
    this.#pause = pause;
    pause.until = clock.monotonicNow() + this.#pauseMs(pause);
    log.error('Slack rejected the token, delivery is paused', { error });
  }

  #pauseMs({ failures }: Pause): number {
    return backoffDelayMs(failures, 10 * SECOND, 5 * MINUTE, this.#context.random);
  }

  /** Ends the pause once the token is accepted; else it continues, longer after each new rejection. */
  async #checkToken(pause: Pause): Promise<void> {
    const { clock, log } = this.#context;
    try {
      const state = await this.#memory.checkToken();
      if (state === 'accepted') return this.#resume(pause);
      if (state === 'refused') pause.failures++;
      log.warn('delivery is still paused, Slack does not accept the token', { state, error: pause.error });
    } catch (thrown) {
      log.error('could not check the token', { error: asError(thrown) });
    }
    pause.until = clock.monotonicNow() + this.#pauseMs(pause);
  }

  /** The turns that caused the pause go last: they may cause the next one. */
  #resume({ causes, since }: Pause): void {
    const { clock, log } = this.#context;
    this.#pause = undefined;
    const last = clock.monotonicNow() + SECOND;
    for (const cause of causes) {
      if (cause === 'updates') this.#nextUpdate = last;
      else this.#notBefore.set(cause, last);
    }
    log.info('Slack accepts the token again', { pausedMs: clock.now() - since });
  }

  /** Waits until `due` or until `wake`. */
  async #rest(due: number): Promise<void> {
    if (this.#isAwake) return;
    const { clock } = this.#context;
    await new Promise<void>((resolve) => {
      const cancel = clock.runAfter(due - clock.monotonicNow(), resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
    this.#wakeUp = () => undefined;
  }
}
