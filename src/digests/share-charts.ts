/**
 * Shares charts in digest threads. The request is stored before it is sent: after a crash or a missing
 * response, the thread is checked before sharing again.
 */

import { WakeSignal } from '../base/wake-signal.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import { postKey, posts } from '../outbox/posts.ts';
import type { DigestsContext } from './context.ts';
import {
  applySharingFailure,
  type ChartSharingStep,
  decideChartSharing,
  type SharedChartFile,
} from './decide-chart-sharing.ts';
import { type DigestRecord, digestRecords } from './records.ts';
import { uploadCharts } from './upload-charts.ts';

const AT_ONCE = 20;
const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = MINUTE;
const DRAIN_MS = 5 * SECOND;
/** By then a sent request has taken effect, so a check of the thread is reliable. */
const ARRIVED_MS = 15 * SECOND;

type Sharing = NonNullable<DigestRecord['pictures']>;
type Place = Extract<ChartSharingStep, { kind: 'draw' | 'look' }>['place'];

/** Whether Slack may have carried out the request. */
function isUnknown(thrown: unknown): boolean {
  return !(thrown instanceof Error && 'end' in thrown) || thrown.end === 'unknown';
}

export class ChartSharing {
  readonly #context: DigestsContext;
  readonly #bell = new WakeSignal();

  constructor(context: DigestsContext) {
    this.#context = context;
  }

  wakeLoop(): void {
    this.#bell.wake();
  }

  /** Runs until stopped, then waits briefly for the current step. Never throws. */
  async runChartSharing(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    const patience = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => clock.runAfter(DRAIN_MS, resolve), { once: true });
    });
    // A step that still runs then finds the store closed; the next start checks its charts.
    await Promise.race([this.#loop(signal), patience]);
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const step = () => this.#turn(signal);
    const loop = { name: 'Chart sharing', step, retryAfterMs: AFTER_FAULT_MS, wake: this.#bell };
    await runLoop(this.#context, loop, signal);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { store, team, clock } = this.#context;
    const range = { index: 'pictures', prefix: [team] as const, limit: AT_ONCE };
    const open = (await store.read((tx) => tx.list(digestRecords, range))).map(({ value }) => value);
    const now = clock.now();
    const due = open.filter(({ pictures }) => pictures && pictures.dueAt <= now);
    for (const record of due) {
      if (signal.aborted) return;
      await this.#step(record, signal);
    }
    if (due.length > 0) return;
    const next = open[0]?.pictures?.dueAt ?? Number.POSITIVE_INFINITY;
    await this.#bell.wait(clock, Math.min(LONGEST_SLEEP_MS, next - now), signal);
  }

  async #put(record: DigestRecord, pictures: Sharing | undefined): Promise<void> {
    const { store, team } = this.#context;
    await store.transact(async (tx) => {
      const now = await tx.get(digestRecords, [team, record.id]);
      if (!now) return;
      const { pictures: _, ...rest } = now;
      await tx.put(digestRecords, [team, record.id], pictures ? { ...rest, pictures } : rest);
    });
  }

  async #step(record: DigestRecord, signal: AbortSignal): Promise<void> {
    const { store, team, clock, log } = this.#context;
    const { pictures } = record;
    if (!pictures) return;
    const post = await store.read((tx) => tx.get(posts, postKey(team, record.id)));
    const step = decideChartSharing(record, post, clock.now());
    switch (step.kind) {
      case 'wait':
        return this.#put(record, { ...pictures, dueAt: step.until });
      case 'give-up':
        log.info("Charts skipped: the digest wasn't posted in time", {
          digest: record.id,
        });
        return this.#put(record, { ...pictures, state: 'failed' });
      case 'draw':
        return this.#draw(record, pictures, step.place, signal);
      case 'look':
        return this.#look(record, pictures, step.place);
    }
  }

  async #draw(record: DigestRecord, pictures: Sharing, place: Place, signal: AbortSignal): Promise<void> {
    let files: readonly SharedChartFile[];
    try {
      files = await uploadCharts(this.#context, record.facts, signal);
    } catch (thrown) {
      // The next start draws them again; unshared uploads are never visible.
      if (signal.aborted) return;
      return this.#fail(record, pictures, 'waiting', thrown);
    }
    if (files.length === 0) return this.#put(record, undefined);
    return this.#share(record, { ...pictures, files: [...files], thread: place.thread }, place);
  }

  async #look(record: DigestRecord, pictures: Sharing, place: Place): Promise<void> {
    const ids = pictures.files.map(({ id }) => id);
    try {
      if (await this.#context.port.isAnyChartShared(ids, place))
        return this.#put(record, { ...pictures, state: 'shared' });
    } catch (thrown) {
      return this.#fail(record, pictures, 'sharing', thrown);
    }
    return this.#share(record, pictures, place);
  }

  async #share(record: DigestRecord, before: Sharing, place: Place): Promise<void> {
    const pictures: Sharing = { ...before, state: 'sharing', dueAt: this.#context.clock.now() + ARRIVED_MS };
    await this.#put(record, pictures);
    const comment = pictures.files.map(({ title }) => title).join(' · ');
    try {
      await this.#context.port.shareCharts(pictures.files, place, comment);
    } catch (thrown) {
      return this.#fail(record, pictures, isUnknown(thrown) ? 'sharing' : 'waiting', thrown);
    }
    return this.#put(record, { ...pictures, state: 'shared' });
  }

  async #fail(
    record: DigestRecord,
    pictures: Sharing,
    to: 'waiting' | 'sharing',
    thrown: unknown,
  ): Promise<void> {
    const after = applySharingFailure(pictures, to, this.#context.clock.now());
    const fields = { digest: record.id, failures: after.failures, error: asError(thrown) };
    if (after.state === 'failed') this.#context.log.warn('Gave up adding charts to a digest', fields);
    else this.#context.log.info("Couldn't add charts to a digest yet, retrying", fields);
    await this.#put(record, after);
  }
}
