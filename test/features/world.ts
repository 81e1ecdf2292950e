/**
 * The whole app beside a simulated marketplace and a simulated Slack, over real HTTP and websockets, on a clock moved by hand.
 * `crash` is a kill -9: nothing that the process had not written by then ever happens; `restart` opens what the disk holds.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, createApp } from '../../src/app.ts';
import { type Clock, type Instant, MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { collections } from '../../src/collections.ts';
import { readConfig } from '../../src/config.ts';
import { createLog, silentLog } from '../../src/log.ts';
import { type Disk, fileSystemDisk } from '../../src/storage/lowdb/disk.ts';
import { openLowdbStore } from '../../src/storage/lowdb/open.ts';
import type { ReadTransaction } from '../../src/storage/store.ts';
import { createActivityCounter, waitUntilAppIdle } from '../../src/workbench/activity.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import type {
  SimulatedMarketplace,
  SubscriptionPlan,
} from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { createTrackedDisk } from '../../src/workbench/sandbox-ports.ts';
import type { SimulatedSlack, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
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
  /** When it begins. */
  readonly start?: Instant;
  /** Pictures can't be drawn. */
  readonly drawsNothing?: boolean;
  /** The disk is one in memory, and quick: a crash here loses no more than the process. */
  readonly forgetfulDisk?: boolean;
  /** The account's plan; paid when absent. */
  readonly plan?: SubscriptionPlan;
}

/** The marketplace lets 500 requests a minute through, and the app knows it. */
export const FAST = { requestsPerMinute: 500, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' } } as const;

export interface World {
  readonly clock: ManualClock;
  readonly marketplace: SimulatedMarketplace;
  readonly slack: SimulatedSlack;
  /** Every line of the log, of all lives of the app. */
  readonly logLines: readonly string[];
  /** Of the disk; to be filled and emptied. */
  readonly room: Room;
  /** How far ahead the app's clock is set, to be changed at any time. */
  readonly skew: Skew;
  /** Lets so much time go by, step by step, the app keeping up; what falls due within `stepMs` happens together. */
  pass(ms: number, stepMs?: number): Promise<void>;
  /** Lets time go by until it is so. @throws after `withinMs` of the clock. */
  until(what: string, condition: () => boolean, withinMs?: number): Promise<void>;
  /** A command of ada, the admin (or of `user`); what it answered, as text, once everything is at rest. */
  gig(channel: string, text: string, user?: string): Promise<string>;
  /** Cards that stand in a channel: one for each project's link at the head of a message. */
  cards(channel: string): readonly SlackMessage[];
  /** The projects told in a channel, by the url on their cards, in order; summaries are not counted. */
  told(channel: string): readonly string[];
  /** Where the app takes requests, for example `http://127.0.0.1:3000`. */
  address(): string;
  /** Looks into the store as a crash would leave it now, through a copy. */
  read<T>(look: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** Where the app keeps its data at present. */
  folder(): string;
  crash(): Promise<void>;
  /** Ends the app as a supervisor would; the services beside it stay. */
  end(): Promise<void>;
  /** After `crash` or `end`; where a folder is named, on that one. */
  restart(on?: string): Promise<void>;
  stop(): Promise<void>;
}

/** How long `end` looks whether anything goes on by itself. */
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
  const activity = createActivityCounter();
  let life: Life = { dead: false };
  const room: Room = { full: false };
  const skew: Skew = { ms: 0 };
  const place = options.forgetfulDisk ? inMemory(clock) : ofMachine;
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
    app = createApp(read.config, {
      clock: mortalClock(clock, life, skew),
      random: seededRandom(lives),
      log: createLog('debug', { write: (line) => logLines.push(line) }),
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
    // Whatever goes on by itself after the end would show in the log.
    clock.moveBy(AFTER_THE_END_MS);
    await rest();
    life.dead = true;
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
      const copy = path.join(root, 'copy');
      await place.copy(folder, copy);
      const disk = createTrackedDisk(createActivityCounter(), 'forgetful', place.disk);
      const store = await openLowdbStore({ ...ofCopy, disk, folder: copy });
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
      await Promise.all([marketplace.close(), slack.close()]);
      await rm(root, { recursive: true, force: true });
      expectNoSecrets(logLines, marketplace, slack);
    },
  };
}

/** A copy goes away with its reader. */
const ofCopy = { collections, log: silentLog, clock: machineClock };

/** Where the app keeps its data, and how a folder of it is copied: all but the lock, which belongs to whoever runs. */
interface Place {
  readonly disk: Disk;
  /** What stood there before goes away. */
  copy(from: string, to: string): Promise<void>;
  /** Nobody will begin on this folder any more. */
  leave(folder: string): void;
}

const isLock = (name: string) => name.includes('lock');

const ofMachine: Place = {
  disk: fileSystemDisk,
  copy: async (from, to) => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, filter: (source) => !isLock(path.basename(source)) });
  },
  // What a dead process had begun may still be under way in it; it goes away with the world.
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

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { text, ...rest } = value as Record<string, unknown>;
  const own = typeof text === 'string' ? [text] : textsIn(text);
  return [...own, ...Object.values(rest).flatMap((part) => (typeof part === 'object' ? textsIn(part) : []))];
}

/** Everything readable in a message: its text and that of its blocks. */
export function wordsOf(message: SlackMessage): string {
  return [message.text, ...textsIn(message.blocks)].join('\n');
}

/** The post that a message is of, such as `notice:C00000001:budget-low:2026-01`; empty for an answer. */
export function postOf(message: SlackMessage): string {
  const post = message.metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

/** Messages in a channel that are posts of a kind, such as `card`, `invitation`, `outcome` or `notice`. */
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

/** The project of a card, as its post names it. */
export function projectOf(message: SlackMessage): string {
  return postOf(message).split(':').slice(2).join(':');
}
