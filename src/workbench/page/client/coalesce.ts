/**
 * Runs `work` on each call, but never twice at a time: all calls during a run share one next run. Resolves
 * when a run that began after the call has ended. Errors of `work` reach the callers of that run.
 */
export function coalesceAsyncRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return () => {
    if (next) return next;
    if (!running) return begin();
    next = running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
