/**
 * A downgrade: the newer version has written values that this one's schemas reject. None of them is lost or
 * overwritten, and the app bids, buys or posts nothing twice because of it.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bids, jobs } from '../../src/bidding/records.ts';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { creditReservations } from '../../src/credits/records.ts';
import { cards } from '../../src/feed/records.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { posts } from '../../src/outbox/posts.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { type Collection, type Key, scanCollection } from '../../src/storage/store.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead } from './as-read.ts';
import { begin } from './begin-bid.ts';
import { grant } from './bidder.ts';
import { startWorld, type World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;
const asFields = z.record(z.string(), z.unknown());

/** The collection in a newer version: it accepts everything. */
function ofNewer({ name }: { readonly name: string }): Collection<Fields> {
  return { name, schema: asFields, indexes: {} };
}

/** Opens the folder of a stopped app as a newer version would. */
async function asNewer<T>(
  world: World,
  names: readonly { readonly name: string }[],
  work: (open: Awaited<ReturnType<typeof openJournalStore>>, team: TeamId) => Promise<T>,
): Promise<T> {
  const collections = names.map(ofNewer);
  const options = { collections, log: silentLog, clock: machineClock };
  const store = await openJournalStore({ ...options, folder: world.folder() });
  try {
    return await work(store, TeamId.parse(world.slack.team.id));
  } finally {
    await store.close();
  }
}

/** Changes all records of a collection while the app is down. @returns the new records, as JSON by key */
function change(
  world: World,
  collection: { readonly name: string },
  how: (fields: Fields) => Fields,
): Promise<ReadonlyMap<string, string>> {
  const newer = ofNewer(collection);
  return asNewer(world, [collection], (store, team) =>
    store.transact(async (tx) => {
      const written = new Map<string, string>();
      for await (const { key, value } of scanCollection(tx, newer, { prefix: [team] })) {
        const changed = how(value);
        await tx.put(newer, key, changed);
        written.set(JSON.stringify(key), JSON.stringify(changed));
      }
      return written;
    }),
  );
}

/** The current records, as JSON by key. */
function readBack(world: World, collection: { readonly name: string }): Promise<ReadonlyMap<string, string>> {
  const newer = ofNewer(collection);
  return asNewer(world, [collection], (store, team) =>
    store.read(async (tx) => {
      const found = new Map<string, string>();
      for await (const { key, value } of scanCollection(tx, newer, { prefix: [team] as Key }))
        found.set(JSON.stringify(key), JSON.stringify(value));
      return found;
    }),
  );
}

