/** How much memory a life gathers in days: what goes when the app ends and begins anew on the same folder. */
import { MINUTE } from '../../src/clock.ts';
import type { World } from '../../test/features/world.ts';

const MEBIBYTE = 1024 * 1024;

export interface Memory {
  readonly day: number;
  /** Of everything, simulators included. MB. */
  readonly heapMb: number;
  /** What went with the life that had lasted until then, beyond what one that has just begun takes. MB. */
  readonly gatheredMb: number;
}

/** Of the whole process. MB. @throws Error without `--expose-gc` */
export function heapAfterCollection(): number {
  if (!globalThis.gc) throw new Error('run this with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

export async function measureMemory(world: World, day: number): Promise<Memory> {
  await world.pass(2 * MINUTE);
  const before = heapAfterCollection();
  await world.end();
  await world.pass(2 * MINUTE);
  await world.restart();
  await world.pass(2 * MINUTE);
  return { day, heapMb: before, gatheredMb: before - heapAfterCollection() };
}
