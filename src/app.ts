/** The composition root: puts the parts together, starts them in order, and drains them. */
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FetchFunction } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import { createAccess } from './access/create-access.ts';
import { knownAdmins } from './access/known-admins.ts';
import { createBidding } from './bidding/create-bidding.ts';
import { touchProject } from './bidding/tell.ts';
import { type Clock, type Instant, type Random, SECOND, watchEventLoop } from './clock.ts';
import { beginClockWatch, keepClockRecord } from './clock-record.ts';
import { ClockWatch } from './clock-watch.ts';
import { collections } from './collections.ts';
import type { Config } from './config.ts';
import { createCreditBook } from './credits/credit-book.ts';
import { createDigests } from './digests/create-digests.ts';
import { createDirectory } from './directory/create-directory.ts';
import { asError } from './errors.ts';
import { subscribedChannels } from './feed/channels.ts';
import { createFeed } from './feed/create-feed.ts';
import { storedGateJournal } from './gate-journal.ts';
import { createInvitations } from './invitations/create-invitations.ts';
import type { Log } from './log.ts';
import { createMarketplace } from './marketplace/http-client.ts';
import { createGate } from './marketplace/request-gate.ts';
import { Proposal } from './marketplace/schema.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { watchRoutes } from './metrics/routes.ts';
import { createPictures } from './pictures/create-pictures.ts';
import type { Pictures } from './pictures/pictures.ts';
import { profilesOf } from './profiles/channel-stops.ts';
import { createProfiles } from './profiles/create-profiles.ts';
import { createProjects } from './projects/projects.ts';
import { createMirror } from './proposals/create-mirror.ts';
import { createSearch } from './proposals/create-search.ts';
import { findProposal } from './proposals/find-proposal.ts';
import { tellOutcomes } from './proposals/tell-outcomes.ts';
import { clockTicker } from './schedule/clock-ticker.ts';
import { createSchedule } from './schedule/run-schedule.ts';
import type { Ticker } from './schedule/schedule.ts';
import { createSetups } from './setups/create-setups.ts';
import { Boundary } from './slack/boundary.ts';
import { createSlackCalls } from './slack/calls.ts';
import { createClients, identify, tellingDates } from './slack/clients.ts';
import { type SlackApp, startSlackApp } from './slack/connect.ts';
import { createDelivery } from './slack/delivery/delivery.ts';
import { createPicturePort } from './slack/delivery/picture-port.ts';
import { createDeliveryPort } from './slack/delivery/web-port.ts';
import { HomeMemory } from './slack/home/home-memory.ts';
import { renderPost } from './slack/messages/render-post.ts';
import { createPeople } from './slack/people.ts';
import { createJsonPoster } from './slack/post-json.ts';
import { untilReached } from './slack/reach.ts';
import type { Services } from './slack/routes.ts';
import { actions, commands, events, shortcuts, views } from './slack/table.ts';
import { UnfurlTurns } from './slack/unfurls/unfurl-turns.ts';
import type { Disk } from './storage/lowdb/disk.ts';
import { openLowdbStore } from './storage/lowdb/open.ts';
import { createShelves } from './storage/shelves/shelves.ts';
import { createTemplates } from './templates/create-templates.ts';

/** What the app is handed of the outside world. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Towards Slack's Web API; the machine's own when absent. */
  readonly fetch?: FetchFunction;
  /** Towards the marketplace, and for answers to Slack's `response_url`s; connection pools of their own when absent. */
  readonly dispatcher?: Dispatcher;
  readonly disk?: Disk;
  /** Of the wall clock; minutes of `clock` when absent. */
  readonly ticker?: Ticker;
  /** Draws; in a worker thread when absent. */
  readonly pictures?: Pictures;
}

export interface App {
  /**
   * Resolves when Slack can reach us and the feed runs. While Slack can't be reached it is tried again and again. Once.
   * @throws StorageError, SlackCallError or Error, after everything that was opened is closed again; also when `stop`
   * was called meanwhile.
   */
  start(): Promise<void>;
  /** Takes nothing new, lets what is under way finish (8 s at most), writes what is left to write, closes all. Never throws. */
  stop(): Promise<void>;
  /** Resolves when a part that must run on has ended by itself: then the process should end and begin anew. */
  readonly broken: Promise<Error>;
  /** Of the HTTP server, for example `http://127.0.0.1:3000`. @throws Error before `start` has resolved. */
  address(): string;
}

