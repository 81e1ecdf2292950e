import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { failure } from '../fake-marketplace.ts';
import { Mortal } from '../mortal.ts';
import { InvitationWorld } from './world.ts';

const CHANNELS = ['C1', 'C2', 'C3'] as const;
const STATUSES = ['Pending', 'Accepted', 'Declined'] as const;

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('invite' as const), lateMs: fc.nat(20 * MINUTE) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('burst' as const), count: fc.integer({ min: 2, max: 12 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      which: fc.nat(50),
      status: fc.constantFrom(...STATUSES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('follow' as const), channel: fc.constantFrom(...CHANNELS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat(30 * SECOND), fc.nat(5 * MINUTE)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      commits: fc.nat(6),
      after: fc.boolean(),
      ms: fc.nat(4 * MINUTE),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      code: fc.constantFrom('server', 'network', 'not-found', 'forbidden'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('heal' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Shown {
  readonly uid: string;
  readonly invitedAt: Instant;
  /** When the server began to show it. */
  readonly at: Instant;
}

/** A world with the server's history, and the time each channel began to follow. */
class Play {
  readonly world = new InvitationWorld();
  readonly shown: Shown[] = [];
  readonly since = new Map<string, Instant>();
  readonly changes = new Map<string, number>();

  #invite(lateMs: number): void {
    const at = this.world.clock.now();
    const uid = `i${String(this.shown.length).padStart(3, '0')}`;
    const invitedAt = at - lateMs;
    this.world.invite(uid, { invitedAt });
    this.shown.push({ uid, invitedAt, at });
  }

  #change(which: number, status: string): void {
    const found = this.shown[which % Math.max(1, this.shown.length)];
    const before = this.world.server.find(({ uid }) => uid === found?.uid);
    if (!found || before?.status === status) return;
    // No two changes at the same moment: their order would be unknown.
    this.world.clock.moveBy(1);
    this.world.change(found.uid, { status });
    this.changes.set(found.uid, (this.changes.get(found.uid) ?? 0) + 1);
  }

  async #follow(channel: string): Promise<void> {
    if (this.since.has(channel)) return;
    this.world.clock.moveBy(1);
    this.since.set(channel, this.world.clock.now());
    await this.world.follow(channel);
    this.world.clock.moveBy(1);
  }

  async take(each: Step): Promise<void> {
    const { world } = this;
    switch (each.do) {
      case 'invite':
        return this.#invite(each.lateMs);
      case 'burst':
        for (let place = 0; place < each.count; place++) this.#invite(place * SECOND);
        return;
      case 'change':
        return this.#change(each.which, each.status);
      case 'follow':
        return this.#follow(each.channel);
      case 'pass':
        return world.pass(each.ms);
      case 'crash':
        world.wrap = new Mortal(each.commits, each.after).wrap;
        await world.restart();
        await world.pass(each.ms);
        world.wrap = (disk) => disk;
        return world.restart();
      case 'fail':
        world.failing.set(1, failure(each.code));
        return;
      case 'heal':
        world.failing.clear();
    }
  }

  /** Ends all activity, faults and pauses; the daily sweep finds what came late behind known ones. */
  async end(): Promise<void> {
    this.world.failing.clear();
    await this.world.restart();
    await this.world.leap(65 * MINUTE);
    await this.world.leap(DAY);
    await this.world.passMinutes(10);
  }

  /** Each follower got every later item once, and no earlier one. */
  async expectTold(channel: string, since: Instant): Promise<void> {
    const told = await this.world.told(channel);
    expect(new Set(told).size).toBe(told.length);
    const isToTell = ({ invitedAt }: Shown) => invitedAt >= since;
    const isPast = ({ at }: Shown) => at <= since;
    for (const { uid } of this.shown.filter(isToTell)) expect(told, `new in ${channel}`).toContain(uid);
    for (const { uid } of this.shown.filter(isPast)) expect(told, `old in ${channel}`).not.toContain(uid);
  }

  /** Each line has the status before and after, so the lines form a chain up to the server's status. */
  async expectStatuses(channel: string, uid: string): Promise<void> {
    const status = this.world.server.find((it) => it.uid === uid)?.status;
    expect((await this.world.record(uid))?.status).toBe(status);
    const lines = (await this.world.statuses(channel)).filter((each) => each.startsWith(`Job ${uid}:`));
    const steps = lines.map((each) => each.slice(`Job ${uid}: `.length).split(' > '));
    expect(steps.length).toBeLessThanOrEqual(this.changes.get(uid) ?? 0);
    expect(steps.slice(1).map(([before]) => before)).toEqual(steps.slice(0, -1).map(([, now]) => now));
    if (steps.length > 0) expect(steps.at(-1)?.[1]).toBe(status);
  }
}

const play = async (steps: readonly Step[], ways: Partial<InvitationWorld>): Promise<Play> => {
  const played = new Play();
  Object.assign(played.world, ways);
  await played.world.start();
  for (const each of steps) await played.take(each);
  await played.end();
  return played;
};

describe('whatever the server does and whenever the process dies', () => {
  it('each channel is told of each invitation since it follows, once, and of nothing before', async () => {
    const ways = fc.record({
      pageSize: fc.integer({ min: 1, max: 7 }),
      latencyMs: fc.constantFrom(0, 7_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), ways, async (steps, given) => {
        const played = await play(steps, given);
        for (const [channel, since] of played.since) await played.expectTold(channel, since);
        await played.world.stop();
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('each status change is posted once where the invitation was, and the cards end up right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const played = await play(steps, { pageSize: 4 });
        const { world } = played;
        await world.leap(DAY + MINUTE);
        await world.passMinutes(10);
        for (const channel of played.since.keys())
          for (const uid of await world.told(channel)) await played.expectStatuses(channel, uid);
        await world.stop();
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  it('as many new ones as a page holds, during the first read, make no past one new', async () => {
    const played = await play(
      [
        { do: 'burst', count: 2 },
        { do: 'follow', channel: 'C1' },
        { do: 'burst', count: 2 },
        { do: 'pass', ms: 13_999 },
      ],
      { pageSize: 1, latencyMs: 7_000 },
    );
    for (const [channel, since] of played.since) await played.expectTold(channel, since);
    await played.world.stop();
  });

  it('an answer that was asked for before a channel began to follow tells nothing of its past', async () => {
    const played = await play(
      [
        { do: 'follow', channel: 'C1' },
        { do: 'invite', lateMs: 0 },
        { do: 'follow', channel: 'C3' },
        { do: 'pass', ms: 7_000 },
      ],
      { pageSize: 1, latencyMs: 7_000 },
    );
    expect(await played.world.told('C1')).toHaveLength(1);
    expect(await played.world.told('C3')).toEqual([]);
    await played.world.stop();
  });

  it('a reading that was cut off between its pages is done again to its end', async () => {
    for (const after of [false, true]) {
      for (let commits = 0; commits < 6; commits++) {
        const { world } = new Play();
        world.pageSize = 10;
        await world.start();
        await world.follow('C1');
        await world.passMinutes(3);
        await world.stop();
        for (let place = 0; place < 45; place++) {
          world.clock.moveBy(SECOND);
          world.invite(`i${place}`);
        }
        world.wrap = new Mortal(commits, after).wrap;
        await world.restart();
        await world.passMinutes(3);
        world.wrap = (disk) => disk;
        await world.restart();
        await world.passMinutes(3);
        expect(await world.told('C1')).toHaveLength(45);
        await world.stop();
      }
    }
  });
});
