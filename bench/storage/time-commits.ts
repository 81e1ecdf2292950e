import { performance } from 'node:perf_hooks';
import type { StorageContender } from './protocol.ts';

/** How long commits of `change` take, in ms: one after the other, each by itself, and begun together, as a whole. */
export function timeCommits(
  change: () => Promise<void>,
): Pick<StorageContender, 'commit' | 'commitTogether'> {
  return {
    commit: async (count) => {
      const took: number[] = [];
      for (let at = 0; at < count; at++) {
        const began = performance.now();
        await change();
        took.push(performance.now() - began);
      }
      return took;
    },
    commitTogether: async (count) => {
      const began = performance.now();
      await Promise.all(Array.from({ length: count }, change));
      return performance.now() - began;
    },
  };
}
