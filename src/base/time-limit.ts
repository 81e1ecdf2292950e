/** Waits for something, but not for ever. */
import type { Clock } from '../clock.ts';

/** @param late what counts when `asked` takes longer than `ms`: its value, or what it throws */
export async function withTimeLimit<T, L>(
  clock: Pick<Clock, 'runAfter'>,
  ms: number,
  asked: PromiseLike<T>,
  late: () => L,
): Promise<T | L> {
  let cancel = () => {};
  const timeIsUp = new Promise<void>((resolve) => {
    cancel = clock.runAfter(ms, resolve);
  });
  try {
    return await Promise.race([asked, timeIsUp.then(late)]);
  } finally {
    cancel();
  }
}
