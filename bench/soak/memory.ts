/** How much memory a process gathers over days: the difference to a new process on the same folder. */
import { MINUTE } from '../../src/clock.ts';
import type { RunningApp } from '../../test/kit/run-app.ts';

const MEBIBYTE = 1024 * 1024;

export interface Memory {
  readonly day: number;
  /** Everything, simulators included. MB. */
  readonly heapMb: number;
  /** Memory of the old process beyond what a new one takes. MB. */
  readonly gatheredMb: number;
}

/** Heap of the whole process. MB. @throws Error without `--expose-gc` */
export function heapAfterCollection(): number {
  if (!globalThis.gc) throw new Error('run this with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

export async function measureMemory(app: RunningApp, day: number): Promise<Memory> {
  await app.pass(2 * MINUTE);
  const before = heapAfterCollection();
  await app.end();
  await app.pass(2 * MINUTE);
  await app.start();
  await app.pass(2 * MINUTE);
  return { day, heapMb: before, gatheredMb: before - heapAfterCollection() };
}
