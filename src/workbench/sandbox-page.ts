/** The sandbox in a browser, and what the product offers there. */
import type { Clock } from '../clock.ts';
import { commands, shortcuts } from '../slack/all-routes.ts';
import { shortcutIds } from '../slack/blocks/ids.ts';
import type { MarketController } from './page/market-controller.ts';
import type { ProductCatalog } from './page/page-workspace.ts';
import { type RunningPageServer, startPageServer } from './page/start-page-server.ts';
import { GUIDE_USER_NAME } from './sandbox-seed.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

export interface SandboxPageOptions {
  readonly slack: SimulatedSlack;
  readonly market: MarketController;
  readonly clock: Clock;
  /** Any free one with 0; the page's usual one when absent. */
  readonly port?: number;
  /** Has the page's files; where the build puts them when absent. */
  readonly root?: string;
}

/** As the manifest names them. */
const SHORTCUT_NAMES: ReadonlyMap<string, string> = new Map([[shortcutIds.lookUp, 'Look up project']]);

const OFFERS: ProductCatalog = {
  commands: commands.map(({ word, usage, summary }) => ({ word, usage, summary })),
  guide: GUIDE_USER_NAME,
  shortcuts: shortcuts.map(({ id }) => ({ callbackId: id, name: SHORTCUT_NAMES.get(id) ?? id })),
};

export function startSandboxPage(sandbox: SandboxPageOptions): Promise<RunningPageServer> {
  return startPageServer({ ...sandbox, offers: OFFERS });
}
