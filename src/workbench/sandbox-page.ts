/** The sandbox in a browser, and what the product offers there. */
import type { Clock } from '../clock.ts';
import { shortcutIds } from '../slack/blocks/ids.ts';
import { commands, shortcuts } from '../slack/table.ts';
import type { MarketDesk } from './page/market.ts';
import type { Offers } from './page/show-world.ts';
import { type RunningPage, startPage } from './page/start.ts';
import { GUIDE } from './sandbox-seed.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

export interface SandboxPage {
  readonly slack: SimulatedSlack;
  readonly market: MarketDesk;
  readonly clock: Clock;
  /** Any free one with 0; the page's usual one when absent. */
  readonly port?: number;
  /** Has the page's files; where the build puts them when absent. */
  readonly root?: string;
}

/** As the manifest names them. */
const SHORTCUT_NAMES: ReadonlyMap<string, string> = new Map([[shortcutIds.lookUp, 'Look up project']]);

const OFFERS: Offers = {
  commands: commands.map(({ word, usage, summary }) => ({ word, usage, summary })),
  guide: GUIDE,
  shortcuts: shortcuts.map(({ id }) => ({ callbackId: id, name: SHORTCUT_NAMES.get(id) ?? id })),
};

export function startSandboxPage(sandbox: SandboxPage): Promise<RunningPage> {
  return startPage({ ...sandbox, offers: OFFERS });
}
