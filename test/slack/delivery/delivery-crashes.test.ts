import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import { PostId } from '../../../src/outbox/posts.ts';
import type { DeliveryPort } from '../../../src/slack/delivery/web-port.ts';
import type { Store } from '../../../src/storage/store.ts';
import { type Fault, limited, refused, unclear } from '../fake-slack.ts';
import { DeliveryWorld } from './delivery-world.ts';

/** The process dies at this step: its later calls get no answer. */
class Process {
  #left: number;
  constructor(stepsToLive: number) {
    this.#left = stepsToLive;
  }

  kill(): void {
    this.#left = 0;
  }

  /** @param effect skipped when the process dies before it; a death after it hides the result */
  async step<T>(effect: () => Promise<T>): Promise<T> {
    if (--this.#left < 0) return new Promise<never>(() => undefined);
    const result = effect();
    if (--this.#left < 0) {
      await result.catch(() => undefined);
      return new Promise<never>(() => undefined);
    }
    return result;
  }

  store(store: Store): Store {
    return {
      onCommit: (collections, call) => store.onCommit(collections, call),
      transact: (work) => this.step(() => store.transact(work)),
      read: (work) => store.read(work),
      close: () => store.close(),
    };
  }

  port(port: DeliveryPort): DeliveryPort {
    return {
      post: (...call) => this.step(() => port.post(...call)),
      update: (...call) => this.step(() => port.update(...call)),
      openDirect: (...call) => this.step(() => port.openDirect(...call)),
      checkToken: () => this.step(() => port.checkToken()),
      history: (...call) => this.step(() => port.history(...call)),
    };
  }
}

const errors = [unclear, limited(7 * SECOND), refused('not_in_channel'), refused('brand_new_code')];
const fault = fc.record<Fault>({
  method: fc.constantFrom('post', 'post', 'history'),
  when: fc.constant('before'),
  error: fc.constantFrom(...errors, refused('invalid_auth')),
});
/** Only unclear calls may have had an effect. */
const lateFault = fc.record<Fault>({
  method: fc.constant('post'),
  when: fc.constant('after'),
  error: fc.constant(unclear),
});

/** Fewer rejections with an unknown code than let others pass a post (4), or drop it (6). */
const fewerUnknown = (than: number) => (faults: readonly Fault[]) =>
  faults.filter(({ error }) => error().code === 'brand_new_code').length < than;

/** @returns the expected messages of each channel */
async function enqueueSome(world: DeliveryWorld): Promise<ReadonlyMap<string, readonly string[]>> {
  const expected = new Map<string, string[]>();
  for (const channel of ['C1', 'C2', 'C3'].map((id) => ChannelId.parse(id))) {
    const names = [0, 1, 2].map((n) => `${channel}:${n}`);
    for (const [order, name] of names.entries()) await world.enqueue(channel, name, order);
    expected.set(channel, names);
  }
  return expected;
}

async function passUntilAllStand(
  world: DeliveryWorld,
  expected: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const isMissing = () =>
    [...expected].some(([channel, names]) => world.names(channel).length < names.length);
  for (let round = 0; round < 200 && isMissing(); round++) await world.pass(5 * MINUTE);
  await world.pass(MINUTE);
}

async function crashAgainAndAgain(
  world: DeliveryWorld,
  crashes: readonly { readonly steps: number; readonly afterMs: number }[],
): Promise<void> {
  for (const crash of crashes) {
    const process = new Process(crash.steps);
    world.start({ store: process.store(world.store), port: process.port(world.slack) });
    await world.pass(crash.afterMs);
    process.kill();
    world.abandon();
  }
}

describe('exactly once', () => {
  it('holds for any mixture of failures and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fault, lateFault), { maxLength: 12 }).filter(fewerUnknown(6)),
        fc.array(fc.record({ steps: fc.nat(20), afterMs: fc.nat(40 * SECOND) }), { maxLength: 5 }),
        async (faults, crashes) => {
          const world = new DeliveryWorld();
          const expected = await enqueueSome(world);
          world.slack.faults.push(...faults);
          await crashAgainAndAgain(world, crashes);
          world.start();
          await passUntilAllStand(world, expected);
          await world.stop();
          for (const [channel, names] of expected) expect(world.names(channel).toSorted()).toEqual(names);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('holds for lines in threads, each in its own thread and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fault, lateFault), { maxLength: 8 }).filter(fewerUnknown(4)),
        fc.array(fc.record({ steps: fc.nat(25), afterMs: fc.nat(40 * SECOND) }), { maxLength: 5 }),
        // Ordered after the message, equal to it, or before it.
        fc.array(fc.tuple(fc.constantFrom('home-1', 'home-2'), fc.nat(3)), { minLength: 1, maxLength: 6 }),
        async (faults, crashes, lines) => {
          const world = new DeliveryWorld();
          const channel = ChannelId.parse('C1');
          const expected = new Map<string, string[]>();
          for (const name of ['home-1', 'home-2']) {
            await world.enqueue(channel, name, 2);
            expected.set(name, []);
          }
          for (const [index, [home, order]] of lines.toSorted((a, b) => a[1] - b[1]).entries()) {
            await world.enqueueUnder(PostId.parse(home), channel, `line-${index}`, order);
            expected.get(home)?.push(`line-${index}`);
          }
          world.slack.faults.push(...faults);
          await crashAgainAndAgain(world, crashes);
          world.start();
          const standing = () => [...(world.slack.channels.get(channel) ?? [])];
          for (let round = 0; round < 200 && standing().length < lines.length + 2; round++)
            await world.pass(5 * MINUTE);
          await world.pass(MINUTE);
          await world.stop();
          expect(world.names(channel).toSorted()).toEqual(['home-1', 'home-2']);
          for (const [home, names] of expected) expect(world.slack.inThread(channel, home)).toEqual(names);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('holds for a crash at every single step', async () => {
    for (let steps = 0; steps < 32; steps++) {
      const world = new DeliveryWorld();
      const channel = ChannelId.parse('C1');
      const home = await world.enqueue(channel, 'a', 1);
      for (const name of ['a-1', 'a-2']) await world.enqueueUnder(home, channel, name, 3);
      await world.enqueue(UserId.parse('U1'), 'b', 2);
      const process = new Process(steps);
      world.start({ store: process.store(world.store), port: process.port(world.slack) });
      await world.pass(5 * SECOND);
      process.kill();
      world.abandon();
      world.start();
      await world.pass(MINUTE);
      await world.stop();
      expect([world.names('C1'), world.names('DU1')]).toEqual([['a'], ['b']]);
      expect(world.slack.inThread('C1', 'a')).toEqual(['a-1', 'a-2']);
    }
  });
});
