import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { StorageError } from '../../src/storage/store.ts';
import { asRead, failureText } from './as-read.ts';
import { startWorld, type World } from './world.ts';

const DISK_FULL = failureText(new StorageError('full', 'no room'));

let world: World;
/** The project posted before the disk was full. */
let first: string;

beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
  first = world.marketplace.publishProject(101).ciphertext;
  await world.pass(MINUTE);
  expect(world.told('web')).toEqual([first]);
});
afterEach(() => world.stop());

function publish(count: number): readonly string[] {
  return Array.from({ length: count }, () => world.marketplace.publishProject(101).ciphertext);
}

/** Every post once, and every charge booked once. */
async function expectInOrder(told: readonly string[]): Promise<void> {
  expect(world.told('web').toSorted()).toEqual([first, ...told].toSorted());
  expect(world.marketplace.consumedCredits().total).toBe(told.length + 1);
  const budget = await world.gig('web', 'budget');
  expect(budget).toMatch(new RegExp(`\\b${told.length + 1} of 500\\b`));
  expect(asRead(world, budget)).toMatchSnapshot();
}

it('on a full disk the feed pauses, says so in the log, and goes on by itself', async () => {
  world.room.full = true;
  const told = publish(3);
  await world.pass(MINUTE);
  const asked = world.marketplace.requests().length;
  await world.pass(10 * MINUTE);
  // The app buys nothing that it can't record.
  expect(world.marketplace.requests().length).toBe(asked);
  expect(world.told('web')).toEqual([first]);
  expect(world.logLines.some((line) => line.includes('"code":"full"'))).toBe(true);
  world.room.full = false;
  await world.pass(3 * MINUTE);
  await expectInOrder(told);
});

it('a disk that fills while an answer is in flight: credits are settled once there is room', async () => {
  const { marketplace, room } = world;
  const held = marketplace.injectFault({ path: '/filters/101/projects' }, { kind: 'hold-headers' });
  const told = publish(3);
  await world.until('a poll to be under way', () => held.hits() > 0, MINUTE);
  room.full = true;
  held.release();
  await world.pass(5 * MINUTE);
  room.full = false;
  await world.pass(2 * MINUTE);
  // Its answer proves what the lost record reserved.
  const last = publish(1);
  await world.pass(2 * MINUTE);
  await expectInOrder([...told, ...last]);
});

it('a disk that fills while a lookup is in flight: its credit is settled once there is room', async () => {
  const { marketplace, room } = world;
  // Matches a filter without subscribers.
  marketplace.addFilter({ id: 102 });
  const wanted = marketplace.publishProject(102);
  const held = marketplace.injectFault({ path: /^\/projects/ }, { kind: 'hold-headers' });
  await world.gig('web', `lookup ${wanted.ciphertext}`);
  await world.until('the lookup to be under way', () => held.hits() > 0, MINUTE);
  room.full = true;
  held.release();
  await world.pass(5 * MINUTE);
  expect(world.slack.ephemerals('ada', 'web').at(-1)?.text).toContain(DISK_FULL);
  room.full = false;
  const told = publish(1);
  await world.pass(3 * MINUTE);
  expect(world.told('web')).toEqual([first, ...told]);
  expect(marketplace.consumedCredits().total).toBe(3);
  const budget = await world.gig('web', 'budget');
  expect(budget).toMatch(/\b3 of 500\b/);
  expect(asRead(world, budget)).toMatchSnapshot();
});

it('a disk that gets full while Slack takes a card: it stands once', async () => {
  const { slack, room } = world;
  const held = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' });
  const told = publish(2);
  await world.until('a post to be under way', () => held.held > 0, MINUTE);
  room.full = true;
  held.release();
  await world.pass(5 * MINUTE);
  room.full = false;
  await world.pass(3 * MINUTE);
  await expectInOrder(told);
});

it('while the disk is full a person still gets an answer', async () => {
  world.room.full = true;
  expect(await world.gig('web', 'list')).toContain('101');
  expect(await world.gig('web', 'budget 300')).toContain(DISK_FULL);
  world.room.full = false;
  await world.pass(MINUTE);
  expect(await world.gig('web', 'budget 300')).toContain('300');
});
