/**
 * Placeholder charts for app tests: other tests cover their look, and a real worker doesn't follow the manual
 * clock.
 */
import { ChartError, type ChartRenderer } from '../../src/pictures/chart-renderer.ts';

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
