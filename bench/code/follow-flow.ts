/** Runs one action and reports which of our code ran for it, and what it asked of the store. */
import { RecordTransaction } from '../../src/storage/memory/transaction.ts';
import { listRunFiles } from '../../test/features/run-files.ts';

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

/** @param action returns when its result is visible and everything it started has ended. */
export async function followFlow(action: () => Promise<void>): Promise<Flow> {
  calls = { ...NO_CALLS };
  const ran = await listRunFiles(action);
  const functions = [...ran.values()].reduce((sum, count) => sum + count, 0);
  return { files: ran.size, functions, store: { ...calls } };
}
