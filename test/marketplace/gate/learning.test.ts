/** How `auto` reacts to refusals: how far it falls, how fast it recovers, and how many refusals it costs. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import type { Lane, PermittedRequestResult } from '../../../src/marketplace/gate/gate.ts';
import { passTime } from '../../pass-time.ts';
import { done, goThrough, openGate, order, takeAll, worldWith } from './world.ts';

const refused: PermittedRequestResult = { kind: 'rate-limited' };

interface Work {
  readonly lanes: readonly Lane[];
  readonly tookMs: number;
  /** The server's hint when it refuses. */
  readonly retryAfterMs?: number;
}

/** Endless work for a server that allows `allowed` requests in any 60 s. */
async function busyWorld({ lanes, tookMs, retryAfterMs }: Work = { lanes: ['person', 'feed'], tookMs: 200 }) {
  const { clock, gate, journal } = await worldWith('auto');
  const accepted: number[] = [];
  const world = {
    clock,
    gate,
    journal,
    allowed: 30,
    refusals: 0,
    /** Replaces the server's own answer. */
    trouble: (): PermittedRequestResult | undefined => undefined,
  };
  const refusal = retryAfterMs === undefined ? refused : { ...refused, retryAfterMs };
  const answer = (at: number): PermittedRequestResult => {
    const isFull = accepted.filter((one) => one > at - MINUTE).length >= world.allowed;
    const end = world.trouble() ?? (isFull ? refusal : done);
    if (end.kind === 'done') accepted.push(at);
    if (end.kind === 'rate-limited') world.refusals++;
    return end;
  };
  const keepBusy = async (lane: Lane) => {
    // The server counts a request halfway through.
    for (;;) await goThrough(gate, clock, { lane, tookMs, end: ({ from }) => answer(from + tookMs / 2) }, []);
  };
  for (const lane of lanes) void keepBusy(lane);
  await passTime(clock, 5.5 * MINUTE);
  return world;
}

const works: readonly [string, Work][] = [
  ['a person and a feed', { lanes: ['person', 'feed'], tookMs: 200 }],
  ['background work alone', { lanes: ['feed', 'feed', 'sync'], tookMs: 200 }],
  ['a dozen at once', { lanes: Array(12).fill('person'), tookMs: 200 }],
  ['a slow server', { lanes: ['person', 'feed', 'feed'], tookMs: 5 * SECOND }],
  ['a server that says when to come back', { lanes: ['person', 'feed'], tookMs: 200, retryAfterMs: 20_000 }],
];

describe.each(works)('with %s', (_, work) => {
  test('one needless refusal: most of the limit stays, and it recovers within 15 minutes', async () => {
    const world = await busyWorld(work);
    world.trouble = () => (world.refusals === 0 ? { ...refused, retryAfterMs: 20_000 } : undefined);
    await passTime(world.clock, MINUTE);
    expect(world.refusals).toBe(1);
    expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(15);
    await passTime(world.clock, 14 * MINUTE);
    expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(27);
    expect(world.refusals).toBe(1);
  });

  test.each([5, 12])(
    'a limit that falls to %i is found, and trying for more costs little',
    async (allowed) => {
      const world = await busyWorld(work);
      world.allowed = allowed;
      await passTime(world.clock, HOUR);
      // Requests in flight with the first one are refused with it.
      expect(world.refusals).toBeLessThanOrEqual(12 + work.lanes.length);
      for (let hour = 0; hour < 2; hour++) {
        const before = world.refusals;
        await passTime(world.clock, HOUR);
        expect(world.refusals - before).toBeLessThanOrEqual(4);
        expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(allowed);
        expect(world.gate.status().limitPerMinute).toBeLessThanOrEqual(allowed + 3);
      }
      world.allowed = 30;
      await passTime(world.clock, HOUR + 15 * MINUTE);
      expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(27);
    },
  );

  test('ten minutes of a server that refuses and fails by chance do not spoil the next hour', async () => {
    const world = await busyWorld(work);
    let turn = 0;
    world.trouble = () => ([refused, undefined, { kind: 'failed' }, undefined] as const)[turn++ % 4];
    await passTime(world.clock, 10 * MINUTE);
    world.trouble = () => undefined;
    await passTime(world.clock, 15 * MINUTE);
    expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(27);
  });

  test('ten minutes in which all is refused cost one fall', async () => {
    const world = await busyWorld(work);
    world.trouble = () => refused;
    await passTime(world.clock, 70 * SECOND);
    const fallen = world.gate.status().limitPerMinute;
    await passTime(world.clock, 10 * MINUTE);
    expect(world.refusals).toBeLessThanOrEqual(16 + work.lanes.length);
    expect(world.gate.status().limitPerMinute).toBe(fallen);
    world.trouble = () => undefined;
    await passTime(world.clock, 10 * MINUTE);
    expect(world.gate.status().limitPerMinute).toBeGreaterThanOrEqual(27);
  });
});

