/** The sandbox's marketplace controls: those of the page's panel, and the same ones at the prompt. */
import type { Clock, RandomSource } from '../clock.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import {
  CLEAR_FAULTS_CONTROL,
  MARKET_CONTROL_GROUPS,
  type MarketControl,
} from './page/client/market-controls.ts';
import { MarketController } from './page/market-controller.ts';
import { addRandomInvitation } from './sandbox-agency.ts';
import type { HintTool } from './sandbox-hints.ts';
import { turnScheduledJobsIntoProposals } from './sandbox-jobs.ts';
import { SandboxProjects } from './sandbox-projects.ts';
import type { PromptContext } from './sandbox-prompt-context.ts';
import { advanceRandomProposal, type SandboxTraffic } from './sandbox-traffic.ts';

export interface MarketControllerParts {
  readonly projects: SandboxProjects;
  /** Absent when nothing happens on its own. */
  readonly traffic?: Pick<SandboxTraffic, 'hurry'>;
  /** Absent when there is nobody to send hints to. */
  readonly hints?: HintTool;
}

/** @param pass lets this many ms pass and resolves afterwards */
export function createMarketController(
  marketplace: SimulatedMarketplace,
  clock: Clock,
  random: RandomSource,
  pass: (ms: number) => Promise<void>,
  { projects, traffic, hints }: MarketControllerParts = {
    projects: new SandboxProjects(marketplace, clock, random),
  },
): MarketController {
  const life = {
    hurry: () => {
      traffic?.hurry();
      return traffic !== undefined;
    },
    publish: () => projects.publish() !== undefined,
    publishHinted: async () => {
      if (!hints?.hasAddress) return 'no-address';
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
    runJobs: () => turnScheduledJobsIntoProposals(marketplace),
  };
  return new MarketController(marketplace, clock, life, pass);
}

const ALL_ORDERS = [...MARKET_CONTROL_GROUPS.flatMap(({ orders }) => orders), CLEAR_FAULTS_CONTROL];

/** Commands without `trouble`, such as `hour`. */
export const MARKET_EVENT_CONTROLS = ALL_ORDERS.filter(({ typed }) => !typed.startsWith('trouble '));

/** The names for `trouble`. */
export const FAULT_COMMAND_NAMES = ALL_ORDERS.flatMap(
  ({ typed }) => /^trouble (.+)$/u.exec(typed)?.[1] ?? [],
);

/** Runs a control of the page's panel and prints the panel's message. */
export async function runMarketControl(
  { market, print }: PromptContext,
  { act, done }: MarketControl,
): Promise<void> {
  const answer = await market.performMarketAction(act);
  if (!answer.ok) return print(answer.problem);
  const ahead = act.kind === 'fault' ? market.pendingFaults().map((each) => `\n ${each}`) : [];
  print(`(${answer.notice ?? done}${ahead.join('')})`);
}

export function runFaultCommand(prompt: PromptContext, kind: string): Promise<void> | void {
  const found = ALL_ORDERS.find(({ typed }) => typed === `trouble ${kind}`);
  if (found) return runMarketControl(prompt, found);
  const names = FAULT_COMMAND_NAMES.slice(0, -1).join(', ');
  prompt.print(`Which failure? Type trouble and one of ${names}, or ${FAULT_COMMAND_NAMES.at(-1)}.`);
}
