/**
 * The whole app beside a simulated marketplace and a simulated Slack, over real HTTP and websockets, on a
 * manual clock. `crash` is a kill -9: unwritten data is lost; `restart` opens what the disk has.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import { type Clock, type Instant, MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { allCollections } from '../../src/collections.ts';
import { readConfig } from '../../src/config.ts';
import { createLog, silentLog } from '../../src/log.ts';
import { type Disk, fileSystemDisk } from '../../src/storage/disk.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { ReadTransaction } from '../../src/storage/store.ts';
import { createInFlightWorkCounter, waitUntilAppIdle } from '../../src/workbench/activity.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import type {
  MarketplaceSubscriptionPlan,
  SimulatedMarketplace,
} from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { createTrackedDisk } from '../../src/workbench/sandbox-ports.ts';
import type { SimulatedSlack, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import { DatabasePlace, sharedDatabases } from './database-place.ts';
import { MemoryDisk } from './memory-disk.ts';
import { noPictures, plainPictures } from './pictures.ts';
import {
  type Life,
  mortalClock,
  mortalDisk,
  mortalDispatcher,
  mortalFetch,
  type Room,
  type Skew,
} from './ports.ts';
import { expectNoSecrets } from './secrets-in-log.ts';

export interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly seed?: number;
  /** Socket Mode when absent. */
  readonly mode?: 'socket' | 'http';
  readonly requestsPerMinute?: number;
  /** Start time. */
  readonly start?: Instant;
  /** Charts can't be drawn. */
  readonly drawsNothing?: boolean;
  /** Keeps the data in real files, for tests that open the folder themselves. In memory when absent. */
  readonly realDisk?: boolean;
  /** Keeps the records in PostgreSQL: the server's `adminUrl`. As the test run says when absent. */
  readonly databases?: string;
  /** The account's plan; paid when absent. */
  readonly plan?: MarketplaceSubscriptionPlan;
  /** Makes the app; the product's when absent. */
  readonly createApp?: typeof createApp;
}

/** The marketplace allows 500 requests a minute, and the app knows it. */
export const FAST = { requestsPerMinute: 500, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' } } as const;

export interface World {
  readonly clock: ManualClock;
  readonly marketplace: SimulatedMarketplace;
  readonly slack: SimulatedSlack;
  /** Every log line of all processes. */
  readonly logLines: readonly string[];
  /** Disk space; tests can fill and free it. */
  readonly room: Room;
  /** How far ahead the app's clock is; can change at any time. */
  readonly skew: Skew;
  /** Passes time step by step with the app keeping up; everything due within `stepMs` happens together. */
  pass(ms: number, stepMs?: number): Promise<void>;
  /** Passes time until the condition holds. @throws after `withinMs` of the clock. */
  until(what: string, condition: () => boolean, withinMs?: number): Promise<void>;
  /** Runs a command as ada, the admin (or as `user`). Returns the answer as text, once the app is idle. */
  gig(channel: string, text: string, user?: string): Promise<string>;
  /** A channel's cards: one for each project link at the head of a message. */
  cards(channel: string): readonly SlackMessage[];
  /** The projects posted in a channel, by their cards' URLs, in order; without summaries. */
  told(channel: string): readonly string[];
  /** The app's request address, for example `http://127.0.0.1:3000`. */
  address(): string;
  /** Opens a copy of the store as a crash would leave it now. */
  read<T>(look: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** The app's current data folder. */
  folder(): string;
  crash(): Promise<void>;
  /** Ends the app as a supervisor does; the services keep running. */
  end(): Promise<void>;
  /** After `crash` or `end`; optionally on another folder. */
  restart(on?: string): Promise<void>;
  stop(): Promise<void>;
}

/** How long `end` watches for leftover activity. */
export const AFTER_THE_END_MS = 2 * SECOND;

const WATCHDOG_STEP = 30_000;

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new ManualClock(options.start);
  const random = seededRandom(options.seed ?? 1);
  const marketplace = await startSimulatedMarketplace({
    clock,
    random,
    ...(options.requestsPerMinute ? { requestsPerMinute: options.requestsPerMinute } : {}),
    ...(options.plan ? { plan: options.plan } : {}),
  });
  const slack = await startSimulatedSlack({ clock, random, rateLimits: 'on', signingClock: clock });
  slack.addUser({ name: 'ada', admin: true });
  slack.addUser({ name: 'ben' });
  slack.addChannel({ name: 'web' });
  slack.addChannel({ name: 'data' });

  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-'));
  const logLines: string[] = [];
  const activity = createInFlightWorkCounter();
  let life: Life = { dead: false };
  const room: Room = { full: false };
  const skew: Skew = { ms: 0 };
  const place = options.realDisk ? ofMachine : inMemory(clock);
  const databases = options.databases ?? sharedDatabases();
  const database =
    databases === undefined || options.realDisk ? undefined : await DatabasePlace.create(databases);
  let app: App;
  let folder = path.join(root, 'life-1');
  let lives = 1;

  const begin = async () => {
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
    });
    if (read.kind === 'problems') throw new Error(read.problems.join('; '));
    life = { dead: false };
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
      charts: options.drawsNothing ? noPictures : plainPictures,
    });
    await app.start();
    if (http) slack.attachHttp(`${app.localUrl()}/slack/events`);
    await rest();
  };

  const openElsewhere = () => slack.openRequests;
  const rest = () => waitUntilAppIdle(activity, openElsewhere);

  const pass = async (ms: number, stepMs = 0) => {
    const end = clock.now() + ms;
    for (;;) {
      await rest();
      const next = clock.nextTimerDueAt();
      if (next === undefined || next > end) break;
      if (stepMs > 0) clock.moveInOneStep(Math.min(next + stepMs, end));
      else clock.moveTo(next);
    }
    clock.moveTo(end);
    await rest();
  };

  const until: World['until'] = async (what, condition, withinMs = 5 * MINUTE) => {
    const end = clock.now() + withinMs;
    await rest();
    while (!condition()) {
      const next = clock.nextTimerDueAt();
      if (next === undefined || next > end) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
      clock.moveTo(next);
      await rest();
    }
  };

  const end = async () => {
    const stopped = app.stop();
    for (let waited = 0; waited < WATCHDOG_STEP && life.dead === false; waited += 1_000) {
      const done = await Promise.race([stopped.then(() => true), rest().then(() => false)]);
      if (done) break;
      clock.moveBy(1_000);
    }
    await stopped;
    // Activity after the end would show in the log.
    clock.moveBy(AFTER_THE_END_MS);
    await rest();
    life.dead = true;
    await database?.kill();
  };

  await begin();

  return {
    clock,
    marketplace,
    slack,
    logLines,
    room,
    skew,
    pass,
    until,
    gig: async (channel, text, user = 'ada') => {
      const before = new Set(
        [...slack.ephemerals(user, channel), ...slack.messages(channel)].map((it) => it.ts),
      );
      await slack.runSlashCommand({ user, channel, text });
      await rest();
      const after = [...slack.ephemerals(user, channel), ...slack.messages(channel)];
      return after
        .filter((it) => !before.has(it.ts))
        .map(wordsOf)
        .join('\n');
    },
    cards: (channel) => slack.messages(channel).filter(isCard),
    told: (channel) => slack.messages(channel).filter(isCard).map(projectOf),
    address: () => app.localUrl(),
    read: async (look) => {
      if (database) return database.read(look);
      const copy = path.join(root, 'copy');
      await place.copy(folder, copy);
      const disk = createTrackedDisk(createInFlightWorkCounter(), 'forgetful', place.disk);
      const store = await openJournalStore({ ...ofCopy, disk, folder: copy });
      try {
        return await store.read(look);
      } finally {
        await store.close();
      }
    },
    crash: async () => {
      life.dead = true;
      slack.cutSockets();
      lives++;
      if (database) return database.kill();
      const next = path.join(root, `life-${lives}`);
      await place.copy(folder, next);
      place.leave(folder);
      folder = next;
    },
    folder: () => folder,
    end,
    restart: async (on = folder) => {
      folder = on;
      await begin();
    },
    stop: async () => {
      if (!life.dead) await end();
      await Promise.all([marketplace.close(), slack.close(), database?.remove()]);
      await rm(root, { recursive: true, force: true });
      expectNoSecrets(logLines, marketplace, slack);
    },
  };
}

