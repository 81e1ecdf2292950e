/** The worker thread that draws: a picture comes in, a PNG or the reason why not goes out. Started by `create-chart-renderer.ts`. */
import { parentPort } from 'node:worker_threads';
import { asError } from '../errors.ts';
import type { ChartData, ChartImage } from './chart-renderer.ts';
import { renderChartPng } from './render-chart.ts';

export type ChartWorkerResponse =
  | { readonly kind: 'drawn'; readonly picture: ChartImage }
  | { readonly kind: 'refused'; readonly error: Error };

function answer(picture: ChartData): ChartWorkerResponse {
  try {
    return { kind: 'drawn', picture: renderChartPng(picture) };
  } catch (thrown) {
    return { kind: 'refused', error: asError(thrown) };
  }
}

parentPort?.on('message', (picture: ChartData) => parentPort?.postMessage(answer(picture)));
