/** The cost of a decision, part of whose requests had no answer: each credit counts once. */
import { expect, it } from 'vitest';
import {
  findDecision,
  listOutcomes,
  readLostCost,
  recordDecision,
  recordDecisionResult,
  recordLostRequest,
} from '../../src/decisions/decisions.ts';
import { ChannelId, FilterId, UserId } from '../../src/ids.ts';
import type { Key, Transaction } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';

async function begin() {
  const store = createMemoryStore();
  const act = { kind: 'subscribed', filter: FilterId.parse(1), rules: '', backfill: 20 } as const;
  const entry = { at: 1, by: UserId.parse('U1'), channel: ChannelId.parse('C1'), act };
  const audit = await store.transact((tx) => recordDecision(tx, entry));
  const lose = (credits: number | undefined, atMost: number) =>
    store.transact((tx) => recordLostRequest(tx, audit, { credits, atMost }, 2));
  const end = (tx: Transaction, cost: { credits: number; uncertainCredits?: number }, of: Key = audit) =>
    recordDecisionResult(tx, of, 3, { kind: 'stopped' }, cost);
  const outcomes = () =>
    store.read(async (tx) => {
      const decision = await findDecision(tx, audit);
      return (decision ? await listOutcomes(tx, decision) : []).map(({ result, cost }) => ({ result, cost }));
    });
  return { store, audit, lose, end, outcomes };
}

it('adds up before the end', async () => {
  const { store, audit, lose } = await begin();
  await lose(4, 10);
  await lose(undefined, 10);
  await lose(0, 10);
  await lose(3, 3);
  expect(await store.read((tx) => readLostCost(tx, audit))).toEqual({ credits: 7, uncertainCredits: 10 });
});

it('settles after the end what was uncertain there, and leaves the rest uncertain', async () => {
  const { store, lose, end, outcomes } = await begin();
  await store.transact((tx) => end(tx, { credits: 7, uncertainCredits: 20 }));
  await lose(4, 10);
  await lose(undefined, 10);
  expect(await outcomes()).toEqual([
    { result: 'stopped', cost: { credits: 7, uncertainCredits: 20 } },
    { result: 'stopped', cost: { credits: 11, uncertainCredits: 10 } },
  ]);
  await lose(0, 10);
  expect((await outcomes()).at(-1)).toEqual({ result: 'stopped', cost: { credits: 11 } });
});
