/** Assembles the sandbox: both simulated services with their initial contents, the app, and the page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '../app/app.ts';
import type { App } from '../app/app-contract.ts';
import { machineClock, type RandomSource, SECOND } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { createLog, type LogLevel, type LogSink } from '../log.ts';
import { createInFlightWorkCounter, waitUntilAppIdle } from './activity.ts';
import type { SkippingClock } from './clocks.ts';
import { findFreePort } from './free-port.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from './marketplace/start-marketplace.ts';
import type { MarketController } from './page/market-controller.ts';
import type { RunningPageServer } from './page/start-page-server.ts';
import { createSandboxGuide } from './sandbox-guide.ts';
import { createHintTool } from './sandbox-hints.ts';
import { createMarketController } from './sandbox-market.ts';
import { startSandboxPage } from './sandbox-page.ts';
import { createTrackedDisk, createTrackedDispatcher, createTrackedFetch } from './sandbox-ports.ts';
import { SandboxProjects } from './sandbox-projects.ts';
import { SANDBOX_TRAFFIC_PLAN, seedMarketplace, seedSlack } from './sandbox-seed.ts';
import { createSandboxTraffic, type SandboxTraffic } from './sandbox-traffic.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';
import { startSimulatedSlack } from './slack/start-slack.ts';

export interface SandboxOptions {
  readonly clock: SkippingClock;
  readonly random: RandomSource;
  readonly logLevel: LogLevel;
  readonly log: LogSink;
  /** The page's port. 0: any free port; its default port when absent. */
  readonly port?: number;
  /** The folder with the page's `assets` and its compiled `client`. */
  readonly root: string;
  /** For digests and for people without a time zone, such as `Europe/Berlin`. */
  readonly timezone: string;
}

export interface Sandbox {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  /** The events that can be triggered in the marketplace. */
  readonly market: MarketController;
  /** Publishes made-up projects. */
  readonly projects: SandboxProjects;
  /** What happens on its own, once started. */
  readonly traffic: SandboxTraffic;
  readonly page: RunningPageServer;
  /** Starts the app; until then, the services and the page wait for it. */
  readonly start: () => Promise<void>;
  /** Lets this many ms pass while the app keeps up. @throws Error while time is already passing */
  readonly advanceTime: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

function configFor(
  slack: SimulatedSlack,
  marketplace: { readonly baseUrl: string; readonly token: string },
  folder: string,
  port: number,
  { logLevel, timezone }: Pick<SandboxOptions, 'logLevel' | 'timezone'>,
): Config {
  const read = readConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: logLevel,
    TZ_DEFAULT: timezone,
  });
  if (read.kind === 'problems') throw new Error(read.problems.join('\n'));
  const { config } = read;
  // Tools on this machine reach it there: the form for hints shows it.
  return { ...config, http: { ...config.http, publicUrl: `http://127.0.0.1:${port}` } };
}

/** In the machine's time, between two steps of a second. */
const STOP_STEP_MS = 100;

/** Time passes while the app stops, even on a stopped clock: the app waits for open requests. */
async function stopApp(app: Pick<App, 'stop'>, clock: SkippingClock): Promise<void> {
  let isOver = false;
  const ended = app.stop().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([ended, machineClock.sleep(STOP_STEP_MS)]);
    // A skip that is still running passes the time itself.
    if (!isOver) await clock.skipAhead(SECOND, async () => undefined).catch(() => undefined);
  }
  await ended;
}

/** Creates everything, but starts nothing. */
export async function prepareSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, random, logLevel, log, port, root } = options;
  const activity = createInFlightWorkCounter();
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-sandbox-'));
  const marketplace = await startSimulatedMarketplace({ clock, random });
  // A person's 3 s are real time, even while a skip passes an hour.
  const slack = await startSimulatedSlack({ clock, peopleClock: machineClock, random, rateLimits: 'on' });
  seedSlack(slack);
  const projects = new SandboxProjects(marketplace, clock, random);
  seedMarketplace(marketplace, clock, random, projects);
  const traffic = createSandboxTraffic(marketplace, projects, clock, random, SANDBOX_TRAFFIC_PLAN);
  // Its forms show it before it listens.
  const appPort = await findFreePort();
  const app = createApp(configFor(slack, marketplace, folder, appPort, options), {
    clock,
    random,
    log: createLog(logLevel, log),
    fetch: createTrackedFetch(activity),
    dispatcher: createTrackedDispatcher(activity),
    disk: createTrackedDisk(activity, 'forgetful'),
  });
  const pass = (ms: number) =>
    clock.skipAhead(ms, () => waitUntilAppIdle(activity, () => slack.openRequests));
  const market = createMarketController(marketplace, clock, random, pass, {
    projects,
    traffic,
    hints: createHintTool(slack, () => app.localUrl(), createTrackedFetch(activity)),
  });
  const page = await startSandboxPage({
    slack,
    market,
    guide: createSandboxGuide(slack, marketplace),
    clock,
    ...(port === undefined ? {} : { port }),
    root,
  });
  return {
    slack,
    marketplace,
    market,
    projects,
    traffic,
    page,
    start: () => app.start(),
    advanceTime: pass,
    stop: async () => {
      traffic.stop();
      await page.close();
      await stopApp(app, clock);
      await Promise.all([marketplace.close(), slack.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