describe('a bid with an outcome that only the newer version knows', () => {
  async function withStrangeBid() {
    const begun = await begin({ realDisk: true });
    const { bid, world } = begun;
    await bid.open();
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    await world.pass(5 * SECOND);
    await world.end();
    const written = await change(world, bids, (it) => ({ ...it, state: 'negotiating', terms: ['new'] }));
    await world.restart();
    await world.pass(5 * SECOND);
    return { ...begun, written };
  }

  it('counts as one whose outcome is unknown: who presses sees that, and nothing is sent', async () => {
    const { bid, world } = await withStrangeBid();
    await bid.press('Bid');
    await world.pass(2 * SECOND);
    expect(findPressable(bid.view(), 'Check')).toBeDefined();
    expect(bid.screenAsRead()).toMatchSnapshot();
    expect(bid.creates()).toHaveLength(1);
  });

  it('a form that somebody had open since before shows it first', async () => {
    const { bid, world } = await begin({ realDisk: true });
    await grant(world, ['ben']);
    await bid.open('ada');
    await bid.open();
    await bid.submit();
    await world.end();
    await change(world, bids, (it) => ({ ...it, state: 'negotiating' }));
    await world.restart();
    await bid.submit('ada');
    await world.pass(2 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('stays as the newer version wrote it, over restarts', async () => {
    const { world, written } = await withStrangeBid();
    await world.pass(10 * MINUTE);
    for (let lives = 0; lives < 2; lives++) {
      await world.end();
      await world.restart();
    }
    await world.pass(MINUTE);
    await world.end();
    expect(await readBack(world, bids)).toEqual(written);
    await world.restart();
  });

  it('is named by /gig status and in the log, though nothing was damaged', async () => {
    const { world } = await withStrangeBid();
    const status = await world.gig('web', 'status');
    const warned = [...new Set(status.split('\n'))].filter((it) => it.includes(':warning:'));
    expect(warned).toHaveLength(1);
    expect(warned).toMatchSnapshot();
    expect(world.logLines.some((line) => line.includes('"collection":"bids"'))).toBe(true);
  });
});

it('a job followed in a way that is not known here is not approved a second time', async () => {
  const { bid, world } = await begin({ reviews: true, realDisk: true });
  await bid.open();
  await bid.submit();
  world.marketplace.injectFault({ path: '/auto-bidding/jobs/*/approve' }, { kind: 'drop', when: 'before' });
  await bid.press('Approve', 'ada', 'accept');
  await world.until('the approval', () => bid.approvals().length === 1);
  await world.end();
  const approvals = bid.approvals().length;
  await change(world, jobs, (it) => ({
    ...it,
    approval: { ...(it['approval'] as Fields), state: 'escalated' },
  }));
  await world.restart();
  await world.pass(5 * MINUTE);
  expect(bid.approvals()).toHaveLength(approvals);
  const shown = await world.gig('web', `job ${bid.job().id}`, 'ada');
  expect(shown).toContain(`<@${world.slack.user('ada').id}>`);
  expect(asRead(world, shown)).toMatchSnapshot();
});

it('cards and posts that can’t be read are not posted again, and stay as they are', async () => {
  const world = await startWorld({ realDisk: true });
  try {
    world.marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(MINUTE);
    world.marketplace.publishProject(101);
    world.marketplace.publishProject(101);
    await world.until('both cards', () => world.cards('web').length === 2);
    await world.end();
    const strangeCards = await change(world, cards, (it) => ({ ...it, state: 'snoozed' }));
    const strangePosts = await change(world, posts, (it) => ({ ...it, state: 'archived' }));
    expect(strangeCards.size).toBe(2);
    await world.restart();
    const third = world.marketplace.publishProject(101);
    await world.until('the third card', () => world.told('web').includes(third.ciphertext));
    await world.pass(5 * MINUTE);
    expect(world.cards('web')).toHaveLength(3);
    await world.end();
    expect(await readBack(world, cards)).toEqual(
      new Map([...(await readBack(world, cards)), ...strangeCards]),
    );
    expect(await readBack(world, posts)).toEqual(
      new Map([...(await readBack(world, posts)), ...strangePosts]),
    );
    await world.restart();
  } finally {
    await world.stop();
  }
});

it('a reservation that can’t be read holds its credits', async () => {
  const world = await startWorld({ realDisk: true });
  try {
    world.marketplace.addFilter({ id: 101 });
    await world.gig('web', 'budget 30');
    world.marketplace.injectFault({ path: '/filters/101/projects' }, { kind: 'hold-headers' });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(2 * SECOND);
    await world.crash();
    const written = await change(world, creditReservations, (it) => ({ ...it, state: 'parked' }));
    const held = [...written.values()].reduce((sum, json) => sum + Number(JSON.parse(json).amount), 0);
    await world.restart();
    expect(held).toBeGreaterThan(0);
    expect(await world.gig('web', 'budget')).toContain(`${held}`);
  } finally {
    await world.stop();
  }
});

it('data of a newer version is refused with a sentence, and left alone', async () => {
  const world = await startWorld({ realDisk: true });
  try {
    await world.end();
    const version = 2;
    const options = { collections: [], log: silentLog, clock: machineClock, folder: world.folder() };
    const newer = await openJournalStore({ ...options, version });
    const any = ofNewer({ name: 'of-the-future' });
    await newer.close();
    const again = await openJournalStore({ ...options, collections: [any], version });
    await again.transact((tx) => tx.put(any, [TeamId.parse(world.slack.team.id), 'x'], { x: 1 }));
    await again.close();
    await expect(world.restart()).rejects.toMatchObject({ code: 'newer' });
  } finally {
    await world.stop();
  }
});
