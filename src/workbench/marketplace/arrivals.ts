/** A lively market: new projects keep arriving, verdicts follow, jobs run. */
import { type Instant, SECOND } from '../../clock.ts';
import { DISQUALIFIED_VERDICT_REASONS, QUALIFIED_VERDICT_REASONS } from './content/letters.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import { pickRandom, randomBoolean, randomExponentialPause, randomInteger } from './random-draws.ts';
import type { MarketplaceSeeder } from './seeding.ts';
import type { ProjectArrivalPlan, StoppableStream } from './simulated-marketplace.ts';

/** How often due jobs run. */
const JOB_ROUND_MS = 15 * SECOND;

/** Runs something once, `ms` later, unless the stream stops first. */
type Later = (ms: number, run: () => void) => void;

function findersOf(world: MarketplaceState, plan: ProjectArrivalPlan): number[] {
  const first = pickRandom(world.random, plan.filterIds);
  const overlap = plan.overlapShare ?? 0.25;
  const others = plan.filterIds.filter((id) => id !== first && randomBoolean(world.random, overlap));
  return [first, ...others];
}

/** The qualifier starts halfway through the wait and decides at its end. */
function qualifyLater(
  world: MarketplaceState,
  seeds: MarketplaceSeeder,
  plan: ProjectArrivalPlan,
  later: Later,
  projectId: number,
): void {
  const ms = randomExponentialPause(world.random, plan.meanSecondsToVerdict ?? 90) * SECOND;
  const good = randomBoolean(world.random, 0.6);
  later(ms / 2, () => seeds.setVerdict(projectId, 'pending'));
  later(ms, () =>
    seeds.setVerdict(projectId, {
      decision: good ? 'qualified' : 'disqualified',
      reason: pickRandom(world.random, good ? QUALIFIED_VERDICT_REASONS : DISQUALIFIED_VERDICT_REASONS),
    }),
  );
}

/** Due jobs become proposals; one in ten fails. */
function runJobs(world: MarketplaceState, seeds: MarketplaceSeeder, now: Instant): void {
  const due = world.jobs.all().filter((job) => job.status === 'scheduled' && job.scheduledAt <= now);
  for (const job of due) {
    if (randomBoolean(world.random, 0.1)) {
      seeds.updateJob(job.id, { status: 'failed', errorMessage: 'The project is closed for proposals' });
      continue;
    }
    seeds.turnJobIntoProposal(job.id);
  }
}

function anyQualifier(world: MarketplaceState, filterIds: readonly number[]): boolean {
  return filterIds.some((id) => world.filters.getOrThrow(id).qualifier);
}

export function startProjectArrivals(
  world: MarketplaceState,
  seeds: MarketplaceSeeder,
  plan: ProjectArrivalPlan,
): StoppableStream {
  const timers = new Set<() => void>();
  const later: Later = (ms, run) => {
    const cancel = world.clock.runAfter(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };
  const arrive = () => {
    later(randomExponentialPause(world.random, plan.meanSecondsBetween) * SECOND, arrive);
    const burst = randomBoolean(world.random, plan.burstShare ?? 0.05)
      ? randomInteger(world.random, 3, 8)
      : 1;
    for (let count = 0; count < burst; count++) {
      const finders = findersOf(world, plan);
      const { id } = seeds.publishProject(finders);
      if (anyQualifier(world, finders)) qualifyLater(world, seeds, plan, later, id);
    }
  };
  const work = () => {
    later(JOB_ROUND_MS, work);
    runJobs(world, seeds, world.clock.now());
  };
  later(randomExponentialPause(world.random, plan.meanSecondsBetween) * SECOND, arrive);
  if (plan.runsJobs) later(JOB_ROUND_MS, work);
  return {
    stop: () => {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
