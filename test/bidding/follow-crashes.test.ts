import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyJobStatus } from '../../src/bidding/decide-job.ts';
import type { Job } from '../../src/bidding/records.ts';
import { HOUR, MINUTE } from '../../src/clock.ts';
import type { JobStatusReport } from '../../src/marketplace/schema.ts';
import type { BidNews } from '../../src/outbox/news.ts';
import type { Store } from '../../src/storage/store.ts';
import { settle } from '../pass-time.ts';
import { plainProposal } from '../plain-proposal.ts';
import { FollowWorld } from './follow-world.ts';
import { home, jobNumber, plainJob, START } from './plain-records.ts';

/** Longer than any pause between reads of a job. */
const READ_FOR_SURE_MS = 34 * MINUTE;

/** Survives this many commits and dies at the next, just before or after it: later calls have no effect. */
class Mortal {
  dead = false;
  #left: number;
  readonly #after: boolean;

  constructor(commits = Number.POSITIVE_INFINITY, after = false) {
    this.#left = commits;
    this.#after = after;
  }

  /** The store of this process. */
  readonly wrap = (disk: Store): Store => {
    const never = () => new Promise<never>(() => {});
    return {
      ...disk,
      transact: async (work) => {
        if (this.dead) return never();
        if (this.#left-- > 0) return disk.transact(work);
        this.dead = true;
        if (this.#after) await disk.transact(work);
        return never();
      },
      read: (work) => (this.dead ? never() : disk.read(work)),
    };
  };
}

type Told = Omit<JobStatusReport, 'id'>;

/** The expected thread lines for a series of readings, and the job's final status. */
function expected(
  job: Job,
  readings: readonly Told[],
): { readonly job: Job; readonly news: readonly BidNews[] } {
  let now = job;
  const news: BidNews[] = [];
  for (const told of readings) {
    const applied = applyJobStatus(now, { id: job.id, ...told }, START);
    news.push(...applied.news);
    now = applied.job;
  }
  return { job: now, news };
}

const words = fc.constantFrom(
  'pending_review',
  'Pending review',
  'scheduled',
  'processing',
  'on <!channel> hold',
  '',
);
const onTheWay: fc.Arbitrary<Told> = fc.record(
  {
    status: words,
    statusTitle: fc.constantFrom('One', 'Two'),
    reason: fc.constantFrom('because', 'therefore'),
    scheduledAt: fc.constantFrom(
      '2026-01-05 08:00:00',
      '2026-01-05T08:00:00Z',
      '2026-01-05T07:00:00Z',
      'soon',
    ),
    retryCount: fc.nat(2),
  },
  { requiredKeys: ['status'] },
);
const end: fc.Arbitrary<Told> = fc.constantFrom<Told>(
  { status: 'completed', applicationUid: 'A9', processedAt: '2026-01-05' },
  { status: 'failed', errorMessage: 'No connects' },
  { status: 'skipped', reason: 'Daily limit' },
  { status: 'scheduled', processedAt: '2026-01-05' },
);
const crash = fc.record({ commits: fc.nat(3), after: fc.boolean() });
/** A job's status, and whether the process dies while the job has it. */
const step = fc.record({ told: onTheWay, crash: fc.option(crash) });
const ending = fc.record({ told: end, crash: fc.option(crash) });

type Step = { readonly told: Told; readonly crash: { commits: number; after: boolean } | null };

/** A process that survives keeps its store; otherwise another one takes over after the death. */
async function live(world: FollowWorld, { told, crash: dies }: Step): Promise<void> {
  world.told.set(5, told);
  if (dies) {
    world.wrap = new Mortal(dies.commits, dies.after).wrap;
    await world.stop();
    await world.restart();
    await world.pass(READ_FOR_SURE_MS);
    world.wrap = (disk) => disk;
    await world.restart();
  }
  await world.pass(READ_FOR_SURE_MS);
}

it('each reading’s news is posted once and in order, for any job history and any crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.option(ending), async (steps, last) => {
      const world = new FollowWorld();
      world.proposals.set('A9', plainProposal(77));
      const job = plainJob(5);
      await world.keep(job);
      await world.start();
      const all: Step[] = last ? [...steps, last] : steps;
      for (const each of all) await live(world, each);
      const told = await world.thread(5);
      const proper = expected(
        job,
        all.map((each) => each.told),
      );
      const isSent = proper.job.applicationUid !== undefined;
      const found: BidNews[] = isSent ? [{ about: 'proposal-found', job: jobNumber(5), proposal: 77 }] : [];
      expect(told).toEqual([...proper.news, ...found]);
      const { readAt: _readAt, follow, proposal: linked, review: _review, ...rest } = await world.job(5);
      const { readAt: _before, follow: _follow, ...wanted } = proper.job;
      expect(rest).toEqual({ ...wanted, told: told.length });
      expect(linked?.id).toBe(isSent ? 77 : undefined);
      expect(follow.state).toBe(last ? 'settled' : 'following');
      expect((await world.homePost())?.id).toBe(home);
      await world.stop();
    }),
    { numRuns: 60 },
  );
}, 60_000);

it('dying between any two commits, before or after, loses and repeats nothing', async () => {
  for (const after of [false, true]) {
    for (let commits = 0; commits < 6; commits++) {
      const world = new FollowWorld();
      world.proposals.set('A9', plainProposal(77));
      for (const id of [1, 2]) {
        await world.keep(plainJob(id));
        world.told.set(id, { status: 'completed', applicationUid: 'A9' });
      }
      world.wrap = new Mortal(commits, after).wrap;
      await world.restart();
      await world.pass(HOUR);
      world.wrap = (disk) => disk;
      await world.restart();
      await world.pass(HOUR);
      for (const id of [1, 2]) {
        const told = await world.thread(id);
        expect(told.map(({ about }) => about)).toEqual(['job-sent', 'proposal-found']);
        expect(await world.job(id)).toMatchObject({
          told: 2,
          follow: { state: 'settled' },
          proposal: { id: 77 },
        });
      }
      await world.stop();
      await settle();
    }
  }
});
