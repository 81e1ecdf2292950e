/** The decision ledger as it is stored: decisions, their outcomes, and what is deleted for its age. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { deleteOldDecision, recordDecision, recordDecisionResult } from '../../src/decisions/decisions.ts';
import { decisionHeads, decisions } from '../../src/decisions/records.ts';
import { type StoredLedgerRecord, verifyLedger } from '../../src/decisions/verify-ledger.ts';
import { ChannelId, JobId, UserId } from '../../src/ids.ts';
import { deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import type { Key, Transaction } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';

const ANN = UserId.parse('U1');
const WEB = ChannelId.parse('C1');
const START = Date.parse('2026-03-01T12:00:00Z');

function approve(tx: Transaction, at: number, job: JobId): Promise<Key> {
  const act = { kind: 'approve', job, title: 'Shop', overrides: false } as const;
  const details = { shown: [{ name: 'letter', text: 'Hi' }], cost: { connects: 16 } };
  return recordDecision(tx, { at, by: ANN, channel: WEB, act }, details);
}

async function readAll(store: ReturnType<typeof createMemoryStore>) {
  return store.read(async (tx) => {
    const all = await tx.list(decisions, { limit: 1_000 });
    const records: StoredLedgerRecord[] = all.map(({ key, value }) => ({ place: key[0], value }));
    return { records, head: await tx.get(decisionHeads, []) };
  });
}

it('an outcome names its decision, and a decision before the ledger gets none', async () => {
  const store = createMemoryStore();
  await store.transact(async (tx) => {
    const first = await approve(tx, START, JobId.parse(5));
    const second = await approve(tx, START, JobId.parse(6));
    await recordDecisionResult(tx, second, START + 1, { kind: 'approved', job: JobId.parse(6) });
    await recordDecisionResult(tx, first, START + 2, { kind: 'refused', code: 'bad-request' });
    await recordDecisionResult(tx, [1, 1], START + 3, { kind: 'approved' });
  });
  const { records, head } = await readAll(store);
  expect(verifyLedger(records, head).breaks).toEqual([]);
  const told = records.map(({ value }) => value as Record<string, unknown>);
  expect(told.map(({ entry, of, result, subject }) => ({ entry, of, result, subject }))).toEqual([
    { entry: 'decision', subject: 'Shop' },
    { entry: 'decision', subject: 'Shop' },
    { entry: 'outcome', of: 2, result: 'approved' },
    { entry: 'outcome', of: 1, result: 'refused' },
  ]);
  expect(told[0]).toMatchObject({ by: ANN, cost: { connects: 16 }, shown: { text: 'letter: Hi' } });
});

it('old entries go with the audit log, and the rest stays verifiable', async () => {
  let now = START;
  const store = createMemoryStore({ trustedNow: () => now });
  for (let day = 0; day < 450; day += 10) {
    now = START + day * DAY;
    await store.transact((tx) => approve(tx, now, JobId.parse(1)));
  }
  await deleteOldRecords(store, decisions, now, new AbortController().signal, deleteOldDecision);
  const { records, head } = await readAll(store);
  expect(records.length).toBeLessThanOrEqual(41);
  expect(verifyLedger(records, head)).toMatchObject({
    breaks: [],
    deletedUpTo: 45 - records.length,
    first: { seq: 46 - records.length },
  });
  now += 500 * DAY;
  await deleteOldRecords(store, decisions, now, new AbortController().signal, deleteOldDecision);
  const later = await readAll(store);
  expect(later.records).toHaveLength(1);
  expect(verifyLedger(later.records, later.head).breaks).toEqual([]);
  const without = { ...head, deleted: undefined };
  expect(verifyLedger(records, without).breaks).toEqual([
    { kind: 'missing', from: 1, to: 45 - records.length },
  ]);
});