test('a server that fails without refusing changes no limit', async () => {
  const world = await busyWorld();
  world.trouble = () => ({ kind: 'failed' });
  await passTime(world.clock, 10 * MINUTE);
  expect(world.gate.status().limitPerMinute).toBe(30);
});

test('a server that says to retry at once but keeps refusing is asked once a minute at last', async () => {
  const world = await busyWorld({ lanes: ['person', 'feed'], tookMs: 200, retryAfterMs: 1_000 });
  world.trouble = () => ({ ...refused, retryAfterMs: 1_000 });
  await passTime(world.clock, HOUR);
  expect(world.refusals).toBeLessThanOrEqual(70);
});

test('starts at 30 and falls to what the server let through in the minute before', async () => {
  const { clock, gate } = await worldWith('auto');
  expect(gate.status().limitPerMinute).toBe(30);
  const before = await takeAll(gate, 12);
  for (const permit of before) permit.finish(done);
  await passTime(clock, 30 * SECOND);
  const [last] = await takeAll(gate, 1);
  last?.finish(refused);
  expect(gate.status().limitPerMinute).toBe(12);
});

test('finds a limit of 5 even from a burst of 30, and never goes below', async () => {
  const { clock, gate } = await worldWith('auto');
  const permits = await takeAll(gate, 30);
  await passTime(clock, 100);
  permits.forEach((permit, i) => {
    permit.finish(i < 3 ? done : refused);
  });
  expect(gate.status().limitPerMinute).toBe(5);
});

test('what was refused together counts as one refusal, in whatever order the answers come', async () => {
  const { clock, gate } = await worldWith('auto');
  const permits = await takeAll(gate, 30);
  await passTime(clock, 100);
  const byTurns = [...permits.slice(0, 10), ...permits.slice(22), ...permits.slice(10, 22)];
  byTurns.forEach((permit) => {
    permit.finish(permits.indexOf(permit) < 22 ? done : refused);
  });
  expect(gate.status().limitPerMinute).toBe(22);
});

test('remembers the limit across a restart', async () => {
  const world = await busyWorld();
  world.allowed = 9;
  await passTime(world.clock, 4 * MINUTE);
  const learned = world.gate.status().limitPerMinute;
  expect(learned).toBe(9);
  await passTime(world.clock, 2 * SECOND);
  const reopened = await openGate('auto', world.journal, world.clock);
  expect(reopened.status().limitPerMinute).toBe(9);
});

test('says that it allows less, from how much, and until when', async () => {
  const { clock, gate } = await worldWith('auto');
  const permits = await takeAll(gate, 11);
  await passTime(clock, 100);
  permits.forEach((permit, i) => {
    permit.finish(i < 10 ? done : { ...refused, retryAfterMs: 5_000 });
  });
  expect(gate.status()).toMatchObject({
    limitPerMinute: 10,
    lowered: { from: 30, until: clock.now() + 2 * MINUTE },
  });
  await passTime(clock, 2 * MINUTE);
  expect(gate.status()).not.toHaveProperty('lowered');
});

test('does not climb while nobody needs more', async () => {
  const { clock, gate } = await worldWith('auto');
  const [permit] = await takeAll(gate, 1);
  permit?.finish(refused);
  for (let minute = 0; minute < 60; minute++) {
    order(gate, ['feed', 'person']);
    await passTime(clock, MINUTE);
  }
  expect(gate.status().limitPerMinute).toBe(5);
});
