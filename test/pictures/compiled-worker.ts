import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkCompiledFiles } from '../compiled-files.ts';

export interface CompiledWorker {
  /** For `createChartRenderer`: Node 20 can't start a thread with TypeScript. */
  readonly workerUrl: URL;
  /** The compiled `chart-renderer.ts`, which finds its worker on its own. */
  readonly chartRendererUrl: URL;
  remove(): Promise<void>;
}

/** Compiles the chart renderer; takes about a second. */
export async function compileWorker(): Promise<CompiledWorker> {
  const tree = await linkCompiledFiles();
  const compiled = (file: string) => pathToFileURL(join(tree.place, 'src/pictures', file));
  return {
    workerUrl: compiled('worker.js'),
    chartRendererUrl: compiled('chart-renderer.js'),
    remove: () => tree.remove(),
  };
}
