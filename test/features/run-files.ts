/** Which files of the product run while something happens, by V8's precise coverage. */
import { Session } from 'node:inspector/promises';

/** The product's file of a script's address: `src/feed/poller.ts`. Undefined for all other code. */
function productFile(url: string): string | undefined {
  const file = /\/(src\/.+)\.[jt]s$/u.exec(url)?.[1];
  return file === undefined || file.startsWith('src/workbench/') ? undefined : `${file}.ts`;
}

/**
 * @param action returns when its result is visible and everything it started has ended
 * @returns how many functions of each file ran
 */
export async function listRunFiles(action: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await action();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = new Map<string, number>();
    for (const { url, functions } of result) {
      const file = productFile(url);
      const count = functions.filter(({ ranges: [range] }) => (range?.count ?? 0) > 0).length;
      if (file !== undefined && count > 0) ran.set(file, (ran.get(file) ?? 0) + count);
    }
    return ran;
  } finally {
    session.disconnect();
  }
}
