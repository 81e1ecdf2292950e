/** The worker thread that draws: a picture comes in, a PNG or the reason why not goes out. Started by `create-pictures.ts`. */
import { parentPort } from 'node:worker_threads';
import { asError } from '../errors.ts';
import { drawPicture } from './draw-picture.ts';
import type { DrawnPicture, Picture } from './pictures.ts';

export type WorkerAnswer =
  | { readonly kind: 'drawn'; readonly picture: DrawnPicture }
  | { readonly kind: 'refused'; readonly error: Error };

function answer(picture: Picture): WorkerAnswer {
  try {
    return { kind: 'drawn', picture: drawPicture(picture) };
  } catch (thrown) {
    return { kind: 'refused', error: asError(thrown) };
  }
}

parentPort?.on('message', (picture: Picture) => parentPort?.postMessage(answer(picture)));
