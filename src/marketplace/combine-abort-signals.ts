/** One signal that follows several. `AbortSignal.any` would keep a trace of each call on a signal as old as the client. */
import { setMaxListeners } from 'node:events';

export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the signals followed. */
  detach(): void;
}

/** Aborted as soon as one of them is, with its reason. */
export function combineAbortSignals(signals: readonly (AbortSignal | undefined)[]): CombinedSignal {
  const control = new AbortController();
  const followed = signals.filter((signal) => signal !== undefined);
  const follow = () => control.abort(followed.find((signal) => signal.aborted)?.reason);
  if (followed.some((signal) => signal.aborted)) follow();
  for (const signal of followed) {
    // One listener for each call under way, removed when it ends: however many there are, Node need not warn of a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: control.signal,
    detach() {
      for (const signal of followed) signal.removeEventListener('abort', follow);
    },
  };
}
