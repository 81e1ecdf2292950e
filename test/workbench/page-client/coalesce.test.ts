/** Refreshes as often as requested, but never twice at a time. */
import { describe, expect, it } from 'vitest';
import { coalesceAsyncRuns } from '../../../src/workbench/page/client/coalesce.ts';

interface Run {
  readonly end: () => void;
  readonly fail: (cause: Error) => void;
}

function watched() {
  const runs: Run[] = [];
  const again = coalesceAsyncRuns(() => new Promise<void>((end, fail) => runs.push({ end, fail })));
  return { runs, again };
}

/** Runs everything that waits for past events. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('coalesce', () => {
  it('calls that come meanwhile make one more run together, begun after they came', async () => {
    const { runs, again } = watched();
    const ended: string[] = [];
    void again().then(() => ended.push('first'));
    void again().then(() => ended.push('second'));
    void again().then(() => ended.push('third'));
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await settled();
    expect(runs).toHaveLength(2);
    expect(ended).toEqual(['first']);
    runs[1]?.end();
    await settled();
    expect(ended).toEqual(['first', 'second', 'third']);
    expect(runs).toHaveLength(2);
  });

  it('a run that fails rejects for those who waited for it, and the next one still starts', async () => {
    const { runs, again } = watched();
    const first = again();
    const second = again();
    runs[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settled();
    runs[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });
});
