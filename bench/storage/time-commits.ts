import { performance } from 'node:perf_hooks';
import type { StorageContender } from './protocol.ts';

/** Latency of commits of `change` in ms: of each sequential commit, and of each concurrent burst. */
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
    commitTogether: async ({ atOnce, bursts }) => {
      const took: number[] = [];
      for (let burst = 0; burst < bursts; burst++) {
        const began = performance.now();
        await Promise.all(Array.from({ length: atOnce }, change));
        took.push(performance.now() - began);
      }
      return took;
    },
  };
}
