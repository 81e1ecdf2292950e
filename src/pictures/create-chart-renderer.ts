/** Draws charts in a worker thread that lives only while there is work. */
import { Worker } from 'node:worker_threads';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { type ChartData, ChartError, type ChartImage, type ChartRenderer } from './chart-renderer.ts';
import type { ChartWorkerResponse } from './worker.ts';

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
