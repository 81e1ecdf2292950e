/** Composition root: builds the parts, starts them in order, and shuts them down. */

import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listKnownAdmins } from './access/access-lists.ts';
import { createAccessService } from './access/create-access.ts';
import type { App, AppDependencies } from './app-contract.ts';
import { createBiddingService } from './bidding/create-bidding.ts';
import { refreshProjectCards } from './bidding/post-bid-news.ts';
import { type Instant, SECOND, watchEventLoop } from './clock.ts';
import { ClockWatch } from './clock-watch.ts';
import { allCollections } from './collections.ts';
import type { Config } from './config.ts';
import { createCreditsService } from './credits/create-credits.ts';
import { createDigestService } from './digests/create-digests.ts';
import { createNameDirectory } from './directory/create-directory.ts';
import { asError } from './errors.ts';
import { listSubscribedChannels } from './feed/channels.ts';
import { createFeedService } from './feed/create-feed.ts';
import { createInvitationService } from './invitations/create-invitations.ts';
import { createRequestGate } from './marketplace/gate/request-gate.ts';
import { createMarketplaceClient } from './marketplace/http-client.ts';
import { Proposal } from './marketplace/schema.ts';
import { createMetrics, createMonitoringRoutes } from './metrics/metrics.ts';
import { createChartRenderer } from './pictures/chart-renderer.ts';
import { beginClockWatch, storeClockTimeHourly, storedGateJournal } from './process-records.ts';
import { createProfileFeedService } from './profiles/create-profiles.ts';
import { createProfileFeedControl } from './profiles/profile-feeds.ts';
import { createProjectService } from './projects/create-projects.ts';
import { announceOutcomes } from './proposals/announce-outcomes.ts';
import { createProposalMirror } from './proposals/create-mirror.ts';
import { createProposalSearch } from './proposals/create-search.ts';
import { findProposal } from './proposals/proposals.ts';
import { createTeamRecord } from './proposals/team-record.ts';
import { createReminderService } from './reminders/create-reminders.ts';
import { clockTicker, createJobScheduler } from './schedule/job-scheduler.ts';
import { createSetupService } from './setups/create-setups.ts';
import {
  actionRoutes,
  commandRoutes,
  eventHandlers,
  shortcutRoutes,
  viewRoutes,
} from './slack/all-routes.ts';
import { findApprovalAddressees } from './slack/bids/find-addressees.ts';
import { type SlackApp, startSlackApp } from './slack/connect.ts';
import { createBlockSupport } from './slack/core/block-support.ts';
import {
  createSlackClients,
  fetchBotIdentity,
  retryUntilSlackResponds,
  wrapFetchToReportDates,
} from './slack/core/clients.ts';
import { HomeCache, UnfurlQueue } from './slack/core/home-cache.ts';
import { createPersonResolver } from './slack/core/person-resolver.ts';
import { createJsonPoster } from './slack/core/replies.ts';
import type { Services } from './slack/core/routes.ts';
import { createSlackCalls } from './slack/core/slack-calls.ts';
import { SlackDispatcher } from './slack/core/slack-dispatcher.ts';
import { createDeliveryWorker } from './slack/delivery/delivery.ts';
import { createPicturePort } from './slack/delivery/picture-port.ts';
import { createDeliveryPort } from './slack/delivery/web-port.ts';
import { createPostRenderer } from './slack/render-post.ts';
import { listMissingOptionalScopes } from './slack-scopes.ts';
import { openJournalStore } from './storage/open-journal-store.ts';
import { createDiskCache } from './storage/shelves/disk-cache.ts';
import { createTemplateService } from './templates/create-templates.ts';

export type { App, AppDependencies } from './app-contract.ts';

const DRAIN_MS = 5 * SECOND;
/** Limit for all running work together: parts that wait in sequence must not add up. */
const ENDING_MS = 8 * SECOND;
const MOST_LISTENERS = 100;
const THE_FEED = 'feed';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

