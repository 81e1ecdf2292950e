/** How much memory the app holds after days: what goes when it ends, beside what it takes when it begins anew on the same folder. */
import { MINUTE } from '../../src/clock.ts';
import type { World } from '../../test/features/world.ts';

const MEBIBYTE = 1024 * 1024;

export interface Memory {
  readonly day: number;
  /** Of the life that had lasted until then, and of one that has just begun. The simulators' own logs are in neither. */
  readonly heldMb: number;
  readonly freshMb: number;
}

/** Of the whole process. MB. @throws Error without `--expose-gc` */
export function heapAfterCollection(): number {
  if (!globalThis.gc) throw new Error('run it with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

export async function measureMemory(world: World, day: number): Promise<Memory> {
  await world.pass(2 * MINUTE);
  const before = heapAfterCollection();
  await world.end();
  await world.pass(2 * MINUTE);
  const without = heapAfterCollection();
  await world.restart();
  await world.pass(2 * MINUTE);
  const after = heapAfterCollection();
  return { day, heldMb: before - without, freshMb: after - without };
}
