/** The sandbox in a browser: what the product offers there, what can be made to happen, and how time passes. */
import type { Random } from '../clock.ts';
import { shortcutIds } from '../slack/blocks/ids.ts';
import { commands, shortcuts } from '../slack/table.ts';
import { type Activity, settle } from './activity.ts';
import type { SkippingClock } from './clocks.ts';
import { pick } from './marketplace/chance.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import type { Life } from './page/market.ts';
import type { Offers } from './page/show-world.ts';
import { type RunningPage, startPage } from './page/start.ts';
import { invite } from './sandbox-agency.ts';
import { comeAbout } from './sandbox-life.ts';
import { sendJobs } from './sandbox-trouble.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

export interface SandboxPage {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly clock: SkippingClock;
  readonly random: Random;
  /** Of the app. */
  readonly activity: Activity;
  /** Any free one with 0; the page's usual one when absent. */
  readonly port?: number;
  /** Has the page's files; where the build puts them when absent. */
  readonly root?: string;
}

/** As the manifest names them. */
const SHORTCUT_NAMES: ReadonlyMap<string, string> = new Map([[shortcutIds.lookUp, 'Look up project']]);

const OFFERS: Offers = {
  commands: commands.map(({ word, usage, summary }) => ({ word, usage, summary })),
  shortcuts: shortcuts.map(({ id }) => ({ callbackId: id, name: SHORTCUT_NAMES.get(id) ?? id })),
};

function lifeOf({ marketplace, clock, random }: SandboxPage): Life {
  return {
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
}

export function startSandboxPage(sandbox: SandboxPage): Promise<RunningPage> {
  const { slack, marketplace, clock, activity, port, root } = sandbox;
  return startPage({
    slack,
    marketplace,
    clock,
    offers: OFFERS,
    life: lifeOf(sandbox),
    pass: (ms) => clock.skip(ms, () => settle(activity, () => slack.openRequests)),
    ...(port === undefined ? {} : { port }),
    ...(root === undefined ? {} : { root }),
  });
}
