import { monitorEventLoopDelay } from 'node:perf_hooks';
import { machineClock } from '../src/clock.ts';

/** Starts watching; the returned function stops and returns the event loop's longest stall, in ms. */
export function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    delays.disable();
    return delays.max / 1e6;
  };
}

/** The longest stall of an idle loop within `ms`: the noise of the machine. */
export async function measureIdleStall(ms: number): Promise<number> {
  const end = watchStalls();
  await machineClock.sleep(ms);
  return end();
}
