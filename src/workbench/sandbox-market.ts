/** What can be made to happen in the sandbox's marketplace: by the page's panel, and by the words for it at the prompt. */
import type { Clock, Random } from '../clock.ts';
import { pick } from './marketplace/chance.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { END_TROUBLE, type MarketOrder, ORDERS } from './page/client/market-orders.ts';
import { MarketDesk } from './page/market.ts';
import { invite } from './sandbox-agency.ts';
import { sendJobs } from './sandbox-jobs.ts';
import { comeAbout } from './sandbox-life.ts';
import type { Prompt } from './sandbox-place.ts';

/** @param pass lets so many ms go by and resolves when they have */
export function createMarketDesk(
  marketplace: SimulatedMarketplace,
  clock: Clock,
  random: Random,
  pass: (ms: number) => Promise<void>,
): MarketDesk {
  const life = {
    publish: () => {
      const filters = marketplace.filters();
      if (filters.length > 0) marketplace.publish(pick(random, filters).id);
      return filters.length > 0;
    },
    invite: () => {
      const isPossible = marketplace.projects().length > 0;
      if (isPossible) invite(marketplace, random, clock.now());
      return isPossible;
    },
    outcome: () => comeAbout(marketplace, random),
    runJobs: () => sendJobs(marketplace),
  };
  return new MarketDesk(marketplace, clock, life, pass);
}

const ALL_ORDERS = [...ORDERS.flatMap(({ orders }) => orders), END_TROUBLE];

/** Words that stand alone, such as `hour`. */
export const EVENTS = ALL_ORDERS.filter(({ typed }) => !typed.startsWith('trouble '));

/** What `trouble` knows. */
export const TROUBLES = ALL_ORDERS.flatMap(({ typed }) => /^trouble (.+)$/u.exec(typed)?.[1] ?? []);

/** Carries out what the page's panel has, too, and tells what the panel would. */
export async function order({ market, print }: Prompt, { act, done }: MarketOrder): Promise<void> {
  const answer = await market.act(act);
  if (!answer.ok) return print(answer.problem);
  const ahead = act.kind === 'fault' ? market.troubles().map((each) => `\n ${each}`) : [];
  print(`(${answer.notice ?? done}${ahead.join('')})`);
}

export function orderTrouble(prompt: Prompt, kind: string): Promise<void> | void {
  const found = ALL_ORDERS.find(({ typed }) => typed === `trouble ${kind}`);
  if (found) return order(prompt, found);
  prompt.print(
    `Which failure? Type trouble and one of ${TROUBLES.slice(0, -1).join(', ')}, or ${TROUBLES.at(-1)}.`,
  );
}
