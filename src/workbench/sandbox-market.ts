/** What the controls of the page's panel do in the sandbox's marketplace. */
import type { Clock, RandomSource } from '../clock.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { MarketController } from './page/market-controller.ts';
import { addRandomInvitation } from './sandbox-agency.ts';
import type { HintTool } from './sandbox-hints.ts';
import type { SandboxProjects } from './sandbox-projects.ts';
import { advanceRandomProposal, type SandboxTraffic } from './sandbox-traffic.ts';

export interface MarketControllerParts {
  readonly projects: SandboxProjects;
  readonly traffic: Pick<SandboxTraffic, 'hurry'>;
  readonly hints: HintTool;
}

/** @param pass lets this many ms pass and resolves afterwards */
export function createMarketController(
  marketplace: SimulatedMarketplace,
  clock: Clock,
  random: RandomSource,
  pass: (ms: number) => Promise<void>,
  { projects, traffic, hints }: MarketControllerParts,
): MarketController {
  const life = {
    hurry: () => {
      traffic.hurry();
      return true;
    },
    publish: () => projects.publish() !== undefined,
    publishHinted: async () => {
      if (!hints.hasAddress) return 'no-address';
      const project = projects.publish();
      if (!project) return 'no-filter';
      return (await hints.sendHint(project.filterIds)) ? 'sent' : 'refused';
    },
    publishStrange: () => projects.publishStrange() !== undefined,
    invite: () => {
      const isPossible = marketplace.projects().length > 0;
      if (isPossible) addRandomInvitation(marketplace, random, clock.now());
      return isPossible;
    },
    outcome: () => advanceRandomProposal(marketplace, clock, random),
    runJobs: () => {
      const waiting = marketplace
        .jobs()
        .filter(({ status }) => status === 'scheduled' || status === 'processing');
      for (const { id } of waiting) marketplace.turnJobIntoProposal(id);
      return waiting.length > 0;
    },
  };
  return new MarketController(marketplace, clock, life, pass);
}
