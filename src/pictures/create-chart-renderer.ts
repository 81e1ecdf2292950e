/** Draws in a worker thread of its own, which is there only while there is something to draw. */
import { Worker } from 'node:worker_threads';
import { type Clock, MINUTE } from '../clock.ts';
import { asError } from '../errors.ts';
import { type ChartData, ChartError, type ChartRenderer } from './chart-renderer.ts';
import { renderInWorker } from './render-in-worker.ts';

/** Starting a worker takes half a second; keeping it takes some 50 MB. */
const IDLE_MS = MINUTE;
/** Many times what a picture takes: one that takes more ends its worker, not the process. */
const HEAP_MB = 256;

export interface ChartRendererOptions {
  readonly clock: Clock;
  /** The compiled worker; as a rule it lies beside this file. Tests, which are not compiled, say where else. */
  readonly workerUrl?: URL;
}

function startWorker(url: URL): Worker {
  try {
    // Of the environment, which has secrets in it, it gets nothing.
    const worker = new Worker(url, { env: {}, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    worker.unref();
    // Unheard, a fault of an idle worker would end the process.
    worker.on('error', () => undefined);
    return worker;
  } catch (thrown) {
    throw new ChartError('ended', "Couldn't start the chart worker", { cause: asError(thrown) });
  }
}

/** Nothing is started before the first picture, and nothing of this keeps the process alive. */
export function createChartRenderer(options: ChartRendererOptions): ChartRenderer {
  const { clock, workerUrl = new URL('./worker.js', import.meta.url) } = options;
  const closing = new AbortController();
  let worker: Worker | undefined;
  let stayOn: () => void = () => undefined;
  /** Ends with the picture before the next one, and never fails. */
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
      // One that was kept may have failed with nothing to do; the next picture hears of it, and is not to blame.
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