/** Deletes the copy with its reader. */
const ofCopy = { collections: allCollections, log: silentLog, clock: machineClock };

/**
 * The app's data folder, and copies of it: everything except the lock, which belongs to the running process.
 */
interface Place {
  readonly disk: Disk;
  /** Deletes the previous folder. */
  copy(from: string, to: string): Promise<void>;
  /** This folder won't be used again. */
  leave(folder: string): void;
}

const isLock = (name: string) => name.includes('lock');

const ofMachine: Place = {
  disk: fileSystemDisk,
  copy: async (from, to) => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, filter: (source) => !isLock(path.basename(source)) });
  },
  // Work of a dead process may still be pending in it; it is deleted with the world.
  leave: () => {},
};

function inMemory(clock: Clock): Place {
  const disk = new MemoryDisk(clock);
  return {
    disk,
    copy: async (from, to) => disk.copyFolder(from, to, isLock),
    leave: (folder) => disk.removeFolder(folder),
  };
}

/** A cell of a table, with people, channels and dates as in mrkdwn. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { text, elements, ...rest } = value as Record<string, unknown>;
  if (typeof rest['user_id'] === 'string') return `<@${rest['user_id']}>`;
  if (typeof rest['channel_id'] === 'string') return `<#${rest['channel_id']}>`;
  if (typeof rest['timestamp'] === 'number')
    return `<!date^${rest['timestamp']}^${String(rest['format'])}|${String(rest['fallback'])}>`;
  return typeof text === 'string' ? text : cellText(elements);
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { text, rows, ...rest } = value as Record<string, unknown>;
  if (Array.isArray(rows))
    return rows.map((row) => (Array.isArray(row) ? row.map(cellText).join(' · ') : ''));
  const own = typeof text === 'string' ? [text] : textsIn(text);
  return [...own, ...Object.values(rest).flatMap((part) => (typeof part === 'object' ? textsIn(part) : []))];
}

/** All readable text of a message: its own and that of its blocks. */
export function wordsOf(message: SlackMessage): string {
  return [message.text, ...textsIn(message.blocks)].join('\n');
}

/** The message's post id, such as `notice:C00000001:budget-low:2026-01`; empty for an answer. */
export function postOf(message: SlackMessage): string {
  const post = message.metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

/** Channel messages that are posts of a kind, such as `card`, `invitation`, `outcome` or `notice`. */
export function posted(
  { slack }: Pick<World, 'slack'>,
  kind: string,
  channel = 'web',
): readonly SlackMessage[] {
  return slack.messages(channel).filter((it) => postOf(it).startsWith(`${kind}:`));
}

function isCard(message: SlackMessage): boolean {
  return postOf(message).startsWith('card:');
}

/** The card's project, from its post id. */
export function projectOf(message: SlackMessage): string {
  return postOf(message).split(':').slice(2).join(':');
}
