/** The sandbox's ongoing events: projects, invitations, and outcomes of proposals. */
import { type Clock, type RandomSource, SECOND } from '../clock.ts';
import { pickRandom, randomBoolean, randomExponentialPause } from './marketplace/random-draws.ts';
import type { SimulatedProposal } from './marketplace/records.ts';
import type { SimulatedMarketplace, StoppableStream } from './marketplace/simulated-marketplace.ts';
import { addRandomInvitation, SANDBOX_PROFILES } from './sandbox-agency.ts';

export interface SandboxTrafficPlan {
  readonly filterIds: readonly number[];
  readonly meanSecondsToProject: number;
  readonly meanSecondsToInvitation: number;
  readonly meanSecondsToOutcome: number;
}

/** Outcomes of older proposals are only found by a daily sweep, which would take too long here. */
const NEWEST = 60;

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

/** Advances one of the newer proposals. @returns false when all are finished */
export function advanceRandomProposal(marketplace: SimulatedMarketplace, random: RandomSource): boolean {
  const open = SANDBOX_PROFILES.flatMap(({ id }) =>
    marketplace
      .proposals()
      .filter(({ profileId }) => profileId === id)
      .toSorted((a, b) => b.submittedAt - a.submittedAt)
      .slice(0, NEWEST),
  ).flatMap(({ id, ...proposal }) => {
    const step = nextProposalStep(random, proposal);
    return step ? [{ id, step }] : [];
  });
  if (open.length === 0) return false;
  const { id, step } = pickRandom(random, open);
  marketplace.updateProposal(id, step);
  return true;
}

/** Runs `event` repeatedly, with random pauses, until stopped. */
function repeat(clock: Clock, random: RandomSource, meanSeconds: number, event: () => void): StoppableStream {
  const next = () => clock.runAfter(randomExponentialPause(random, meanSeconds) * SECOND, run);
  let cancel = next();
  function run(): void {
    cancel = next();
    event();
  }
  return { stop: () => cancel() };
}

export function startSandboxTraffic(
  marketplace: SimulatedMarketplace,
  clock: Clock,
  random: RandomSource,
  plan: SandboxTrafficPlan,
): StoppableStream {
  const streams = [
    marketplace.startArrivals({
      filterIds: plan.filterIds,
      meanSecondsBetween: plan.meanSecondsToProject,
      runsJobs: true,
    }),
    repeat(clock, random, plan.meanSecondsToInvitation, () =>
      addRandomInvitation(marketplace, random, clock.now()),
    ),
    repeat(clock, random, plan.meanSecondsToOutcome, () => void advanceRandomProposal(marketplace, random)),
  ];
  return {
    stop: () => {
      for (const stream of streams) stream.stop();
    },
  };
}
