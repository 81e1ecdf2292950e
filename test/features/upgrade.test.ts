/**
 * Gigdesk wrote `older-data` before bidding, settings, profiles and digests existed: records lack the fields
 * added since. This version continues with it as with its own data.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { allCollections } from '../../src/collections.ts';
import { creditPools, creditReservations, type ReservationRecord } from '../../src/credits/records.ts';
import { type Card, cards, subscriptions } from '../../src/feed/records.ts';
import { ChannelId, FilterId, TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { asRead, firstSign, statusAsRead } from './as-read.ts';
import { press } from './bidder.ts';
import { readBooks } from './read-books.ts';
import { projectOf, startWorld, type World } from './world.ts';

/** When the older version was killed. */
const THEN = 1_767_603_653_000;

let place: string;
let world: World;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'gigdesk-older-'));
  const folder = path.join(place, 'data');
  await cp(path.join(import.meta.dirname, 'older-data'), folder, { recursive: true });
  world = await startWorld({ start: THEN + MINUTE, realDisk: true });
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addFilter({ id: 102 });
  // Already posted by the older version; ids are sequential.
  for (let count = 0; count < 3; count++) world.marketplace.publishProject(102);
  await world.end();
  await world.restart(folder);
});
afterEach(async () => {
  await world.stop();
  await rm(place, { recursive: true, force: true });
});

it('an older version’s cards, budget, subscription, and ledger load; nothing is set aside', async () => {
  expect(await world.gig('web', 'list')).toContain('-wordpress');
  expect(await world.gig('web', 'budget')).toMatch(/3 of 300/);
  const prefix = [TeamId.parse(world.slack.team.id)] as const;
  const kept = await world.read((tx) => tx.list(cards, { prefix, limit: 10 }));
  expect(kept.filter(({ value }) => value.claim)).toHaveLength(1);
  expect(kept).toHaveLength(3);
  expect(world.logLines.filter((line) => line.includes('"notice":'))).toEqual([]);
  const status = await world.gig('web', 'status');
  expect(firstSign(status)).toBe('white_check_mark');
  expect(statusAsRead(world, status)).toMatchSnapshot();
});

it('after the upgrade, new projects come, nothing repeats, and the newer features work', async () => {
  await world.pass(30 * SECOND);
  const { ciphertext } = world.marketplace.publishProject(101, { title: 'Build a shop' });
  await world.until('the card', () => world.told('web').length > 0);
  await world.pass(MINUTE);
  expect(world.told('web')).toEqual([ciphertext]);
  expect(await world.gig('web', 'audit')).not.toContain('_ref ');
  expect(await world.gig('web', 'proposals')).not.toContain('_ref ');
  await world.end();
  await world.restart();
  expect(await world.gig('web', 'budget')).toMatch(/4 of 300/);
});

it('a channel an older version kept on the default budget has its own; a new one shares', async () => {
  await world.end();
  const team = TeamId.parse(world.slack.team.id);
  const at = world.clock.now();
  const folder = world.folder();
  const store = await openJournalStore({
    collections: allCollections,
    log: silentLog,
    clock: machineClock,
    folder,
  });
  const channel = ChannelId.parse(world.slack.channel('data').id);
  await store.transact(async (tx) => {
    // As if this version had never run.
    await tx.delete(creditPools, [team]);
    const subscription = {
      team,
      channel,
      filter: FilterId.parse(102),
      rules: '',
      createdAt: at,
      startsAt: at,
    };
    const by = UserId.parse(world.slack.user('ben').id);
    await tx.put(subscriptions, [team, channel, 102], { ...subscription, by });
  });
  await store.close();
  await world.restart();
  const own = await world.gig('data', 'budget', 'ben');
  world.slack.addChannel({ name: 'later' });
  await world.gig('later', 'subscribe filter 102', 'ben');
  const shared = await world.gig('later', 'budget', 'ben');
  const { budgets } = await world.read((tx) => readBooks(tx, team));
  const pooled = budgets.filter(({ isPooled }) => isPooled).map((budget) => budget.channel);
  expect(pooled).toEqual([world.slack.channel('later').id]);
  expect([own, shared].map((it) => asRead(world, it))).toMatchSnapshot();
});

it('cards and reservations that were stored under older names are read, and their buttons work', async () => {
  await world.pass(30 * SECOND);
  const { ciphertext } = world.marketplace.publishProject(101, { title: 'Build a shop' });
  await world.until('the card', () => world.told('web').length > 0);
  const team = TeamId.parse(world.slack.team.id);
  await world.end();
  const folder = world.folder();
  const store = await openJournalStore({
    collections: allCollections,
    log: silentLog,
    clock: machineClock,
    folder,
  });
  await store.transact(async (tx) => {
    for (const { key, value } of await tx.list(cards, { prefix: [team], limit: 10 }))
      await tx.put(cards, key, { ...value, state: 'told' } as unknown as Card);
    const reservation = {
      id: 'r',
      purchase: { endpoint: 'lookup', subject: '~1' },
      period: 1,
      amount: 1,
      shares: [],
    };
    const older = { ...reservation, state: 'unproven', openedAs: 7, givenUpAs: 8 };
    await tx.put(creditReservations, [team, 'r'], older as unknown as ReservationRecord);
  });
  await store.close();
  await world.restart();
  const card = world.cards('web').find((it) => projectOf(it) === ciphertext) ?? expect.fail('no card');
  await press(world, 'Claim', { message: card });
  await world.pass(5 * SECOND);
  const claims = await world.read(async (tx) =>
    (await tx.list(cards, { prefix: [team], limit: 10 })).flatMap(({ value }) => value.claim ?? []),
  );
  expect(claims).toHaveLength(2);
  const kept = await world.read((tx) => tx.get(creditReservations, [team, 'r']));
  expect(kept).toMatchObject({ openedSeq: 7, lostSeq: 8 });
  expect(world.logLines.filter((line) => line.includes('"notice":'))).toEqual([]);
});

it('a start after a start loads the same: the older version’s journal is a snapshot by then', async () => {
  await world.end();
  await world.restart();
  expect(await world.gig('web', 'list')).toContain('-wordpress');
  expect(world.logLines.filter((line) => line.includes('"notice":'))).toEqual([]);
});