interface Opened {
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** Does nothing before `start`. */
export function createApp(config: Config, given: AppDependencies): App {
  const metrics = createMetrics();
  const log = metrics.counters.countLogLines(given.log);
  const ports = { ...given, log };
  /** Closed in reverse order. */
  const opened: Opened[] = [];
  /** Aborted on shutdown; the loops run until then. */
  const ending = new AbortController();
  const { signal } = ending;
  let endsBy: Instant = 0;
  signal.addEventListener('abort', () => {
    endsBy = ports.clock.now() + ENDING_MS;
  });
  // Every loop and its waits listen; Node warns of a leak above ten listeners.
  setMaxListeners(MOST_LISTENERS, signal);
  /** Names of the running loops. */
  const loops = new Set<string>();
  let slack: SlackApp | undefined;
  let starting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let tellBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => {
    tellBroken = resolve;
  });

  /** Registers a part before it checks for shutdown, so that `closeAll` also closes this part. */
  const open = (name: string, close: () => Promise<void>) => {
    opened.push({ name, close });
    signal.throwIfAborted();
  };

  const closeAll = async () => {
    // Abort first, so that the feed stops polling while Slack's requests still get responses.
    ending.abort();
    for (let part = opened.pop(); part; part = opened.pop()) {
      const { name, close } = part;
      await close().catch((thrown) =>
        log.error('Component failed to close', { name, error: asError(thrown) }),
      );
    }
  };

