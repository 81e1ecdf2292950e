import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBidHaveJob } from '../../src/bidding/decide-bid.ts';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { JobId } from '../../src/ids.ts';
import { StorageError } from '../../src/storage/store.ts';
import { settle } from '../pass-time.ts';
import { ann, BiddingWorld, bob, leads, sales } from './bidding-world.ts';
import { type Fate, fates } from './model-market.ts';

type Press = {
  readonly do: 'press';
  readonly setup: number;
  /** How many attempts the person's form lags behind. */
  readonly behind: number;
  /** The form shows the current bids with other setups. */
  readonly showsOthers: boolean;
  readonly isBob: boolean;
};
type Step =
  | Press
  | { readonly do: 'answer'; readonly fate: Fate; readonly place: number }
  | { readonly do: 'crash' | 'crash-at-commit' | 'disk-full' | 'look' }
  | { readonly do: 'wait'; readonly ms: number };

const press: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('press' as const),
  setup: fc.integer({ min: 1, max: 2 }),
  behind: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 2 })),
  showsOthers: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  isBob: fc.boolean(),
});
const answer: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('answer' as const),
  fate: fc.constantFrom(...fates),
  place: fc.nat(3),
});
const trouble: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('crash' as const, 'crash-at-commit', 'disk-full', 'look'),
});
const wait: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('wait' as const),
  ms: fc.constantFrom(SECOND, 20 * SECOND, 11 * MINUTE),
});
const schedule = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: press },
    { weight: 5, arbitrary: answer },
    { weight: 2, arbitrary: trouble },
    { weight: 1, arbitrary: wait },
  ),
  { minLength: 1, maxLength: 25 },
);

function ignoreFullDisk(thrown: unknown): undefined {
  if (thrown instanceof StorageError) return undefined;
  throw thrown;
}

/** All records except presses, which differ. */
async function disturb(world: BiddingWorld, step: Exclude<Step, Press>): Promise<void> {
  switch (step.do) {
    case 'answer':
      return world.market.decide(step.fate, step.place);
    case 'wait':
      return world.pass(step.ms);
    case 'disk-full':
      return world.disk.failNext();
    case 'crash':
      world.crash();
      return world.start();
    case 'crash-at-commit':
      return world.doom();
    case 'look': {
      const [job] = world.market.jobs.keys();
      if (job !== undefined) void world.bidding.refreshJob(job).catch(ignoreFullDisk);
    }
  }
}

/**
 * Runs a schedule to its end: pending requests get no answer, the process dies or survives, and everything is
 * settled.
 */
async function play(
  world: BiddingWorld,
  steps: readonly Step[],
  crashes: boolean,
  doPress: (step: Press) => Promise<void>,
  afterEach: () => Promise<void> = async () => undefined,
): Promise<void> {
  await world.start();
  for (const step of steps) {
    await (step.do === 'press' ? doPress(step) : disturb(world, step));
    await settle();
    await world.restartWhereDead();
    await afterEach();
  }
  if (crashes) {
    world.crash();
    await world.start();
  }
  while (world.market.waiting.length > 0) {
    world.market.decide('vanished');
    await settle();
    await world.restartWhereDead();
  }
  world.doom(false);
  await world.pass(15 * MINUTE);
  await world.stop();
}

async function expectAnswersInAudit(world: BiddingWorld): Promise<void> {
  for (const { act, answer: told } of await world.audit())
    expect({ act, answer: told }).toHaveProperty('answer.kind');
}

async function newsIds(world: BiddingWorld): Promise<Set<string>> {
  return new Set((await world.posts()).map(({ id }) => String(id)));
}

const RUNS = { numRuns: 300 };

