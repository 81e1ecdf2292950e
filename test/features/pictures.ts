/** Pictures of the app beside simulated services: how they look is tried elsewhere, and a worker's time is not the clock's. */
import { ChartError, type ChartRenderer } from '../../src/pictures/chart-renderer.ts';

/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const plainPictures: ChartRenderer = {
  renderChart: async () => ({ png: Buffer.from(PIXEL, 'base64'), width: 1, height: 1 }),
  close: async () => undefined,
};

export const noPictures: ChartRenderer = {
  renderChart: () => Promise.reject(new ChartError('ended', 'the worker has ended')),
  close: async () => undefined,
};
