/** The sandbox's ongoing events: projects, verdicts, jobs, invitations, and outcomes of proposals. */
import { type Clock, DAY, HOUR, type Instant, type RandomSource, SECOND } from '../clock.ts';
import { judgeProject } from './lifelike/verdict-reasons.ts';
import { pickRandom, randomBoolean, randomExponentialPause } from './marketplace/random-draws.ts';
import type { SimulatedProposal } from './marketplace/records.ts';
import type { ProjectWithFilterIds, SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { addRandomInvitation, SANDBOX_PROFILES } from './sandbox-agency.ts';
import type { SandboxProjects } from './sandbox-projects.ts';

/** Mean seconds from one event to the next. */
interface EventRate {
  readonly livelySeconds: number;
  readonly calmSeconds: number;
}

export interface SandboxTrafficPlan {
  /** How long it is lively at the start and after each `hurry`. */
  readonly livelyMs: number;
  readonly project: EventRate;
  readonly invitation: EventRate;
  readonly outcome: EventRate;
}

export interface SandboxTraffic {
  start(): void;
  /** Makes it lively for a while. */
  hurry(): void;
  stop(): void;
}

/** Outcomes of older proposals are only found by a daily sweep, which would take too long here. */
const NEWEST = 60;
/** Clients rarely look at proposals that are older. */
const OPEN_MS = 21 * DAY;
/** Someone who has just sent a bid waits for news of it. */
const FRESH_MS = 2 * HOUR;
const FRESH_SHARE = 0.5;
const MEAN_SECONDS_TO_VERDICT = 60;
/** How often due jobs run, and how many of them fail. */
const JOB_SECONDS = 15;
const FAILING_JOBS = 0.05;

/** A proposal's next step; one in eight ends otherwise. undefined: the proposal is finished. */
export function nextProposalStep(
  random: RandomSource,
  it: Pick<
    SimulatedProposal,
    'isViewed' | 'isInterviewed' | 'isHired' | 'isWithdrawn' | 'boost' | 'boostOutbid'
  >,
): Partial<SimulatedProposal> | undefined {
  if (it.isHired || it.isWithdrawn) return undefined;
  if (!it.isViewed && it.boost > 0 && !it.boostOutbid && randomBoolean(random, 1 / 4))
    return { boostOutbid: true };
  if (!it.isInterviewed && randomBoolean(random, 1 / 8)) return { isWithdrawn: true };
  if (!it.isViewed) return { isViewed: true };
  return it.isInterviewed ? { isHired: true } : { isInterviewed: true };
}

type OpenProposal = {
  readonly id: number;
  readonly submittedAt: Instant;
  readonly step: Partial<SimulatedProposal>;
};

function listOpenProposals(marketplace: SimulatedMarketplace, random: RandomSource): OpenProposal[] {
  return SANDBOX_PROFILES.flatMap(({ id }) =>
    marketplace
      .proposals()
      .filter(({ profileId }) => profileId === id)
      .toSorted((a, b) => b.submittedAt - a.submittedAt)
      .slice(0, NEWEST),
  ).flatMap(({ id, submittedAt, ...proposal }) => {
    const step = nextProposalStep(random, proposal);
    return step ? [{ id, submittedAt, step }] : [];
  });
}

/** Advances one of the newer proposals. @returns false when all are finished */
export function advanceRandomProposal(
  marketplace: SimulatedMarketplace,
  clock: Pick<Clock, 'now'>,
  random: RandomSource,
): boolean {
  const open = listOpenProposals(marketplace, random);
  const newerThan = (ms: number) => open.filter(({ submittedAt }) => submittedAt > clock.now() - ms);
  const fresh = randomBoolean(random, FRESH_SHARE) ? newerThan(FRESH_MS) : [];
  const candidates = [fresh, newerThan(OPEN_MS), open].find(({ length }) => length > 0);
  if (!candidates) return false;
  const { id, step } = pickRandom(random, candidates);
  marketplace.updateProposal(id, step);
  return true;
}

function runDueJobs(marketplace: SimulatedMarketplace, now: Instant, random: RandomSource): void {
  const due = marketplace
    .jobs()
    .filter(({ status, scheduledAt }) => status === 'scheduled' && scheduledAt <= now);
  for (const { id } of due) {
    if (randomBoolean(random, FAILING_JOBS))
      marketplace.updateJob(id, { status: 'failed', errorMessage: 'The project is closed for proposals' });
    else marketplace.turnJobIntoProposal(id);
  }
}

/** The qualifier starts halfway through the wait and decides at its end. */
function judgeLater(
  marketplace: SimulatedMarketplace,
  random: RandomSource,
  later: (ms: number, run: () => void) => void,
  project: ProjectWithFilterIds,
): void {
  const ms = randomExponentialPause(random, MEAN_SECONDS_TO_VERDICT) * SECOND;
  later(ms / 2, () => marketplace.setVerdict(project.id, 'pending'));
  later(ms, () => marketplace.setVerdict(project.id, judgeProject(project)));
}

export function createSandboxTraffic(
  marketplace: SimulatedMarketplace,
  projects: SandboxProjects,
  clock: Clock,
  random: RandomSource,
  plan: SandboxTrafficPlan,
): SandboxTraffic {
  const timers = new Set<() => void>();
  let livelyUntil = 0;
  const later = (ms: number, run: () => void) => {
    const cancel = clock.runAfter(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };
  const hurry = () => {
    livelyUntil = clock.now() + plan.livelyMs;
  };
  /** Thins out the lively stream while it is calm, so that `hurry` acts at once. */
  const repeat = ({ livelySeconds, calmSeconds }: EventRate, run: () => void) => {
    later(randomExponentialPause(random, livelySeconds) * SECOND, () => {
      repeat({ livelySeconds, calmSeconds }, run);
      if (clock.now() <= livelyUntil || randomBoolean(random, livelySeconds / calmSeconds)) run();
    });
  };
  const publish = () => {
    const project = projects.publish();
    if (project) judgeLater(marketplace, random, later, project);
  };
  const work = () => {
    later(JOB_SECONDS * SECOND, work);
    runDueJobs(marketplace, clock.now(), random);
  };
  return {
    hurry,
    start() {
      hurry();
      repeat(plan.project, publish);
      repeat(plan.invitation, () => addRandomInvitation(marketplace, random, clock.now()));
      repeat(plan.outcome, () => void advanceRandomProposal(marketplace, clock, random));
      later(JOB_SECONDS * SECOND, work);
    },
    stop() {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
