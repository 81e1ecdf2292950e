import { expect, it } from 'vitest';
import { machineClock, SECOND, watchEventLoop } from '../../src/clock.ts';

function standStill(ms: number): void {
  for (const end = machineClock.now() + ms; machineClock.now() < end; );
}

it('a stretch in which nothing else could run shows as lag once, and an idle one does not', async () => {
  const watch = watchEventLoop();
  expect(watch.read()).toEqual({ p99Ms: 0, maxMs: 0 });
  await machineClock.sleep(100);
  standStill(400);
  await machineClock.sleep(100);
  const { maxMs } = watch.read();
  expect(maxMs).toBeGreaterThan(250);
  expect(maxMs).toBeLessThan(5 * SECOND);
  await machineClock.sleep(100);
  const after = watch.read();
  watch.stop();
  expect(after.maxMs).toBeLessThan(maxMs);
  expect(after.p99Ms).toBeLessThanOrEqual(after.maxMs);
});
