/** The composition root: puts the parts together, starts them in order, and drains them. */
import { readFileSync } from 'node:fs';
import type { FetchFunction } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import { type Clock, type Random, SECOND } from './clock.ts';
import { collections } from './collections.ts';
import type { Config } from './config.ts';
import { createCreditBook } from './credits/credit-book.ts';
import { createFeed } from './feed/create-feed.ts';
import { storedGateJournal } from './gate-journal.ts';
import type { Log } from './log.ts';
import { createMarketplace } from './marketplace/http-client.ts';
import { createGate } from './marketplace/request-gate.ts';
import { createProjects } from './projects/projects.ts';
import { Boundary } from './slack/boundary.ts';
import { createSlackCalls } from './slack/calls.ts';
import { createClients, identify } from './slack/clients.ts';
import { type SlackApp, startSlackApp } from './slack/connect.ts';
import { createDelivery } from './slack/delivery/delivery.ts';
import { createDeliveryPort } from './slack/delivery/web-port.ts';
import { renderPost } from './slack/messages/render-post.ts';
import { createPeople } from './slack/people.ts';
import type { Services } from './slack/routes.ts';
import * as table from './slack/table.ts';
import type { Disk } from './storage/lowdb/disk.ts';
import { openLowdbStore } from './storage/lowdb/open.ts';

/** What the app is handed of the outside world. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Towards Slack; the machine's own when absent. */
  readonly fetch?: FetchFunction;
  /** Towards the marketplace; an own connection pool when absent. */
  readonly dispatcher?: Dispatcher;
  readonly disk?: Disk;
}

export interface App {
  /**
   * Resolves when Slack can reach us and the feed runs.
   * @throws StorageError, SlackCallError or Error, after everything that was opened is closed again.
   */
  start(): Promise<void>;
  /** Takes nothing new, lets what is under way finish (5 s at most), writes what is left to write, closes all. */
  stop(): Promise<void>;
  /** Of the HTTP server, for example `http://127.0.0.1:3000`. @throws Error before `start` has resolved. */
  address(): string;
}

const DRAIN_MS = 5 * SECOND;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Nothing happens before `start`. */
export function createApp(config: Config, ports: Ports): App {
  const { log } = ports;
  /** What was opened, to be closed in the opposite order. */
  const opened: (() => Promise<void>)[] = [];
  let slack: SlackApp | undefined;

  const closeAll = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  };

  const start = async () => {
    const clientOptions = { ...config.slack, log, ...(ports.fetch ? { fetch: ports.fetch } : {}) };
    const clients = createClients(clientOptions);
    const identity = await identify(clients);
    const { team } = identity;

    const store = await openLowdbStore({ folder: config.dataDir, collections, ...ports });
    opened.push(() => store.close());
    const journal = storedGateJournal(store, team);
    const gate = await createGate({ limit: config.marketplace.requestsPerMinute, journal, ...ports });
    const marketplace = createMarketplace({ ...config.marketplace, gate, ...ports });
    opened.push(() => marketplace.close());

    const credits = createCreditBook({ team, defaultBudget: config.defaultChannelBudget, log });
    await store.transact((tx) => credits.recover(tx, ports.clock.now()));
    const parts = { team, store, credits, marketplace, gate, ...ports };
    const feed = createFeed(parts);
    const projects = createProjects(parts);
    const delivery = createDelivery({
      ...parts,
      feed,
      render: renderPost({ team, feed }),
      port: createDeliveryPort(clients.posting),
    });

    const services: Services = {
      ...parts,
      version,
      startedAt: ports.clock.now(),
      feed,
      projects,
      slack: createSlackCalls(clients),
    };
    const people = createPeople({
      info: (user) => clients.main.users.info({ user }),
      team,
      admins: config.admins,
      ...ports,
    });
    const boundary = new Boundary({ table, services, people, fetch: ports.fetch ?? globalThis.fetch });

    const loops = new AbortController();
    const running = [feed.run(loops.signal), delivery.run(loops.signal)];
    opened.push(async () => {
      loops.abort();
      await Promise.all(running);
    });
    slack = await startSlackApp({
      ...clientOptions,
      ...ports,
      receive: config.slack.receive,
      http: config.http,
      identity,
      boundary,
    });
    const connected = slack;
    opened.push(() => connected.stop(DRAIN_MS));
    log.info('Gigdesk runs', { version, team, mode: config.slack.receive.mode, port: slack.port });
  };

  return {
    start: async () => {
      try {
        await start();
      } catch (thrown) {
        await closeAll();
        throw thrown;
      }
    },
    stop: closeAll,
    address: () => {
      if (!slack) throw new Error('the app has not been started');
      return `http://${config.http.host}:${slack.port}`;
    },
  };
}
