/** When the gate tries more requests than its believed limit. */
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { passTime, settle } from '../../pass-time.ts';
import { done, MemoryJournal, order, takeAll, worldWith } from './world.ts';

/** A gate with a known limit of ten, after two minutes without a refusal. */
async function quietGate() {
  const journal = new MemoryJournal();
  journal.saved = { recent: [], limitPerMinute: 10, probePauseMs: 2 * MINUTE };
  const world = await worldWith('auto', journal);
  await passTime(world.clock, 2 * MINUTE);
  return world;
}

describe('one more than the limit is let out', () => {
  test('where somebody waits and all is in use', async () => {
    const { gate } = await quietGate();
    await takeAll(gate, 10);
    expect(gate.status()).toMatchObject({ limitPerMinute: 10, used: 10 });
    await takeAll(gate, 1);
    expect(gate.status()).toMatchObject({ limitPerMinute: 11, used: 11, waiting: 0 });
  });

  test('and another only once that one was answered', async () => {
    const { gate } = await quietGate();
    await takeAll(gate, 10);
    const [attempt] = await takeAll(gate, 1);
    const entered = order(gate, ['person']);
    await settle();
    expect(entered).toEqual([]);
    expect(gate.status()).toMatchObject({ limitPerMinute: 11, waiting: 1 });
    attempt?.finish(done);
    await settle();
    expect(entered).toEqual(['person']);
    expect(gate.status().limitPerMinute).toBe(12);
  });

  test('for background work where its share alone is in use', async () => {
    const { gate } = await quietGate();
    await takeAll(gate, 8, 'feed');
    expect(gate.status().limitPerMinute).toBe(10);
    await takeAll(gate, 1, 'feed');
    expect(gate.status()).toMatchObject({ limitPerMinute: 12, used: 9 });
  });

  test('not where what was in use has failed: that proves no room', async () => {
    const { gate } = await quietGate();
    for (const permit of await takeAll(gate, 10)) permit.finish({ kind: 'failed' });
    const entered = order(gate, ['person']);
    await settle();
    expect(entered).toEqual([]);
    expect(gate.status()).toMatchObject({ limitPerMinute: 10, waiting: 1 });
  });

  test('where four fifths of what is in use were let through, and no less', async () => {
    for (const [failed, limit] of [
      [2, 11],
      [3, 10],
    ] as const) {
      const { gate } = await quietGate();
      const permits = await takeAll(gate, 10);
      for (const [index, permit] of permits.entries())
        permit.finish(index < failed ? { kind: 'failed' } : done);
      order(gate, ['person']);
      await settle();
      expect(gate.status().limitPerMinute).toBe(limit);
    }
  });

  test('not for background work that waits for its turn, and not because of the limit', async () => {
    const { clock, gate } = await quietGate();
    for (const permit of await takeAll(gate, 7, 'feed')) permit.finish(done);
    await passTime(clock, 11_000);
    const entered = order(gate, ['feed']);
    await settle();
    expect(entered).toEqual([]);
    expect(gate.status()).toMatchObject({ limitPerMinute: 10, used: 7, waiting: 1 });
  });

  test('not before two minutes without a refusal', async () => {
    const journal = new MemoryJournal();
    journal.saved = { recent: [], limitPerMinute: 10, probePauseMs: 2 * MINUTE };
    const { clock, gate } = await worldWith('auto', journal);
    await passTime(clock, 2 * MINUTE - 1);
    await takeAll(gate, 10);
    const entered = order(gate, ['person']);
    await settle();
    expect([entered, gate.status().limitPerMinute]).toEqual([[], 10]);
  });
});
