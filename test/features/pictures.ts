/** Pictures of the app beside simulated services: how they look is tried elsewhere, and a worker's time is not the clock's. */
import { PictureError, type Pictures } from '../../src/pictures/pictures.ts';

/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const plainPictures: Pictures = {
  draw: async () => ({ png: Buffer.from(PIXEL, 'base64'), width: 1, height: 1 }),
  close: async () => undefined,
};

export const noPictures: Pictures = {
  draw: () => Promise.reject(new PictureError('ended', 'the worker has ended')),
  close: async () => undefined,
};
