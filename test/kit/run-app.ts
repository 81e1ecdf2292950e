/**
 * The whole app beside a simulated marketplace and a simulated Slack, over real HTTP and websockets, on a
 * clock that moves by hand. The process can be killed: unwritten data is lost, and a start opens what is
 * left.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, createApp } from '../../src/app/app.ts';
import { type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { type Disk, fileSystemDisk } from '../../src/storage/disk.ts';
import { createInFlightWorkCounter, waitUntilAppIdle } from '../../src/workbench/activity.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import type {
  MarketplaceSubscriptionPlan,
  SimulatedMarketplace,
} from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import { expectDecentCalls } from './check-shown.ts';
import { DatabasePlace, sharedDatabases } from './database-place.ts';
import { MemoryDisk } from './memory-disk.ts';
import {
  closeFiles,
  type Life,
  mortalClock,
  mortalDisk,
  mortalDispatcher,
  mortalFetch,
  type Room,
  type Skew,
} from './ports.ts';
import { expectNoSecrets } from './secrets-in-log.ts';

export interface AppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly seed?: number;
  /** Socket Mode when absent. */
  readonly mode?: 'socket' | 'http';
  readonly requestsPerMinute?: number;
  /** Start time. */
  readonly start?: Instant;
  /** Keeps the data in real files, for tests that open the folder themselves. In memory when absent. */
  readonly realDisk?: boolean;
  /** Keeps the records in PostgreSQL: the server's `adminUrl`. As the test run says when absent. */
  readonly databases?: string;
  /** The account's plan; paid when absent. */
  readonly plan?: MarketplaceSubscriptionPlan;
  /** Makes the app; the product's when absent. */
  readonly createApp?: typeof createApp;
}

export interface RunningApp {
  readonly clock: ManualClock;
  readonly marketplace: SimulatedMarketplace;
  readonly slack: SimulatedSlack;
  /** Every log line of all processes. */
  readonly logLines: readonly string[];
  /** Disk space; tests can fill and free it. */
  readonly room: Room;
  /** How far ahead the app's clock is; can change at any time. */
  readonly skew: Skew;
  /** Passes time timer by timer with the app keeping up; what is due within `stepMs` happens together. */
  readonly pass: (ms: number, stepMs?: number) => Promise<void>;
  /** Passes time until the condition holds. @throws after `withinMs` of the clock. */
  readonly until: (what: string, condition: () => boolean, withinMs?: number) => Promise<void>;
  /** Resolves when the app waits only for the clock. */
  readonly settle: () => Promise<void>;
  /** The app's request address, for example `http://127.0.0.1:3000`. */
  readonly address: () => string;
  readonly data: AppData;
  /** As `kill -9` does. */
  readonly kill: () => Promise<void>;
  /** Ends the app as a supervisor does; the services keep running. */
  readonly end: () => Promise<void>;
  /** Starts the app after `kill` or `end`. @throws what its start throws */
  readonly start: (change?: StartChange) => Promise<void>;
  /** Ends everything, and checks that no log line has a secret, and all that the app showed was decent. */
  readonly stop: () => Promise<void>;
}