const DRAIN_MS = 5 * SECOND;
/** All that is under way together: parts that wait one after the other must not add up. */
const ENDING_MS = 8 * SECOND;
const MOST_LISTENERS = 100;
const THE_FEED = 'feed';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Something open, to be closed at the end. */
interface Opened {
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** Nothing happens before `start`. */
export function createApp(config: Config, given: Ports): App {
  const metrics = createMetrics();
  const log = metrics.counts.countLines(given.log);
  const ports = { ...given, log };
  /** To be closed in the opposite order. */
  const opened: Opened[] = [];
  /** Aborted when the app is to end; the loops run until then. */
  const ending = new AbortController();
  const { signal } = ending;
  let endsBy: Instant = 0;
  signal.addEventListener('abort', () => {
    endsBy = ports.clock.now() + ENDING_MS;
  });
  // Every loop listens, and what it waits for: Node would take more than ten for a leak.
  setMaxListeners(MOST_LISTENERS, signal);
  /** Those that run, by name. */
  const loops = new Set<string>();
  let slack: SlackApp | undefined;
  let starting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let tellBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => {
    tellBroken = resolve;
  });

  /** What was opened although the end has begun meanwhile is closed with the rest. */
  const open = (name: string, close: () => Promise<void>) => {
    opened.push({ name, close });
    signal.throwIfAborted();
  };

  const closeAll = async () => {
    // First of all, so that the feed ends its polls while Slack's requests are still being answered.
    ending.abort();
    for (let part = opened.pop(); part; part = opened.pop()) {
      const { name, close } = part;
      await close().catch((thrown) =>
        log.error('Component failed to close', { name, error: asError(thrown) }),
      );
    }
  };

  /** Runs until the end. Nobody waits for it before then, so its breaking off is told. */
  const runOn = (name: string, run: Promise<void>): Promise<void> => {
    loops.add(name);
    return run
      .finally(() => loops.delete(name))
      .then(
        () => {
          if (!signal.aborted) tellBroken(new Error(`Loop "${name}" ended unexpectedly`));
        },
        (thrown: unknown) => tellBroken(asError(thrown)),
      );
  };

