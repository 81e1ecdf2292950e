/**
 * One team: its records, its client of the marketplace, its loops and its handlers of Slack's requests. They
 * are opened, run, and closed together. A process can hold any number of workspaces.
 */
import { setMaxListeners } from 'node:events';
import { listKnownAdmins } from './access/access-lists.ts';
import { createAccessService } from './access/create-access.ts';
import type { AppDependencies } from './app-contract.ts';
import { ClosingList } from './base/closing-list.ts';
import { omitUndefined } from './base/omit-undefined.ts';
import { createBiddingService } from './bidding/create-bidding.ts';
import { refreshProjectCards } from './bidding/post-bid-news.ts';
import { type Instant, SECOND } from './clock.ts';
import { ClockWatch } from './clock-watch.ts';
import type { Config } from './config.ts';
import { createCreditsService } from './credits/create-credits.ts';
import { createDigestService } from './digests/create-digests.ts';
import { createNameDirectory } from './directory/create-directory.ts';
import { asError } from './errors.ts';
import { listSubscribedChannels } from './feed/channels.ts';
import { createFeedService } from './feed/create-feed.ts';
import type { UserId } from './ids.ts';
import type { AccountConnection } from './installations/account-connection.ts';
import { createInvitationService } from './invitations/create-invitations.ts';
import type { ClosableRequestGate } from './marketplace/gate/gate.ts';
import { createRequestGate } from './marketplace/gate/request-gate.ts';
import { createMarketplaceClient } from './marketplace/http-client.ts';
import { createUnconnectedClient } from './marketplace/unconnected-client.ts';
import type { EventCounters } from './metrics/event-counters.ts';
import type { WorkspaceSources } from './metrics/metrics.ts';
import type { ChartRenderer } from './pictures/chart-renderer.ts';
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
import type { Secret } from './secret.ts';
import { createSetupService } from './setups/create-setups.ts';
import { noteAccountState } from './slack/account/connect-request.ts';
import {
  actionRoutes,
  commandRoutes,
  eventHandlers,
  shortcutRoutes,
  viewRoutes,
} from './slack/all-routes.ts';
import { findApprovalAddressees, findSecondApprovers } from './slack/bids/find-addressees.ts';
import { mayBid } from './slack/bids/held-actions.ts';
import { createBlockSupport } from './slack/core/block-support.ts';
import {
  type BotIdentity,
  createSlackClients,
  fetchBotIdentity,
  retryUntilSlackResponds,
  wrapFetch,
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
import { markOpenWelcomesChanged } from './slack/setup/welcome.ts';
import { listMissingOptionalScopes } from './slack-scopes.ts';
import { createSpendingService } from './spending/create-spending.ts';
import { createTemplateService } from './templates/create-templates.ts';
import type { OpenRecords } from './workspace-records.ts';

/** Limit for all running work together: parts that wait in sequence must not add up. */
const ENDING_MS = 8 * SECOND;
const MOST_LISTENERS = 100;
const THE_FEED = 'feed';

export interface WorkspaceOptions {
  readonly config: Config;
  readonly account: WorkspaceAccount;
  /** Missing where the marketplace token comes from the environment. */
  readonly connection?: AccountConnection;
  readonly ports: AppDependencies;
  /** Of the program. */
  readonly version: string;
  readonly counters: EventCounters;
  readonly charts: ChartRenderer;
  /** `always` if missing. */
  readonly searchIndex?: 'always' | 'while-used';
  /** Opens the team's records, once Slack has named the team. */
  readonly openRecords: OpenRecords;
  /** Of a marketplace account that workspaces share; missing: the workspace has its own. */
  readonly openGate?: () => Promise<ClosableRequestGate>;
  /** Before each request to Slack or to the marketplace: refuses it once the workspace has another owner. */
  readonly confirmOwner?: () => Promise<void>;
  /** Once aborted, opening stops, and so do the loops. */
  readonly signal: AbortSignal;
  /** A loop has ended on its own. */
  readonly onBroken: (error: Error) => void;
}

/** The team's own access to Slack and to the marketplace. */
export interface WorkspaceAccount {
  readonly botToken: Secret;
  /** Undefined until someone connects an account: then nothing is sent to the marketplace. */
  readonly marketplaceToken: Secret | undefined;
  /** Besides the workspace's admins. */
  readonly admins: ReadonlySet<UserId>;
  /** Is asked, once, to connect a marketplace account. Missing: nobody is. */
  readonly installedBy?: UserId;
}

export interface Workspace {
  readonly identity: BotIdentity;
  /** Handles the team's requests from Slack. */
  readonly dispatcher: SlackDispatcher;
  readonly sources: WorkspaceSources;
  /** Once all loops have ended, running work is done or given up, and everything is closed. Never throws. */
  close(): Promise<void>;
}

/** What closes and ends with a workspace. */
interface Life {
  readonly signal: AbortSignal;
  /** Registers a part before it checks for the end, so that closing closes this part, too. */
  open(name: string, close: () => Promise<void>): void;
  /** How long running work may still take, in milliseconds. */
  timeLeft(): number;
}

/** @throws StorageError, SlackCallError or Error after closing everything, also when `signal` aborts. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock, log } = options.ports;
  const parts = new ClosingList(log);
  const ending = new AbortController();
  const { signal } = ending;
  // Every loop and its waits listen; Node warns of a leak above ten listeners.
  setMaxListeners(MOST_LISTENERS, signal);
  let endsBy: Instant = 0;
  const end = () => {
    if (signal.aborted) return;
    endsBy = clock.now() + ENDING_MS;
    ending.abort();
  };
  if (options.signal.aborted) end();
  options.signal.addEventListener('abort', end, { once: true });
  const close = async () => {
    end();
    options.signal.removeEventListener('abort', end);
    await parts.closeAll();
  };
  const life: Life = {
    signal,
    open(name, closePart) {
      parts.add(name, closePart);
      signal.throwIfAborted();
    },
    timeLeft: () => Math.max(0, endsBy - clock.now()),
  };
  try {
    const base = await openBase(options, life);
    await noteConnection(options, base);
    const services = await createServices(options, base, life);
    return { ...runLoops(options, base, services, life), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** What every service needs: the records, the account's client, its credits, and the clock. */
async function openBase(options: WorkspaceOptions, life: Life) {
  const { config, account, ports, counters, openRecords, openGate, confirmOwner } = options;
  const { clock, log } = ports;
  const watch: ClockWatch = new ClockWatch({
    ...ports,
    // The second request costs no credits.
    askServers: [() => clients.main.auth.test(), () => marketplace.fetchBiddingSetups({ lane: 'person' })],
  });
  const ownFetch = wrapFetch(ports.fetch ?? globalThis.fetch, {
    onDate: (date) => watch.recordServerDate('slack', date),
    ...omitUndefined({ beforeSending: confirmOwner }),
  });
  const clients = createSlackClients({ ...config.slack, botToken: account.botToken, log, fetch: ownFetch });
  const identity = await retryUntilSlackResponds(() => fetchBotIdentity(clients), { ...ports, ...life });
  const { team } = identity;
  const { store, proposals } = await openRecords(team, watch);
  life.open('store', () => store.close());
  await beginClockWatch({ team, store, watch, ...ports });
  const journal = storedGateJournal(store, team);
  const limit = config.marketplace.requestsPerMinute;
  const gate = await (openGate ? openGate() : createRequestGate({ limit, journal, ...ports }));
  life.open('request gate', () => gate.close());
  const { marketplaceToken: token } = account;
  const marketplace = token
    ? createMarketplaceClient({
        ...config.marketplace,
        token,
        gate,
        ...ports,
        onRequest: (seen) => counters.countRequest(seen),
        onDate: (date) => watch.recordServerDate('marketplace', date),
        ...omitUndefined({ beforeSending: confirmOwner }),
      })
    : createUnconnectedClient();
  life.open('marketplace', () => marketplace.close(life.timeLeft()));
  const { timezone } = config;
  const { admins } = account;
  const credits = createCreditsService({
    team,
    defaultBudget: config.defaultChannelBudget,
    adminsOf: (tx, channel) => listKnownAdmins(tx, team, admins, channel),
    log,
  });
  await store.transact(async (tx) => {
    const at = clock.now();
    await credits.recoverReservations(tx, at);
    await credits.confirmExistingBudgets(tx, await listSubscribedChannels(tx, team), at);
  });
  const parts = { team, store, credits, marketplace, gate, admins, timezone, clockGuard: watch, ...ports };
  return { parts, watch, clients, identity, shelves: proposals };
}
type Base = Awaited<ReturnType<typeof openBase>>;

/** Messages say whether an account is connected. */
async function noteConnection({ account, connection }: WorkspaceOptions, { parts }: Base): Promise<void> {
  if (!connection) return;
  const { store, team, clock } = parts;
  const { isConnected } = connection;
  const opened = { team, isConnected, installedBy: account.installedBy, at: clock.now() };
  await store.transact(async (tx) => {
    if (await noteAccountState(tx, opened)) await markOpenWelcomesChanged(tx, team);
  });
}

async function createServices(
  { ports, version, charts, counters, connection, searchIndex }: WorkspaceOptions,
  base: Base,
  life: Life,
) {
  const { parts: given, watch, clients, identity, shelves } = base;
  const { team, store, marketplace, admins } = given;
  const { log } = ports;
  const setups = createSetupService(given);
  const directory = createNameDirectory({ ...given, setups });
  const parts = { ...given, setups, directory };
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
  const mirror = createProposalMirror({
    ...parts,
    shelves,
    profiles,
    onChanges: (changes) => announceOutcomes(parts, changes),
  });
  const search = createProposalSearch({ mirror, ...omitUndefined({ keepsIndex: searchIndex }), ...ports });
  const invitations = createInvitationService(parts);
  profiles.onChange(() => {
    mirror.wake();
    invitations.wake();
  });
  const bidding = createBiddingService({
    ...parts,
    findAddressees: (job) => findApprovalAddressees(services, admins, job),
    findSecondApprovers: (channel, except) => findSecondApprovers(services, admins, channel, except),
    mayBid: (user, channel) => mayBid(services, user, channel),
  });
  const reminders = createReminderService(parts);
  const spending = createSpendingService(parts);
  const access = createAccessService(parts);
  const templates = createTemplateService(parts);
  await templates.recoverUnansweredClaims();
  const digests = createDigestService({
    ...parts,
    feed,
    profiles,
    mirror,
    charts,
    port: createPicturePort(clients.withoutRetries, ports.fetch ?? globalThis.fetch),
  });
  const blockSupport = createBlockSupport({ ...parts, version });
  const delivery = createDeliveryWorker({
    ...parts,
    feed,
    render: createPostRenderer({ team, feed, workspaceUrl: identity.workspaceUrl, account: connection }),
    port: createDeliveryPort(clients.withoutRetries, blockSupport),
    onOutcome: (outcome) => counters.countDelivery(outcome),
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
    spending,
    delivery,
    resolvePerson: (user, channel) => people.resolvePerson(user, channel),
    slack: createSlackCalls(clients, blockSupport),
    blockSupport,
    missingScopes: listMissingOptionalScopes(identity.scopes),
    ...omitUndefined({ account: connection }),
    homes: new HomeCache(ports.clock),
    unfurlQueue: new UnfurlQueue(),
  };
  const poster = createJsonPoster(ports.dispatcher);
  life.open('Slack responses', () => poster.close());
  const table = {
    commands: commandRoutes,
    actions: actionRoutes,
    views: viewRoutes,
    shortcuts: shortcutRoutes,
    events: eventHandlers,
  };
  const dispatcher = new SlackDispatcher({ table, services, people, post: poster.post, watch: counters });
  return { services, dispatcher, delivery, invitations };
}
type Created = Awaited<ReturnType<typeof createServices>>;

/** Starts the loops, which run until the workspace closes. An earlier end of one breaks the workspace. */
function runLoops(
  { ports, onBroken }: WorkspaceOptions,
  { parts, watch, identity }: Base,
  { services, dispatcher, delivery, invitations }: Created,
  life: Life,
): Omit<Workspace, 'close'> {
  const { signal } = life;
  const { feed, bidding, proposals, digests, reminders } = services;
  const { mirror, search } = proposals;
  const schedule = createJobScheduler({ ticker: clockTicker(ports.clock), ...ports });
  const running = new Set<string>();
  const runOn = (name: string, run: Promise<void>): Promise<void> => {
    running.add(name);
    return run
      .finally(() => running.delete(name))
      .then(
        () => {
          if (!signal.aborted) onBroken(new Error(`Loop "${name}" ended unexpectedly`));
        },
        (thrown: unknown) => onBroken(asError(thrown)),
      );
  };
  const loops = [
    runOn(THE_FEED, feed.run(signal)),
    runOn('bidding', bidding.runJobTracking(signal)),
    runOn('proposal copy', mirror.run(signal)),
    runOn('proposal search', search.run(signal)),
    runOn('invitations', invitations.run(signal)),
    runOn('delivery', delivery.run(signal)),
    runOn('digests', digests.runChartSharing(signal)),
    runOn('clock record', storeClockTimeHourly({ ...parts, watch }, signal)),
    runOn('scheduler', schedule.runJobs([digests.job, feed.quietHoursJob, reminders.job], signal)),
  ];
  life.open('loops', async () => {
    await Promise.all(loops);
  });
  const sources: WorkspaceSources = {
    ...services,
    store: parts.store,
    clockState: () => watch.readClockState(),
    mirror,
    isStopping: () => signal.aborted,
    isFeedRunning: () => running.has(THE_FEED),
  };
  return { identity, dispatcher, sources };
}
