/** The worker thread that draws charts: data in, a PNG or an error out. `chart-renderer.ts` starts it. */
import { parentPort } from 'node:worker_threads';
import { asError } from '../errors.ts';
import type { ChartData, ChartWorkerResponse } from './chart-renderer.ts';
import { renderChartPng } from './render-chart.ts';

function answer(picture: ChartData): ChartWorkerResponse {
  try {
    return { kind: 'drawn', picture: renderChartPng(picture) };
  } catch (thrown) {
    return { kind: 'refused', error: asError(thrown) };
  }
}

parentPort?.on('message', (picture: ChartData) => parentPort?.postMessage(answer(picture)));
