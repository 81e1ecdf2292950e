/**
 * Shares charts in digest threads. The request is stored before it is sent: after a crash or a missing
 * response, the thread is checked before sharing again.
 */

import { WakeSignal } from '../base/wake-signal.ts';
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { ChannelId, MessageTs } from '../ids.ts';
import { type Post, postKey, posts } from '../outbox/posts.ts';
import { type ChartData, ChartError, type ChartImage } from '../pictures/chart-renderer.ts';
import { describeChart } from '../pictures/describe-chart.ts';
import type { DigestsContext } from './digests.ts';
import type { DigestFacts } from './facts.ts';
import { gatherCharts } from './gather-charts.ts';
import { type DigestCharts, type DigestRecord, digestRecords } from './records.ts';

type SharedChartFile = DigestCharts['files'][number];

const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 15 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** Charts of yesterday are useless. */
const LONGEST_WAIT_MS = DAY;

/** What to do with charts that are due: draw and share them, or check whether Slack shows them already. */
type ChartSharingStep =
  | {
      readonly kind: 'draw' | 'look';
      readonly place: { readonly channel: ChannelId; readonly thread: MessageTs };
    }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'give-up' };

/** @param post the digest's post */
function decideChartSharing(record: DigestRecord, post: Post | undefined, now: Instant): ChartSharingStep {
  const ageMs = now - record.at;
  if (!post || post.state === 'failed' || ageMs > LONGEST_WAIT_MS) return { kind: 'give-up' };
  if (post.state !== 'posted' || post.ts === undefined)
    return { kind: 'wait', until: now + Math.min(LONGEST_PAUSE_MS, Math.max(SECOND, ageMs / 4)) };
  const place = { channel: post.postedIn ?? record.facts.channel, thread: post.ts };
  // Slack may have shared them already: check before sharing again.
  return { kind: record.pictures?.state === 'sharing' ? 'look' : 'draw', place };
}

/** The pause after the latest of this many failures. */
function computeSharingRetryPause(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (failures - 1));
}

/** @param to the state to retry from, given what is known about Slack's side */
function applySharingFailure(sharing: DigestCharts, to: 'waiting' | 'sharing', now: Instant): DigestCharts {
  const failures = sharing.failures + 1;
  if (failures >= MOST_FAILURES) return { ...sharing, state: 'failed', failures };
  return { ...sharing, state: to, failures, dueAt: now + computeSharingRetryPause(failures) };
}

const AT_ONCE = 20;
const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = MINUTE;
const DRAIN_MS = 5 * SECOND;
/** By then a sent request has taken effect, so a check of the thread is reliable. */
const ARRIVED_MS = 15 * SECOND;

type Place = Extract<ChartSharingStep, { kind: 'draw' | 'look' }>['place'];

/** Whether Slack may have carried out the request. */
function isUnknown(thrown: unknown): boolean {
  return !(thrown instanceof Error && 'failureKind' in thrown) || thrown.failureKind === 'unknown';
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

  async #put(record: DigestRecord, pictures: DigestCharts | undefined): Promise<void> {
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

  async #draw(
    record: DigestRecord,
    pictures: DigestCharts,
    place: Place,
    signal: AbortSignal,
  ): Promise<void> {
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

  async #look(record: DigestRecord, pictures: DigestCharts, place: Place): Promise<void> {
    const ids = pictures.files.map(({ id }) => id);
    try {
      if (await this.#context.port.isAnyChartShared(ids, place))
        return this.#put(record, { ...pictures, state: 'shared' });
    } catch (thrown) {
      return this.#fail(record, pictures, 'sharing', thrown);
    }
    return this.#share(record, pictures, place);
  }

  async #share(record: DigestRecord, before: DigestCharts, place: Place): Promise<void> {
    const pictures: DigestCharts = {
      ...before,
      state: 'sharing',
      dueAt: this.#context.clock.now() + ARRIVED_MS,
    };
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
    pictures: DigestCharts,
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

/** Slack's limit for the alternative text. */
const LONGEST_ALT = 1_000;

/** Slack shows the title next to the chart, whose headline says the rest. */
const FILES: Readonly<Record<ChartData['kind'], { readonly name: string; readonly title: string }>> = {
  burn: { name: 'credits.png', title: 'Credits' },
  funnel: { name: 'proposals.png', title: 'Proposals' },
  hours: { name: 'hours.png', title: 'When projects arrive' },
};

/** undefined: this chart can't be drawn, but others can. @throws ChartError that a retry may fix */
async function draw({ charts, log }: DigestsContext, picture: ChartData): Promise<ChartImage | undefined> {
  try {
    return await charts.renderChart(picture);
  } catch (thrown) {
    if (!(thrown instanceof ChartError) || thrown.code !== 'refused') throw thrown;
    log.error("Couldn't draw a chart", { picture: picture.kind, error: asError(thrown) });
    return undefined;
  }
}

/**
 * Draws a digest's charts and uploads them to Slack without showing them yet.
 * @returns an empty list if there is nothing to show
 * @throws ChartError, the port's errors, and the signal's reason
 */
async function uploadCharts(
  context: DigestsContext,
  facts: DigestFacts,
  signal: AbortSignal,
): Promise<readonly SharedChartFile[]> {
  const files: SharedChartFile[] = [];
  for (const picture of await gatherCharts(context, facts)) {
    const drawn = await draw(context, picture);
    signal.throwIfAborted();
    if (!drawn) continue;
    const { name, title } = FILES[picture.kind];
    const alt = describeChart(picture).alt.slice(0, LONGEST_ALT);
    const id = await context.port.uploadChart({ png: drawn.png, name, alt });
    files.push({ id, title });
  }
  return files;
}
