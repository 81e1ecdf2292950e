/** One request for a claim, and its answer stored at last, or never. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SECOND } from '../../src/clock.ts';
import { Attempts } from '../../src/effects/attempt.ts';
import { collection, StorageError, type Transaction } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';

const Claim = z.object({ id: z.string(), at: z.number(), outcome: z.string().optional() });
const claims = collection({
  name: 'claims',
  schema: Claim,
  key: ({ at }) => [at],
  indexes: { open: ({ at, outcome }) => (outcome === undefined ? [at] : undefined) },
});

function open() {
  const [clock, store] = [new ManualClock(), createMemoryStore({ collections: [claims] })];
  const unstored: string[] = [];
  const attempts = new Attempts<string, string>({
    store,
    clock,
    retriesMs: [SECOND, 5 * SECOND, 15 * SECOND],
    onUnrecorded: (name, { message }) => unstored.push(`${name}: ${message}`),
  });
  let asked = 0;
  /** One request about a thing, whose answer `record` stores. */
  const ask = (name: string, record: (tx: Transaction, answer: string) => Promise<string | undefined>) =>
    attempts.askOnce<string, string>(name, {
      ask: async () => `answer ${++asked}`,
      classify: () => 'unknown',
      record,
      apply: (answer) => `${answer}, not stored`,
    });
  return { clock, store, attempts, unstored, ask, asked: () => asked };
}

describe('an attempt', () => {
  it('runs until the last of several about the same thing is over, also if one fails', async () => {
    const { attempts } = open();
    let end = () => {};
    const first = attempts.run(
      'mine',
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    expect([attempts.has('mine'), attempts.has('other')]).toEqual([true, false]);
    await expect(attempts.run('mine', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(attempts.has('mine')).toBe(true);
    end();
    await first;
    expect(attempts.has('mine')).toBe(false);
  });

  it('shows what was stored, or else what would have been', async () => {
    const { ask } = open();
    expect(await ask('mine', async (_, answer) => `${answer}, stored`)).toBe('answer 1, stored');
    expect(await ask('mine', async () => undefined)).toBe('answer 2, not stored');
  });

  it('takes an error for the answer that it stands for', async () => {
    const { attempts } = open();
    const told: string[] = [];
    const failures: (() => Promise<string>)[] = [
      () => Promise.reject(new Error('no answer')),
      () => {
        throw new Error('ours');
      },
    ];
    for (const fail of failures) {
      const seen = attempts.askOnce<string, string>('mine', {
        ask: fail,
        classify: (thrown) => `unknown: ${(thrown as Error).message}`,
        onAnswer: (answer) => told.push(answer),
        record: async (_, answer) => answer,
        apply: () => 'never',
      });
      expect(await seen).toBe(told.at(-1));
    }
    expect(told).toEqual(['unknown: no answer', 'unknown: ours']);
  });

  it('asks once, and keeps the answer while the disk refuses it', async () => {
    const { clock, store, attempts, unstored, ask, asked } = open();
    let refuses = true;
    const record = async (_: Transaction, answer: string) => {
      if (refuses) throw new StorageError('full', 'the disk is full');
      return answer;
    };
    const shown = ask('mine', record);
    await passTime(clock, 20 * SECOND);
    expect(attempts.has('mine')).toBe(false);
    await passTime(clock, SECOND);
    expect(await shown).toBe('answer 1, not stored');
    expect(unstored).toEqual(Array.from({ length: 4 }, () => 'mine: the disk is full'));
    expect([attempts.has('mine'), attempts.findUnrecorded('mine')]).toEqual([true, 'answer 1, not stored']);
    await attempts.retryRecording();
    expect(attempts.has('mine')).toBe(true);
    refuses = false;
    await attempts.retryRecording();
    expect([attempts.has('mine'), attempts.findUnrecorded('mine')]).toEqual([false, undefined]);
    store.failNext();
    const second = ask('other', record);
    await passTime(clock, SECOND);
    expect([await second, asked()]).toEqual(['answer 2', 2]);
  });

  it('gives its answer up at once if the fault is ours, or the store is closed', async () => {
    for (const thrown of [new Error('ours'), new StorageError('closed', 'closed')]) {
      const { attempts, ask } = open();
      const shown = ask('mine', () => Promise.reject(thrown));
      await settle();
      expect(await shown).toBe('answer 1, not stored');
      expect(attempts.has('mine')).toBe(false);
    }
  });
});

describe('claims of a previous process', () => {
  const settleAll = async (count: number, before?: number, running: readonly string[] = []) => {
    const { store, attempts } = open();
    await store.transact(async (tx) => {
      for (let at = 1; at <= count; at++) await tx.put(claims, { id: `c${at}`, at });
    });
    for (const name of running) void attempts.run(name, () => new Promise(() => undefined));
    const settled = await attempts.settleAbandoned(
      {
        collection: claims,
        index: 'open',
        nameOf: ({ id }) => id,
        settle: (tx, claim) => tx.put(claims, { ...claim, outcome: 'unknown' }),
      },
      before,
    );
    const all = await store.read((tx) => tx.list(claims, { limit: 100 }));
    const left = all.filter(({ value }) => value.outcome === undefined).map(({ value }) => value.id);
    return { settled, left };
  };

  it.each([1, 20, 45])('are settled, all %d of them', async (count) => {
    expect(await settleAll(count)).toEqual({ settled: count, left: [] });
  });

  it('are left alone if they are younger than asked for, or run here', async () => {
    expect(await settleAll(4, 3)).toEqual({ settled: 2, left: ['c3', 'c4'] });
    expect(await settleAll(45, undefined, ['c1', 'c30'])).toEqual({ settled: 43, left: ['c1', 'c30'] });
  });
});
