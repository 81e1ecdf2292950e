/** The sandbox's page, and the product's commands in it. */
import type { Clock } from '../clock.ts';
import { commandRoutes, shortcutRoutes } from '../slack/all-routes.ts';
import { shortcutIds } from '../slack/kit/ids.ts';
import type { MarketController } from './page/market-controller.ts';
import type { PageGuide } from './page/page-guide.ts';
import type { AppCommandCatalog } from './page/page-workspace.ts';
import { type RunningPageServer, startPageServer } from './page/start-page-server.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

export interface SandboxPageOptions {
  readonly slack: SimulatedSlack;
  readonly market: MarketController;
  readonly guide: PageGuide;
  readonly clock: Clock;
  /** 0: any free port; the page's default port when absent. */
  readonly port?: number;
  /** The folder with the page's files. */
  readonly root: string;
}

/** The names in the manifest. */
const SHORTCUT_NAMES: ReadonlyMap<string, string> = new Map([[shortcutIds.lookUp, 'Look up project']]);

const OFFERS: AppCommandCatalog = {
  commands: commandRoutes.map(({ word, usage, summary }) => ({ word, usage, summary })),
  shortcuts: shortcutRoutes.map(({ id }) => ({ callbackId: id, name: SHORTCUT_NAMES.get(id) ?? id })),
};

export function startSandboxPage(sandbox: SandboxPageOptions): Promise<RunningPageServer> {
  return startPageServer({ ...sandbox, offers: OFFERS });
}
