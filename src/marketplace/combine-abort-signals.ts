/**
 * Combines several abort signals into one. `AbortSignal.any` would leave a trace of each call on a long-lived
 * signal.
 */
import { setMaxListeners } from 'node:events';

export interface CombinedSignal {
  readonly signal: AbortSignal;
  detach(): void;
}

/** Aborts as soon as one of the signals does, with its reason. */
export function combineAbortSignals(signals: readonly (AbortSignal | undefined)[]): CombinedSignal {
  const control = new AbortController();
  const followed = signals.filter((signal) => signal !== undefined);
  const follow = () => control.abort(followed.find((signal) => signal.aborted)?.reason);
  if (followed.some((signal) => signal.aborted)) follow();
  for (const signal of followed) {
    // Each call in flight adds one listener and removes it at its end, so Node's leak warning would be wrong.
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