interface StartChange {
  /** Another data folder, from now on. */
  readonly on?: string;
  /** Other settings, for this start. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the app keeps, as a kill would leave it now. */
interface AppData {
  readonly disk: Disk;
  readonly database: DatabasePlace | undefined;
  readonly folder: () => string;
  /** Copies the folder without its lock. @returns the copy */
  readonly copyFolder: () => Promise<string>;
}

/** How long `end` watches for leftover activity. */
export const AFTER_THE_END_MS = 2 * SECOND;

const LONGEST_END_MS = 30 * SECOND;

/** The real disk's. */
const PIECE_BYTES = 64 * 1024;

export async function runApp(options: AppOptions = {}): Promise<RunningApp> {
  const clock = new ManualClock(options.start);
  const random = seededRandom(options.seed ?? 1);
  const { requestsPerMinute, plan } = options;
  const marketplace = await startSimulatedMarketplace({
    clock,
    random,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(plan === undefined ? {} : { plan }),
  });
  const slack = await startSimulatedSlack({ clock, random, rateLimits: 'on', signingClock: clock });
  slack.addUser({ name: 'ada', admin: true });
  slack.addUser({ name: 'ben' });
  slack.addChannel({ name: 'web' });
  slack.addChannel({ name: 'data' });

  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-'));
  const logLines: string[] = [];
  const activity = createInFlightWorkCounter();
  const room: Room = { full: false };
  const skew: Skew = { ms: 0 };
  const place = options.realDisk ? onMachine : inMemory();
  const databases = options.databases ?? sharedDatabases();
  const database =
    databases === undefined || options.realDisk ? undefined : await DatabasePlace.create(databases);
  let life: Life = { dead: false };
  let app: App;
  let lives = 1;
  let folder = path.join(root, 'life-1');

  const settle = () => waitUntilAppIdle(activity, () => slack.openRequests);

  const start = async ({ on = folder, env }: StartChange = {}) => {
    folder = on;
    const http = options.mode === 'http';
    const read = readConfig({
      SLACK_BOT_TOKEN: slack.botToken,
      ...(http ? { SLACK_SIGNING_SECRET: slack.signingSecret } : { SLACK_APP_TOKEN: slack.appToken }),
      SLACK_API_URL: slack.apiUrl,
      MARKETPLACE_API_URL: marketplace.baseUrl,
      MARKETPLACE_API_TOKEN: marketplace.token,
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'debug',
      ...options.env,
      ...env,
    });
    if (read.kind === 'problems') throw new Error(read.problems.join('; '));
    life = { dead: false, openFiles: new Set() };
    const ports = {
      clock: mortalClock(clock, life, skew),
      random: seededRandom(lives),
      log: createLog('debug', { write: (line) => logLines.push(line) }),
    };
    app = (options.createApp ?? createApp)(read.config, {
      ...ports,
      ...(database ? { openRecords: await database.connect({ life, activity, room, ports }) } : {}),
      fetch: mortalFetch(activity, life),
      dispatcher: mortalDispatcher(activity, life),
      disk: mortalDisk(activity, life, room, place.disk),
    });
    await app.start();
    if (http) slack.attachHttp(`${app.localUrl()}/slack/events`);
    await settle();
  };

  const pass: RunningApp['pass'] = async (ms, stepMs = 0) => {
    const end = clock.now() + ms;
    for (;;) {
      await settle();
      const next = clock.nextTimerDueAt();
      if (next === undefined || next > end) break;
      if (stepMs > 0) clock.moveInOneStep(Math.min(next + stepMs, end));
      else clock.moveTo(next);
    }
    clock.moveTo(end);
    await settle();
  };

  const until: RunningApp['until'] = async (what, condition, withinMs = 5 * MINUTE) => {
    const end = clock.now() + withinMs;
    await settle();
    while (!condition()) {
      const next = clock.nextTimerDueAt();
      if (next === undefined || next > end) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
      clock.moveTo(next);
      await settle();
    }
  };

  const end = async () => {
    const stopped = app.stop();
    for (let waited = 0; waited < LONGEST_END_MS && !life.dead; waited += SECOND) {
      const done = await Promise.race([stopped.then(() => true), settle().then(() => false)]);
      if (done) break;
      clock.moveBy(SECOND);
    }
    await stopped;
    // Activity after the end would show in the log.
    clock.moveBy(AFTER_THE_END_MS);
    await settle();
    life.dead = true;
    await database?.kill();
  };

  const copyFolder = async () => {
    const copy = path.join(root, 'copy');
    await place.copy(folder, copy);
    return copy;
  };

  await start();
  return {
    clock,
    marketplace,
    slack,
    logLines,
    room,
    skew,
    pass,
    until,
    settle,
    address: () => app.localUrl(),
    data: { disk: place.disk, database, folder: () => folder, copyFolder },
    kill: async () => {
      life.dead = true;
      slack.cutSockets();
      lives++;
      if (database) return database.kill();
      await closeFiles(life);
      const next = path.join(root, `life-${lives}`);
      await place.copy(folder, next);
      place.leave(folder);
      folder = next;
    },
    end,
    start,
    stop: async () => {
      if (!life.dead) await end();
      await Promise.all([marketplace.close(), slack.close(), database?.remove()]);
      await rm(root, { recursive: true, force: true });
      expectNoSecrets(logLines, marketplace, slack);
      expectDecentCalls(slack.apiCalls());
    },
  };
}

/** Where the data folder is, and copies of it: all but the lock, which belongs to the running process. */
interface Place {
  readonly disk: Disk;
  /** Deletes what was at `to`. */
  copy(from: string, to: string): Promise<void>;
  /** This folder won't be used again. */
  leave(folder: string): void;
}

const isLock = (name: string) => name.includes('lock');

const onMachine: Place = {
  disk: fileSystemDisk,
  copy: async (from, to) => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, filter: (source) => !isLock(path.basename(source)) });
  },
  // Work of a killed process may still be pending in it; it is deleted at the end.
  leave: () => {},
};

function inMemory(): Place {
  const disk = new MemoryDisk(PIECE_BYTES);
  return {
    disk,
    copy: async (from, to) => disk.copyFolder(from, to, isLock),
    leave: (folder) => disk.removeFolder(folder),
  };
}