  const begin = async () => {
    const watch: ClockWatch = new ClockWatch({
      ...ports,
      // The second is free of charge.
      askServers: [() => clients.main.auth.test(), () => marketplace.setups({ lane: 'person' })],
    });
    const fetch = tellingDates(ports.fetch ?? globalThis.fetch, (date) => watch.hear('slack', date));
    const clientOptions = { ...config.slack, log, fetch };
    const clients = createClients(clientOptions);
    const identity = await untilReached(() => identify(clients), { ...ports, signal });
    const { team } = identity;

    const store = await openLowdbStore({
      folder: config.dataDir,
      collections,
      signal,
      onTakenOver: tellBroken,
      trustedNow: () => watch.trustedNow(),
      ...ports,
    });
    open('store', () => store.close());
    await beginClockWatch({ team, store, watch, ...ports });
    const journal = storedGateJournal(store, team);
    const gate = await createGate({ limit: config.marketplace.requestsPerMinute, journal, ...ports });
    open('request gate', () => gate.close());
    const marketplace = createMarketplace({
      ...config.marketplace,
      gate,
      ...ports,
      onRequest: (seen) => metrics.counts.requestEnded(seen),
      onDate: (date) => watch.hear('marketplace', date),
    });
    open('marketplace', () => marketplace.close(Math.max(0, endsBy - ports.clock.now())));

    const { timezone, admins } = config;
    const credits = createCreditBook({
      team,
      defaultBudget: config.defaultChannelBudget,
      adminsOf: (tx, channel) => knownAdmins(tx, team, admins, channel),
      log,
    });
    await store.transact(async (tx) => {
      const at = ports.clock.now();
      await credits.recover(tx, at);
      await credits.adopt(tx, await subscribedChannels(tx, team), at);
    });
    const base = { team, store, credits, marketplace, gate, admins, timezone, clockGuard: watch, ...ports };
    const setups = createSetups(base);
    const directory = createDirectory({ ...base, setups });
    const parts = { ...base, setups, directory };
    const feed = createFeed({ ...parts, alsoFollowed: profilesOf(team) });
    const profiles = createProfiles(parts);
    const projects = createProjects({
      ...parts,
      onLinked: (tx, project) => touchProject(tx, team, { project }),
    });
    const shelves = createShelves({
      folder: path.join(config.dataDir, 'proposals'),
      schema: Proposal,
      ...ports,
    });
    const mirror = createMirror({
      ...parts,
      shelves,
      profiles,
      onChanges: (changes) => tellOutcomes(parts, changes),
    });
    const search = createSearch({ mirror, ...ports });
    const invitations = createInvitations(parts);
    profiles.onChange(() => {
      mirror.wake();
      invitations.wake();
    });
    const bidding = createBidding(parts);
    const access = createAccess(parts);
    const templates = createTemplates(parts);
    await templates.recover();
    const pictures = ports.pictures ?? createPictures(ports);
    open('pictures', () => pictures.close());
    const digests = createDigests({
      ...parts,
      feed,
      profiles,
      mirror,
      pictures,
      port: createPicturePort(clients.posting, ports.fetch ?? globalThis.fetch),
    });
    const schedule = createSchedule({ ticker: clockTicker(ports.clock), ...ports });
    const delivery = createDelivery({
      ...parts,
      feed,
      render: renderPost({ team, feed }),
      port: createDeliveryPort(clients.posting),
      onOutcome: (outcome) => metrics.counts.delivered(outcome),
    });

    const people = createPeople({
      info: (user) => clients.main.users.info({ user }),
      members: (usergroup) => clients.main.usergroups.users.list({ usergroup }),
      access,
      ...parts,
    });
    const services: Services = {
      ...parts,
      version,
      startedAt: ports.clock.now(),
      notices: store.notices,
      unfitRecords: store.unfitRecords,
      clockState: () => watch.state(),
      feed,
      profiles,
      projects,
      proposals: {
        mirror,
        search,
        find: (reference) => findProposal({ mirror, marketplace, log }, reference),
      },
      bidding,
      access,
      templates,
      digests,
      delivery,
      whoIs: (user, channel) => people.person(user, channel),
      slack: createSlackCalls(clients),
      homes: new HomeMemory(ports.clock),
      unfurls: new UnfurlTurns(),
    };
    const poster = createJsonPoster(ports.dispatcher);
    open('Slack responses', () => poster.close());
    const table = { commands, actions, views, shortcuts, events };
    const boundary = new Boundary({
      table,
      services,
      people,
      post: poster.post,
      watch: metrics.counts,
    });
    const eventLoop = watchEventLoop();
    open('event loop monitor', async () => eventLoop.stop());
    const routes = watchRoutes(metrics, {
      ...services,
      store,
      clockState: () => watch.state(),
      mirror,
      eventLoop,
      folder: config.dataDir,
      isStopping: () => signal.aborted,
      isSlackConnected: () => slack?.isConnected ?? false,
      doesFeedRun: () => loops.has(THE_FEED),
    });

    signal.throwIfAborted();
    const running = [
      runOn(THE_FEED, feed.run(signal)),
      runOn('bidding', bidding.run(signal)),
      runOn('proposal copy', mirror.run(signal)),
      runOn('proposal search', search.run(signal)),
      runOn('invitations', invitations.run(signal)),
      runOn('delivery', delivery.run(signal)),
      runOn('digests', digests.run(signal)),
      runOn('clock record', keepClockRecord({ team, store, watch, ...ports }, signal)),
      runOn('scheduler', schedule.run([digests.job, feed.quietJob], signal)),
    ];
    open('loops', async () => {
      // Nobody waits at the end for a picture that is being drawn; the next start draws it anew.
      await pictures.close();
      await Promise.all(running);
    });
    const connected = await startSlackApp({
      ...clientOptions,
      ...ports,
      receive: config.slack.receive,
      http: config.http,
      identity,
      boundary,
      routes,
      onRefused: (status) => metrics.counts.requestRefused(status),
      signal,
    });
    slack = connected;
    open('Slack connection', () => connected.stop(DRAIN_MS));
    log.info('Gigdesk is running', { version, team, mode: config.slack.receive.mode, port: slack.port });
  };

  const start = async () => {
    try {
      signal.throwIfAborted();
      await begin();
    } catch (thrown) {
      await closeAll();
      throw thrown;
    }
  };

  const stop = async () => {
    ending.abort();
    await starting?.catch(() => undefined);
    await closeAll();
  };

  return {
    start: () => {
      starting ??= start();
      return starting;
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    broken,
    address: () => {
      if (!slack) throw new Error("The app hasn't started");
      return `http://${config.http.host}:${slack.port}`;
    },
  };
}
