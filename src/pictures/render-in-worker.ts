/** Gets one chart from a worker thread, or the reason for its failure. */
import type { Worker } from 'node:worker_threads';
import { type Clock, SECOND } from '../clock.ts';
import { type ChartData, ChartError, type ChartImage } from './chart-renderer.ts';
import type { ChartWorkerResponse } from './worker.ts';

const PATIENCE_MS = 20 * SECOND;

/**
 * Waits for the answer up to a time limit. The worker must be idle before, and must be ended after an error.
 * @throws ChartError.
 */
export function renderInWorker(
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