describe('whoever presses, whatever the marketplace answers, and whenever the process dies', () => {
  async function tryBids(steps: readonly Step[], crashes: boolean): Promise<void> {
    const world = new BiddingWorld();
    const states: string[] = [];
    const sentWhenCreated = new Map<number, number>();
    const sentFor = (setup: number) => world.market.created.filter((it) => it.setup === setup);
    const doPress = async ({ setup, behind, showsOthers, isBob }: Press) => {
      const newest = (await world.bidOf(setup))?.attempt ?? 0;
      const seen = Math.max(0, newest - behind);
      const who = isBob ? { by: bob, channel: leads } : { by: ann, channel: sales };
      const shown = showsOthers ? await world.shownNow() : {};
      const other = await world.bidOf(setup === 1 ? 2 : 1);
      const sentBefore = world.market.created.length;
      const asked = world.bid({ setup, seen, shown, ...who, request: { coverLetter: `${seen}` } });
      const note = (it: Awaited<typeof asked>) => it.kind === 'asked' && states.push(it.view.bid.state);
      void asked.then(note, ignoreFullDisk);
      await settle();
      // A bid missing in the form blocks the submission.
      if (other && mayBidHaveJob(other) && !showsOthers)
        expect(world.market.created).toHaveLength(sentBefore);
    };
    const expectCreatedOnce = async () => {
      for (const setup of [1, 2]) {
        if ((await world.bidOf(setup))?.state !== 'created') continue;
        const sent = sentFor(setup).length;
        expect(sentWhenCreated.get(setup) ?? sent).toBe(sent);
        sentWhenCreated.set(setup, sent);
      }
    };
    await play(world, steps, crashes, doPress, expectCreatedOnce);
    await expectCreatedOnce();

    const news = await newsIds(world);
    for (const setup of [1, 2]) {
      const bid = await world.bidOf(setup);
      const seen = sentFor(setup).map((request) => request.coverLetter);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeLessThanOrEqual(bid?.attempt ?? 0);
      expect(bid?.state).not.toBe('sending');
      for (let attempt = 1; attempt <= (bid?.attempt ?? 0); attempt++) {
        const told = [sales, leads].filter((it) => news.has(`news:${it}:bid:${bid?.id}:${attempt}`));
        expect(told).toHaveLength(1);
      }
    }
    expect(states).not.toContain('sending');
    await expectAnswersInAudit(world);
  }

  async function tryApprovals(steps: readonly Step[], crashes: boolean): Promise<void> {
    const world = new BiddingWorld();
    const jobs = [world.market.addJob('~0123'), world.market.addJob('~0456')] as const;
    const jobOf = (setup: number): JobId => (setup === 1 ? jobs[0] : jobs[1]);
    const states: (string | undefined)[] = [];
    const sent: string[] = [];
    const doPress = async ({ setup, behind, isBob }: Press) => {
      const job = jobOf(setup);
      const newest = (await world.job(job))?.approval?.attempt ?? 0;
      const seen = Math.max(0, newest - behind);
      const before = world.market.approvals.length;
      const asked = world.approve(job, seen, isBob ? bob : ann);
      const note = (it: Awaited<typeof asked>) => it.kind === 'asked' && states.push(it.job.approval?.state);
      void asked.then(note, ignoreFullDisk);
      await settle();
      if (world.market.approvals.length > before) sent.push(`${job}:${seen}`);
    };
    await play(world, steps, crashes, doPress);

    expect(sent).toHaveLength(world.market.approvals.length);
    expect(new Set(sent).size).toBe(sent.length);
    const news = await newsIds(world);
    for (const id of jobs) {
      const { approval } = (await world.job(id)) ?? {};
      expect(approval?.state).not.toBe('sending');
      // A missing answer is resolved by later readings.
      expect(approval?.state).not.toBe('unknown');
      if (approval?.state === 'approved') expect(world.market.jobs.get(id)?.status).toBe('scheduled');
      for (let attempt = 1; attempt <= (approval?.attempt ?? 0); attempt++)
        expect(news).toContain(`news:${sales}:approval:${id}:${attempt}`);
    }
    expect(states).not.toContain('sending');
    await expectAnswersInAudit(world);
  }

  test('at most one bid is sent per attempt someone saw, and each is settled and posted once', async () => {
    await fc.assert(fc.asyncProperty(schedule, fc.boolean(), tryBids), RUNS);
  });

  test('at most one approval is sent per attempt someone saw, and the final state is true', async () => {
    await fc.assert(fc.asyncProperty(schedule, fc.boolean(), tryApprovals), RUNS);
  });
});
