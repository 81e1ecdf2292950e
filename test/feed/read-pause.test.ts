/** A filter is never read within ten seconds of its last read, for any purpose. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { filterStates } from '../../src/feed/records.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { FeedWorld, team, type WorldOptions } from './feed-world.ts';

let world: FeedWorld | undefined;
afterEach(() => world?.stop());

async function open(options: WorldOptions = {}): Promise<FeedWorld> {
  world = new FeedWorld({ pauseMs: 50, ...options });
  await world.start();
  return world;
}

/** Pauses in seconds between each read and the request before it; cursor pages belong to the same read. */
function pauses({ requests }: FeedWorld['market'], filter: number): number[] {
  const own = requests.filter((each) => each.filter === filter);
  return own.flatMap((each, place) => {
    const before = own[place - 1];
    return before && each.nextCursor === undefined ? [(each.at - before.at) / SECOND] : [];
  });
}

/** How many projects wait for verdicts. */
function awaited({ disk }: FeedWorld): Promise<number> {
  return disk.read(async (tx) => {
    let count = 0;
    for await (const { value } of scanCollection(tx, filterStates, { prefix: [team] }))
      count += value.awaiting.length;
    return count;
  });
}

const qualified: Partial<ListedProject> = { verdict: { decision: 'qualified', reason: 'Fits.', other: {} } };

async function publishOver(it: FeedWorld, count: number, everySeconds: number, prefix = 'p'): Promise<void> {
  for (let each = 0; each < count; each++) {
    it.market.publish(7, `${prefix}${each}`);
    await it.pass(everySeconds);
  }
}

describe('a filter', () => {
  it('is not read again for late verdicts right after a regular read', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    it.market.publish(7, 'first', qualified);
    await it.pass(31);
    await publishOver(it, 60, 7);
    it.market.change('p3', qualified);
    await it.pass(3 * 3_600);
    expect(Math.min(...pauses(it.market, 7))).toBeGreaterThanOrEqual(10);
  });

  it('isn’t reread at once for a backfill, after a refused page, or for a later subscriber', async () => {
    const it = await open();
    it.market.addFilter(7);
    for (let each = 0; each < 40; each++) it.market.publish(7, `old${each}`);
    await it.pass(60);
    await it.subscribe('C1', 7);
    await it.pass(3);
    await it.subscribe('C2', 7, { backfill: 30 });
    await it.pass(4);
    await it.subscribe('C3', 7, { backfill: 15 });
    await it.pass(120);
    expect(await it.cards('C2')).toHaveLength(30);
    it.market.remaining = 12;
    await publishOver(it, 30, 1);
    await it.pass(300);
    expect(Math.min(...pauses(it.market, 7))).toBeGreaterThanOrEqual(10);
  });

  it('isn’t reread at once after a refusal that names what is left; then a page fits that', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    await it.pass(60);
    await publishOver(it, 20, 1);
    await it.pass(15);
    it.market.remaining = 12;
    for (let each = 0; each < 15; each++) it.market.publish(7, `late${each}`);
    await it.pass(40);
    expect(await it.cards('C1')).toHaveLength(32);
    expect(Math.min(...pauses(it.market, 7))).toBeGreaterThanOrEqual(10);
  });

  it('is not read again at once by the process that takes over', async () => {
    const first = await open();
    await first.subscribe('C1', 7);
    await first.pass(3);
    await first.stop();
    world = new FeedWorld({ clock: first.clock, disk: first.disk, market: first.market, pauseMs: 50 });
    await world.start();
    await world.pass(60);
    expect(first.market.requests.length).toBeGreaterThan(3);
    expect(Math.min(...pauses(first.market, 7))).toBeGreaterThanOrEqual(10);
  });

  it('goes on by cursor without a pause', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    await it.pass(60);
    const from = it.clock.now();
    await it.pass(150);
    for (let each = 0; each < 150; each++)
      it.market.publish(7, `p${each}`, { publishedAt: from + each * SECOND });
    await it.pass(12);
    expect(await it.cards('C1')).toHaveLength(150);
    expect(it.market.requests.some(({ nextCursor }) => nextCursor !== undefined)).toBe(true);
  });
});

describe('late verdicts', () => {
  it('are not looked for where a filter never shows any', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    await it.pass(30);
    await publishOver(it, 5, 20);
    expect(await awaited(it)).toBe(0);
  });

  it('are looked for once one was seen, or one is under way, and where rules ask for them', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    await it.pass(30);
    it.market.publish(7, 'first', { verdict: { other: {} } });
    await it.pass(20);
    await publishOver(it, 5, 1);
    await it.pass(20);
    expect(await awaited(it)).toBe(6);
    await it.stop();
    const other = await open();
    await other.subscribe('C1', 7, { rules: 'qualified:yes' });
    await other.pass(30);
    await publishOver(other, 5, 1);
    await other.pass(20);
    expect(await awaited(other)).toBe(5);
  });

  it('are given up after a hundred projects without one', async () => {
    const it = await open();
    await it.subscribe('C1', 7, { rules: 'qualified:yes' });
    await it.pass(30);
    it.market.publish(7, 'first', qualified);
    await it.pass(20);
    await publishOver(it, 99, 3);
    await it.pass(20);
    expect(await awaited(it)).toBe(50);
    await publishOver(it, 1, 20, 'last');
    expect(await awaited(it)).toBe(0);
  });
});