  /** Tracks a loop that runs until shutdown. An earlier end is a fatal error. */
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
      // The second request costs no credits.
      askServers: [() => clients.main.auth.test(), () => marketplace.fetchBiddingSetups({ lane: 'person' })],
    });
    const fetch = wrapFetchToReportDates(ports.fetch ?? globalThis.fetch, (date) =>
      watch.recordServerDate('slack', date),
    );
    const clientOptions = { ...config.slack, log, fetch };
    const clients = createSlackClients(clientOptions);
    const identity = await retryUntilSlackResponds(() => fetchBotIdentity(clients), { ...ports, signal });
    const { team } = identity;

    const store = await openJournalStore({
      folder: config.dataDir,
      collections: allCollections,
      signal,
      onTakenOver: tellBroken,
      trustedNow: () => watch.trustedNow(),
      ...ports,
    });
    open('store', () => store.close());
    await beginClockWatch({ team, store, watch, ...ports });
    const journal = storedGateJournal(store, team);
    const gate = await createRequestGate({ limit: config.marketplace.requestsPerMinute, journal, ...ports });
    open('request gate', () => gate.close());
    const marketplace = createMarketplaceClient({
      ...config.marketplace,
      gate,
      ...ports,
      onRequest: (seen) => metrics.counters.countRequest(seen),
      onDate: (date) => watch.recordServerDate('marketplace', date),
    });
    open('marketplace', () => marketplace.close(Math.max(0, endsBy - ports.clock.now())));

    const { timezone, admins } = config;
    const credits = createCreditsService({
      team,
      defaultBudget: config.defaultChannelBudget,
      adminsOf: (tx, channel) => listKnownAdmins(tx, team, admins, channel),
      log,
    });
    await store.transact(async (tx) => {
      const at = ports.clock.now();
      await credits.recoverReservations(tx, at);
      await credits.confirmExistingBudgets(tx, await listSubscribedChannels(tx, team), at);
    });
    const base = { team, store, credits, marketplace, gate, admins, timezone, clockGuard: watch, ...ports };
    const setups = createSetupService(base);
    const directory = createNameDirectory({ ...base, setups });
    const parts = { ...base, setups, directory };
    const feed = createFeedService({
      ...parts,
      profileFeedControl: createProfileFeedControl(team),
      teamRecord: createTeamRecord(team, () => mirror),
    });
    const profiles = createProfileFeedService(parts);
    const projects = createProjectService({
      ...parts,
      onLinked: (tx, project) => refreshProjectCards(tx, team, { project }),
    });
    const shelves = createDiskCache({
      folder: path.join(config.dataDir, 'proposals'),
      schema: Proposal,
      ...ports,
    });
    const mirror = createProposalMirror({
      ...parts,
      shelves,
      profiles,
      onChanges: (changes) => announceOutcomes(parts, changes),
    });
    const search = createProposalSearch({ mirror, ...ports });
    const invitations = createInvitationService(parts);
    profiles.onChange(() => {
      mirror.wake();
      invitations.wake();
    });
    const bidding = createBiddingService({
      ...parts,
      findAddressees: (job) => findApprovalAddressees(services, admins, job),
    });
    const reminders = createReminderService(parts);
    const access = createAccessService(parts);
    const templates = createTemplateService(parts);
    await templates.recoverUnansweredClaims();
    const pictures = ports.charts ?? createChartRenderer(ports);
    open('pictures', () => pictures.close());
    const digests = createDigestService({
      ...parts,
      feed,
      profiles,
      mirror,
      charts: pictures,
      port: createPicturePort(clients.withoutRetries, ports.fetch ?? globalThis.fetch),
    });
    const blockSupport = createBlockSupport({ team, version, store, ...ports });
    const schedule = createJobScheduler({ ticker: clockTicker(ports.clock), ...ports });
    const delivery = createDeliveryWorker({
      ...parts,
      feed,
      render: createPostRenderer({ team, feed, workspaceUrl: identity.workspaceUrl }),
      port: createDeliveryPort(clients.withoutRetries, blockSupport),
      onOutcome: (outcome) => metrics.counters.countDelivery(outcome),
    });

    const people = createPersonResolver({
      info: (user) => clients.main.users.info({ user }),
      members: (usergroup) => clients.main.usergroups.users.list({ usergroup }),
      access,
      ...parts,
    });
    const services: Services = {
      ...parts,
      version,
      startedAt: ports.clock.now(),
      storeDamageNotices: store.notices,
      invalidRecords: store.invalidRecords,
      clockState: () => watch.readClockState(),
      feed,
      profiles,
      projects,
      proposals: {
        mirror,
        search,
        findProposal: (reference) => findProposal({ mirror, marketplace, log }, reference),
      },
      bidding,
      access,
      templates,
      digests,
      reminders,
      delivery,
      resolvePerson: (user, channel) => people.resolvePerson(user, channel),
      slack: createSlackCalls(clients, blockSupport),
      blockSupport,
      missingScopes: listMissingOptionalScopes(identity.scopes),
      homes: new HomeCache(ports.clock),
      unfurlQueue: new UnfurlQueue(),
    };
    const poster = createJsonPoster(ports.dispatcher);
    open('Slack responses', () => poster.close());
    const table = {
      commands: commandRoutes,
      actions: actionRoutes,
      views: viewRoutes,
      shortcuts: shortcutRoutes,
      events: eventHandlers,
    };
    const boundary = new SlackDispatcher({
      table,
      services,
      people,
      post: poster.post,
      watch: metrics.counters,
    });
    const eventLoop = watchEventLoop();
    open('event loop monitor', async () => eventLoop.stop());
    const routes = createMonitoringRoutes(metrics, {
      ...services,
      store,
      clockState: () => watch.readClockState(),
      mirror,
      eventLoop,
      folder: config.dataDir,
      isStopping: () => signal.aborted,
      isSlackConnected: () => slack?.isConnected ?? false,
      isFeedRunning: () => loops.has(THE_FEED),
    });

    signal.throwIfAborted();
    const running = [
      runOn(THE_FEED, feed.run(signal)),
      runOn('bidding', bidding.runJobTracking(signal)),
      runOn('proposal copy', mirror.run(signal)),
      runOn('proposal search', search.run(signal)),
      runOn('invitations', invitations.run(signal)),
      runOn('delivery', delivery.run(signal)),
      runOn('digests', digests.runChartSharing(signal)),
      runOn('clock record', storeClockTimeHourly({ team, store, watch, ...ports }, signal)),
      runOn('scheduler', schedule.runJobs([digests.job, feed.quietHoursJob, reminders.job], signal)),
    ];
    open('loops', async () => {
      // Shutdown doesn't wait for a chart; the next start renders it again.
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
      onRefused: (status) => metrics.counters.countRejectedSlackRequest(status),
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
    fatalError: broken,
    localUrl: () => {
      if (!slack) throw new Error("The app hasn't started");
      return `http://${config.http.host}:${slack.port}`;
    },
  };
}
