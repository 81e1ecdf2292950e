/** Puts the sandbox together: both simulated services with what it begins with, the app, and its page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '../app.ts';
import { machineClock, type Random } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { createLog, type LogLevel, type LogSink } from '../log.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { countActivity, settle } from './activity.ts';
import type { SkippingClock } from './clocks.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { startMarketplace } from './marketplace/start.ts';
import type { MarketDesk } from './page/market.ts';
import type { RunningPage } from './page/start.ts';
import { createMarketDesk } from './sandbox-market.ts';
import { startSandboxPage } from './sandbox-page.ts';
import { countedDisk, countedDispatcher, countedFetch } from './sandbox-ports.ts';
import { seedMarketplace, seedSlack } from './sandbox-seed.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';
import { startSlack } from './slack/start.ts';

export interface SandboxOptions {
  readonly clock: SkippingClock;
  readonly random: Random;
  readonly logLevel: LogLevel;
  readonly log: LogSink;
  /** Of the page: any free one with 0; its usual one when absent. */
  readonly port?: number;
  /** Has the page's `assets` and its compiled `client`; where the build puts them when absent. */
  readonly root?: string;
  /** For digests and for people who named none, such as `Europe/Berlin`. */
  readonly timezone: string;
  /** The app's own when absent. */
  readonly pictures?: Pictures;
}

export interface Sandbox {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  /** What can be made to happen in the marketplace. */
  readonly market: MarketDesk;
  readonly page: RunningPage;
  /** Begins the app; until then the services and the page wait for it. */
  readonly start: () => Promise<void>;
  /** Lets so many ms go by, everyone keeping up. @throws Error while time is passing already */
  readonly pass: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

function configFor(
  slack: SimulatedSlack,
  marketplace: { readonly baseUrl: string; readonly token: string },
  folder: string,
  { logLevel, timezone }: Pick<SandboxOptions, 'logLevel' | 'timezone'>,
): Config {
  const read = readConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: logLevel,
    TZ_DEFAULT: timezone,
  });
  if (read.kind === 'problems') throw new Error(read.problems.join('\n'));
  return read.config;
}

/** Everything is there afterwards, and nothing has begun. */
export async function prepareSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, random, logLevel, log, port, root, pictures } = options;
  const activity = countActivity();
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-sandbox-'));
  const marketplace = await startMarketplace({ clock, random });
  // A person's 3 s are the machine's, also while an hour passes in between.
  const slack = await startSlack({ clock, peopleClock: machineClock, random, rateLimits: 'on' });
  seedSlack(slack);
  seedMarketplace(marketplace, clock, random);
  const app = createApp(configFor(slack, marketplace, folder, options), {
    clock,
    random,
    log: createLog(logLevel, log),
    fetch: countedFetch(activity),
    dispatcher: countedDispatcher(activity),
    disk: countedDisk(activity, 'forgetful'),
    ...(pictures ? { pictures } : {}),
  });
  const pass = (ms: number) => clock.skip(ms, () => settle(activity, () => slack.openRequests));
  const market = createMarketDesk(marketplace, clock, random, pass);
  const page = await startSandboxPage({
    slack,
    market,
    clock,
    ...(port === undefined ? {} : { port }),
    ...(root === undefined ? {} : { root }),
  });
  return {
    slack,
    marketplace,
    market,
    page,
    start: () => app.start(),
    pass,
    stop: async () => {
      await page.close();
      await app.stop();
      await Promise.all([marketplace.close(), slack.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
