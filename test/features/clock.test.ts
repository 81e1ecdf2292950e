/**
 * A server clock that is wrong for two minutes: the app erases no data that a right clock would have kept,
 * and sends nothing.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { bids, jobs } from '../../src/bidding/records.ts';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { ClockOffError } from '../../src/clock-watch.ts';
import { cards, feedStates, seenProjects } from '../../src/feed/records.ts';
import { TeamId } from '../../src/ids.ts';
import { posts } from '../../src/outbox/posts.ts';
import { clockErrorText } from '../../src/slack/core/failures.ts';
import type { Collection } from '../../src/storage/store.ts';
import { failureText, firstSign } from './as-read.ts';
import { BidAtHand } from './begin-bid.ts';
import { startBidWorld } from './bidder.ts';
import type { World } from './world.ts';

const AHEAD = 410 * DAY;

const NOT_BY_THIS_CLOCK = failureText(new ClockOffError(AHEAD));

type DateMode = number | 'absent';

let world: World | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

/** Sends a bid and passes a minute. */
async function afterBid(slackDate: DateMode, marketplaceDate: DateMode) {
  const begun = await startBidWorld();
  world = begun.world;
  world.slack.setDateAhead(slackDate);
  world.marketplace.setModes({ dateAhead: marketplaceDate });
  // The process forgets its earlier signals.
  await world.end();
  await world.restart();
  const bid = new BidAtHand(begun);
  await bid.open();
  await bid.submit();
  expect(bid.creates()).toHaveLength(1);
  await world.pass(MINUTE);
  return { bid, world };
}

async function keysOf(of: World, collection: Collection<never>): Promise<readonly string[]> {
  const prefix = [TeamId.parse(of.slack.team.id)] as const;
  const found = await of.read((tx) => tx.list(collection, { prefix, limit: 1_000 }));
  return found.map(({ key }) => JSON.stringify(key));
}

async function stored(of: World): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const collection of [bids, jobs, cards, seenProjects, posts] as unknown as Collection<never>[])
    found[collection.name] = await keysOf(of, collection);
  return found;
}

const DATES = [
  ['that both servers tell', 0, 0],
  ['that Slack alone tells', 0, 'absent'],
  ['that nobody tells', 'absent', 'absent'],
  ['that Slack tells, and the marketplace wrongly', 0, AHEAD],
  ['that the marketplace tells, and Slack wrongly', -200 * DAY, 0],
] as [string, DateMode, DateMode][];

describe.each(DATES)('with a date %s', (_who, slackDate, marketplaceDate) => {
  it.each([
    ['while it runs', false],
    ['over a restart', true],
  ])('a clock that is 410 days ahead for two minutes %s erases nothing', async (_how, restarts) => {
    const { bid, world: of } = await afterBid(slackDate, marketplaceDate);
    const before = await stored(of);
    expect(before['bids']).toHaveLength(1);
    if (restarts) await of.end();
    of.skew.ms = AHEAD;
    if (restarts) await of.restart();
    await of.pass(2 * MINUTE);
    expect(await of.gig('web', 'status')).toContain(clockErrorText(AHEAD));
    if (restarts) await of.end();
    of.skew.ms = 0;
    if (restarts) await of.restart();
    await of.pass(3 * MINUTE);
    const after = await stored(of);
    for (const [name, keys] of Object.entries(before))
      expect(after[name], name).toEqual(expect.arrayContaining(keys as string[]));
    expect(await of.gig('web', 'status')).not.toContain(':red_circle:');
    await bid.press('Bid');
    await of.pass(2 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('a bid sent by such a clock is not sent, and the person hears why', async () => {
    const { bid, world: of } = await afterBid(slackDate, marketplaceDate);
    const project = of.marketplace.publishProject(101, { title: 'Another one' });
    await of.until('its card', () => of.told('web').includes(project.ciphertext));
    const other = new BidAtHand({ world: of, project });
    await other.open();
    of.skew.ms = AHEAD;
    await other.submit();
    await of.pass(2 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(other.screen()).toContain(NOT_BY_THIS_CLOCK);
    of.skew.ms = 0;
    await of.pass(2 * MINUTE);
    await other.open();
    await other.submit();
    await of.pass(2 * SECOND);
    expect(bid.creates()).toHaveLength(2);
  });
});

it('one server with a wrong date stops neither bids nor the feed', async () => {
  const { bid, world: of } = await afterBid(0, -AHEAD);
  const project = of.marketplace.publishProject(101);
  await of.until('its card', () => of.told('web').includes(project.ciphertext));
  expect(bid.creates()).toHaveLength(1);
  expect(firstSign(await of.gig('web', 'status'))).toBe('white_check_mark');
});

it('projects that come while the clock is ahead are posted once it is right', async () => {
  const { world: of } = await afterBid(0, 0);
  of.skew.ms = AHEAD;
  await of.pass(MINUTE);
  const project = of.marketplace.publishProject(101);
  await of.pass(MINUTE);
  of.skew.ms = 0;
  await of.until('its card', () => of.told('web').includes(project.ciphertext), 30 * MINUTE);
});

it('/readyz says so, and comes right by itself', async () => {
  const { world: of } = await afterBid(0, 0);
  of.skew.ms = AHEAD;
  await of.pass(SECOND);
  const ready = () => globalThis.fetch(`${of.address()}/readyz`);
  const ill = await ready();
  expect(ill.status).toBe(503);
  expect(await ill.text()).toMatchSnapshot();
  of.skew.ms = 0;
  expect((await ready()).status).toBe(200);
});

it('a time in the future at which old records were cleared out counts as none', async () => {
  const { world: of } = await afterBid(0, 0);
  const team = TeamId.parse(of.slack.team.id);
  const clearedAt = () => of.read(async (tx) => (await tx.get(feedStates, [team]))?.clearedAt ?? 0);
  // As written by a version that trusted its clock.
  of.clock.shiftWallClock(AHEAD);
  await of.pass(5 * MINUTE);
  expect(await clearedAt()).toBeGreaterThan(of.clock.now() - 2 * DAY);
  of.clock.shiftWallClock(-AHEAD);
  await of.pass(10 * MINUTE);
  expect(await clearedAt()).toBeLessThanOrEqual(of.clock.now());
});

it('an approval by such a clock is not sent, and the person hears why', async () => {
  const begun = await startBidWorld({ reviews: true });
  world = begun.world;
  const bid = new BidAtHand(begun);
  await bid.open();
  await bid.submit('ben', { cover_letter: 'Dear client' });
  world.skew.ms = AHEAD;
  await bid.press('Approve', 'ada', 'accept');
  await world.pass(SECOND);
  expect(bid.approvals()).toEqual([]);
  expect(bid.told('ada')).toContain(NOT_BY_THIS_CLOCK);
  world.skew.ms = 0;
  await bid.press('Approve', 'ada', 'accept');
  await world.pass(SECOND);
  expect(bid.approvals()).toHaveLength(1);
});
