/** Charts: numbers in, a PNG out. A worker thread draws them, and lives only while there is work. */

import { Worker } from 'node:worker_threads';
import { type Clock, type Instant, MINUTE, SECOND } from '../clock.ts';
import { asError, GigdeskError } from '../errors.ts';

/** Credits spent in a billing period, compared with an even pace. */
export interface BurnChartData {
  readonly kind: 'burn';
  readonly timezone: string;
  readonly startsAt: Instant;
  readonly resetsAt: Instant;
  readonly now: Instant;
  /** The channel's budget; missing: unlimited. */
  readonly limit?: number;
  /** Total spending at each moment, rising. */
  readonly spent: readonly { readonly at: Instant; readonly total: number }[];
  readonly runsOutAt?: Instant;
}

/** Outcomes of the proposals sent in a period of days. */
export interface FunnelChartData {
  readonly kind: 'funnel';
  readonly days: number;
  readonly sent: number;
  readonly viewed: number;
  readonly interviewed: number;
  readonly hired: number;
  /** Replies to invitations, which the numbers above leave out. */
  readonly invited: { readonly sent: number; readonly hired: number };
}

export interface HoursChartData {
  readonly kind: 'hours';
  readonly days: number;
  readonly timezone: string;
  /** Seven rows from Monday, each with 24 hours: the number of projects. */
  readonly counts: readonly (readonly number[])[];
}

export type ChartData = BurnChartData | FunnelChartData | HoursChartData;

/** A PNG and its size in pixels. */
export interface ChartImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * No chart. `refused`: it can't be drawn, and a retry would fail too. `late`: not ready in 20 s. `ended`: the
 * worker thread crashed or can't start. `closed`: the process is shutting down.
 */
export class ChartError extends GigdeskError {
  override readonly name = 'PictureError';
  readonly code: 'refused' | 'late' | 'ended' | 'closed';

  constructor(code: ChartError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface ChartRenderer {
  /** Draws one chart at a time; others wait for their turn. @throws ChartError */
  renderChart(picture: ChartData): Promise<ChartImage>;
  /** Ends the worker thread, even while it draws. Later charts are refused as `closed`. */
  close(): Promise<void>;
}

/** What `worker.ts` answers. */
export type ChartWorkerResponse =
  | { readonly kind: 'drawn'; readonly picture: ChartImage }
  | { readonly kind: 'refused'; readonly error: Error };

/** Starting a worker takes half a second; keeping it takes some 50 MB. */
const IDLE_MS = MINUTE;
/** Many times what a chart needs. A chart that exceeds it ends its worker, not the process. */
const HEAP_MB = 256;

interface ChartRendererOptions {
  readonly clock: Clock;
  /** The compiled worker, by default next to this file. Tests run uncompiled and set another path. */
  readonly workerUrl?: URL;
}

function startWorker(url: URL): Worker {
  try {
    // The worker gets no environment variables, since they include secrets.
    const worker = new Worker(url, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    worker.unref();
    // Without a listener, an error of an idle worker would end the process.
    worker.on('error', () => undefined);
    return worker;
  } catch (thrown) {
    throw new ChartError('ended', "Couldn't start the chart worker", { cause: asError(thrown) });
  }
}

/** Starts nothing before the first chart, and never keeps the process alive. */
export function createChartRenderer(options: ChartRendererOptions): ChartRenderer {
  const { clock, workerUrl = new URL('./worker.js', import.meta.url) } = options;
  const closing = new AbortController();
  let worker: Worker | undefined;
  let stayOn: () => void = () => undefined;
  /** Resolves when the previous chart is done; never rejects. */
  let turn: Promise<unknown> = Promise.resolve();

  const rest = async () => {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };

  const begin = (): Worker => {
    const begun = startWorker(workerUrl);
    begun.on('exit', () => {
      if (worker === begun) worker = undefined;
    });
    return begun;
  };

  const ask = async (picture: ChartData) => {
    if (closing.signal.aborted) throw new ChartError('closed', 'Charts are off: Gigdesk is shutting down');
    worker ??= begin();
    try {
      const drawn = await renderInWorker(worker, picture, { clock, signal: closing.signal });
      stayOn = clock.runAfter(IDLE_MS, () => void rest());
      return drawn;
    } catch (thrown) {
      await rest();
      throw thrown;
    }
  };

  const drawNow = async (picture: ChartData) => {
    stayOn();
    const isKept = worker !== undefined;
    try {
      return await ask(picture);
    } catch (thrown) {
      // A kept worker may have crashed while idle. That isn't the chart's fault, so it is tried again.
      if (isKept && thrown instanceof ChartError && thrown.code === 'ended') return ask(picture);
      throw thrown;
    }
  };

  return {
    renderChart: (picture) => {
      const drawn = turn.then(() => drawNow(picture));
      turn = drawn.catch(() => undefined);
      return drawn;
    },
    close: async () => {
      closing.abort();
      await turn;
      stayOn();
      await rest();
    },
  };
}

const PATIENCE_MS = 20 * SECOND;

/**
 * Waits for the answer up to a time limit. The worker must be idle before, and must be ended after an error.
 * @throws ChartError.
 */
function renderInWorker(
  worker: Worker,
  picture: ChartData,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ChartImage> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      callOff();
      worker.off('message', take).off('error', fail).off('exit', leave);
      signal.removeEventListener('abort', close);
    };
    const giveUp = (code: ChartError['code'], message: string, cause?: Error) => {
      stopWaiting();
      reject(new ChartError(code, `Couldn't draw the ${picture.kind} chart: ${message}`, cause && { cause }));
    };
    const take = (answer: ChartWorkerResponse) => {
      if (answer.kind === 'refused') return giveUp('refused', 'drawing failed', answer.error);
      stopWaiting();
      resolve(answer.picture);
    };
    const fail = (error: Error) => giveUp('ended', 'the worker failed', error);
    const leave = (code: number) => giveUp('ended', `the worker exited with code ${code}`);
    const close = () => giveUp('closed', 'Gigdesk is shutting down');
    const callOff = clock.runAfter(PATIENCE_MS, () => giveUp('late', `not done after ${PATIENCE_MS} ms`));
    worker.on('message', take).on('error', fail).on('exit', leave);
    signal.addEventListener('abort', close);
    worker.postMessage(picture);
  });
}
