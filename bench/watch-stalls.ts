import { monitorEventLoopDelay } from 'node:perf_hooks';
import { machineClock } from '../src/clock.ts';

/** From now on; the returned function ends it and gives the longest time that the event loop was kept from a turn, in ms. */
export function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    delays.disable();
    return delays.max / 1e6;
  };
}

/** What else runs on the machine stalls an idle loop, too: the longest within `ms`. */
export async function measureIdleStall(ms: number): Promise<number> {
  const end = watchStalls();
  await machineClock.sleep(ms);
  return end();
}
