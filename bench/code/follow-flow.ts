/** Runs one action and reports which of our code ran for it, and what it asked of the store. */
import { Session } from 'node:inspector/promises';
import { RecordTransaction } from '../../src/storage/memory/transaction.ts';

export interface StoreCalls {
  get: number;
  getMany: number;
  list: number;
  put: number;
}

export interface Flow {
  readonly files: number;
  readonly functions: number;
  readonly store: Readonly<StoreCalls>;
}

const NO_CALLS: Readonly<StoreCalls> = { get: 0, getMany: 0, list: 0, put: 0 };
let calls: StoreCalls = { ...NO_CALLS };

/** Counts the calls of every transaction from now on. Call once. */
export function countStoreCalls(): void {
  for (const name of ['get', 'getMany', 'list', 'put'] as const) {
    const original: unknown = RecordTransaction.prototype[name];
    if (typeof original !== 'function') throw new TypeError(`there is no ${name} to count`);
    const counted = function (this: unknown, ...given: unknown[]): unknown {
      calls[name]++;
      return original.apply(this, given);
    };
    Object.defineProperty(RecordTransaction.prototype, name, { value: counted });
  }
}

/** Our own code, without the simulated services and this measurement. */
function isProductCode(url: string): boolean {
  return /\/dist-bench\/src\//u.test(url) && !/\/src\/workbench\//u.test(url);
}

/** @param action returns when its result is visible and everything it started has ended. */
export async function followFlow(action: () => Promise<void>): Promise<Flow> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  calls = { ...NO_CALLS };
  await action();
  const store = { ...calls };
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const ran = result
    .filter(({ url }) => isProductCode(url))
    .map(({ functions }) => functions.filter(({ ranges: [range] }) => (range?.count ?? 0) > 0).length)
    .filter((count) => count > 0);
  return { files: ran.length, functions: ran.reduce((sum, count) => sum + count, 0), store };
}
