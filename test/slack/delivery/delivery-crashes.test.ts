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

/** Fewer rejections with an unknown code than let others pass a post. */
const fewUnknown = (faults: readonly Fault[]) =>
  faults.filter(({ error }) => error().code === 'brand_new_code').length < 4;

const THREADED = ChannelId.parse('C1');
const CHANNELS = [THREADED, ChannelId.parse('C2'), ChannelId.parse('C3')];
const MESSAGES = ['a', 'b', 'c'];

/** Three messages in each channel, and lines under some of them. @returns the lines under each */
async function enqueueAll(
  world: DeliveryWorld,
  lines: readonly (readonly [message: string, order: number])[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  for (const channel of CHANNELS)
    for (const name of MESSAGES) await world.enqueue(channel, `${channel}:${name}`, 2);
  const inThread = new Map<string, string[]>();
  for (const [index, [name, order]] of lines.toSorted((a, b) => a[1] - b[1]).entries()) {
    const home = PostId.parse(`${THREADED}:${name}`);
    await world.enqueue(THREADED, `line-${index}`, order, { under: home });
    inThread.set(home, [...(inThread.get(home) ?? []), `line-${index}`]);
  }
  return inThread;
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
  it('holds for messages and lines in threads, for any mixture of failures and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fault, lateFault), { maxLength: 12 }).filter(fewUnknown),
        fc.array(fc.record({ steps: fc.nat(25), afterMs: fc.nat(40 * SECOND) }), { maxLength: 5 }),
        // A line is ordered after its message, equal to it, or before it.
        fc.array(fc.tuple(fc.constantFrom(...MESSAGES), fc.nat(3)), { maxLength: 6 }),
        async (faults, crashes, lines) => {
          const world = new DeliveryWorld();
          const inThread = await enqueueAll(world, lines);
          world.slack.faults.push(...faults);
          await crashAgainAndAgain(world, crashes);
          world.start();
          const wanted = CHANNELS.length * MESSAGES.length + lines.length;
          for (let round = 0; round < 200 && world.slack.messages.length < wanted; round++)
            await world.pass(5 * MINUTE);
          await world.pass(MINUTE);
          await world.stop();
          for (const channel of CHANNELS)
            expect(world.names(channel).toSorted()).toEqual(MESSAGES.map((name) => `${channel}:${name}`));
          for (const [home, names] of inThread) expect(world.slack.inThread(THREADED, home)).toEqual(names);
        },
      ),
      { numRuns: 90 },
    );
  });

  it('holds for a crash at every single step', async () => {
    for (let steps = 0; steps < 32; steps++) {
      const world = new DeliveryWorld();
      const channel = ChannelId.parse('C1');
      const home = await world.enqueue(channel, 'a', 1);
      for (const name of ['a-1', 'a-2']) await world.enqueue(channel, name, 3, { under: home });
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
