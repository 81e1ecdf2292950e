/** A lively market: projects that keep arriving, verdicts that follow, jobs that run. */
import { type Instant, SECOND } from '../../clock.ts';
import { between, chance, pause, pick } from './chance.ts';
import { BAD_REASONS, GOOD_REASONS } from './content/letters.ts';
import type { Seeds } from './seeding.ts';
import type { ArrivalPlan, Arrivals } from './simulated-marketplace.ts';
import type { World } from './world.ts';

/** How often due jobs are looked for. */
const JOB_ROUND_MS = 15 * SECOND;

/** Runs something once, `ms` later, unless the stream is stopped first. */
type Later = (ms: number, run: () => void) => void;

function findersOf(world: World, plan: ArrivalPlan): number[] {
  const first = pick(world.random, plan.filterIds);
  const overlap = plan.overlapShare ?? 0.25;
  const others = plan.filterIds.filter((id) => id !== first && chance(world.random, overlap));
  return [first, ...others];
}

/** The qualifier takes the job up half way, and decides at the end. */
function qualifyLater(world: World, seeds: Seeds, plan: ArrivalPlan, later: Later, projectId: number): void {
  const ms = pause(world.random, plan.meanSecondsToVerdict ?? 90) * SECOND;
  const good = chance(world.random, 0.6);
  later(ms / 2, () => seeds.decide(projectId, 'pending'));
  later(ms, () =>
    seeds.decide(projectId, {
      decision: good ? 'qualified' : 'disqualified',
      reason: pick(world.random, good ? GOOD_REASONS : BAD_REASONS),
    }),
  );
}

/** Jobs that are due become proposals; one in ten fails. */
function runJobs(world: World, seeds: Seeds, now: Instant): void {
  const due = world.jobs.all().filter((job) => job.status === 'scheduled' && job.scheduledAt <= now);
  for (const job of due) {
    if (chance(world.random, 0.1)) {
      seeds.settleJob(job.id, { status: 'failed', errorMessage: 'The project is closed for proposals' });
      continue;
    }
    seeds.sendJob(job.id);
  }
}

function anyQualifier(world: World, filterIds: readonly number[]): boolean {
  return filterIds.some((id) => world.filters.must(id).qualifier);
}

export function startArrivals(world: World, seeds: Seeds, plan: ArrivalPlan): Arrivals {
  const timers = new Set<() => void>();
  const later: Later = (ms, run) => {
    const cancel = world.clock.after(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };
  const arrive = () => {
    later(pause(world.random, plan.meanSecondsBetween) * SECOND, arrive);
    const burst = chance(world.random, plan.burstShare ?? 0.05) ? between(world.random, 3, 8) : 1;
    for (let count = 0; count < burst; count++) {
      const finders = findersOf(world, plan);
      const { id } = seeds.publish(finders);
      if (anyQualifier(world, finders)) qualifyLater(world, seeds, plan, later, id);
    }
  };
  const work = () => {
    later(JOB_ROUND_MS, work);
    runJobs(world, seeds, world.clock.now());
  };
  later(pause(world.random, plan.meanSecondsBetween) * SECOND, arrive);
  if (plan.runsJobs) later(JOB_ROUND_MS, work);
  return {
    stop: () => {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
