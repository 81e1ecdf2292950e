/**
 * Restoring a team's data from a copy: cards, ledger, subscriptions and settings are back, and nothing is
 * posted twice.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyStore } from '../../src/backup/copy-store.ts';
import { machineClock, SECOND } from '../../src/clock.ts';
import { channelLedgerRecords } from '../../src/credits/records.ts';
import { cards, subscriptions } from '../../src/feed/records.ts';
import { TeamId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { fileSystemDisk } from '../../src/storage/disk.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'gigdesk-backups-'));
  world = await startWorld({ realDisk: true });
  world.marketplace.addFilter({ id: 101 });
  const profile = world.marketplace.addProfile({ id: 301 });
  for (let count = 0; count < 12; count++) world.marketplace.addProposal({ profileId: profile.id });
  await world.gig('web', 'subscribe filter 101 -wordpress');
  await world.gig('web', 'subscribe outcomes 301');
  await world.gig('web', 'budget 300');
  await world.pass(30 * SECOND);
  await publish(3);
  const [card] = world.cards('web');
  if (!card) throw new Error('no card');
  await world.slack.press({ user: 'ben', message: card, actionId: actionIds.claim });
  await world.pass(10 * SECOND);
});
afterEach(async () => {
  await world.stop();
  await rm(place, { recursive: true, force: true });
});

async function publish(count: number): Promise<void> {
  const told = world.told('web').length;
  for (let one = 0; one < count; one++) world.marketplace.publishProject(101, { title: 'Build a shop' });
  await world.until('the cards', () => world.told('web').length === told + count);
}

/** All data that a team would miss. */
async function inStore() {
  const prefix = [TeamId.parse(world.slack.team.id)] as const;
  return world.read(async (tx) => ({
    cards: (await tx.list(cards, { prefix, limit: 1_000 })).map(({ value }) => value),
    ledger: (await tx.list(channelLedgerRecords, { prefix, limit: 1_000 })).map(({ value }) => value),
    subscriptions: (await tx.list(subscriptions, { prefix, limit: 1_000 })).map(({ value }) => value),
  }));
}

async function goesOn(): Promise<void> {
  await publish(2);
  expect(world.told('web')).toHaveLength(new Set(world.told('web')).size);
  expect(await world.gig('web', 'list')).toContain('-wordpress');
  expect(await world.gig('web', 'budget')).toContain('300');
  expect(await world.gig('web', 'proposals')).toMatch(/\b12\b/u);
  expect(world.logLines.filter((line) => line.includes('"notice":'))).toEqual([]);
}

it('stopped, copied, and begun on the copy', async () => {
  const before = await inStore();
  expect(before.cards).toHaveLength(3);
  await world.end();
  const copy = path.join(place, 'copy');
  await cp(world.folder(), copy, { recursive: true });
  await rm(world.folder(), { recursive: true });
  await world.restart(copy);
  expect((await inStore()).cards).toEqual(before.cards);
  expect((await inStore()).subscriptions).toEqual(before.subscriptions);
  expect((await inStore()).ledger.slice(0, before.ledger.length)).toEqual(before.ledger);
  await goesOn();
});

it('backed up while it runs, lost, and begun on the backup', async () => {
  const before = await inStore();
  const backup = path.join(place, 'backup');
  const made = copyStore({ disk: fileSystemDisk, clock: machineClock }, world.folder(), backup);
  await world.gig('data', 'subscribe filter 101');
  expect(await made).toMatchObject({ kind: 'made' });
  await world.crash();
  await world.restart(backup);
  const after = await inStore();
  expect(after.cards).toEqual(before.cards);
  expect(after.ledger.slice(0, before.ledger.length)).toEqual(before.ledger);
  expect(after.subscriptions).toEqual(expect.arrayContaining(before.subscriptions));
  await goesOn();
});
