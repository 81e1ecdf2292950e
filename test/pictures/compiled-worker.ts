import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileTree } from '../compile-tree.ts';

export interface CompiledWorker {
  /** For `createPictures`: Node 20 can't start a thread with TypeScript. */
  readonly workerUrl: URL;
  /** The compiled `create-pictures.ts`, which finds its worker by itself. */
  readonly createPicturesUrl: URL;
  remove(): Promise<void>;
}

/** Compiles what draws pictures; takes about a second. */
export async function compileWorker(): Promise<CompiledWorker> {
  const tree = await compileTree('src/pictures/create-pictures.ts');
  const compiled = (file: string) => pathToFileURL(join(tree.place, 'src/pictures', file));
  return {
    workerUrl: compiled('worker.js'),
    createPicturesUrl: compiled('create-pictures.js'),
    remove: () => tree.remove(),
  };
}
