/**
 * What a workspace is opened from, and what all its services need: its records, its account's client, its
 * credits, and the clock.
 */
import { listKnownAdmins } from '../access/create-access.ts';
import type { Instant } from '../clock.ts';
import { ClockWatch } from '../clock-watch.ts';
import type { Config } from '../config.ts';
import { createCreditsService } from '../credits/create-credits.ts';
import type { UserId } from '../ids.ts';
import type { AccountConnection } from '../installations/account-connection.ts';
import type { ClosableRequestGate } from '../marketplace/gate/gate.ts';
import { createRequestGate } from '../marketplace/gate/request-gate.ts';
import { createMarketplaceClient, createUnconnectedClient } from '../marketplace/http-client.ts';
import type { EventCounters } from '../metrics/event-counters.ts';
import type { Secret } from '../secret.ts';
import { ChannelAliases } from '../slack/core/channel-aliases.ts';
import {
  createSlackClients,
  fetchBotIdentity,
  retryUntilSlackResponds,
  wrapFetch,
} from '../slack/core/clients.ts';
import type { AppDependencies } from './app-contract.ts';
import { beginClockWatch, storedGateJournal } from './process-records.ts';
import type { OpenRecords } from './workspace-records.ts';

export interface WorkspaceOptions {
  readonly config: Config;
  readonly account: WorkspaceAccount;
  /** Missing where the marketplace token comes from the environment. */
  readonly connection?: AccountConnection;
  readonly ports: AppDependencies;
  /** Of the program. */
  readonly version: string;
  readonly counters: EventCounters;
  /** `always` if missing. */
  readonly searchIndex?: 'always' | 'while-used';
  /** Opens the team's records, once Slack has named the team. */
  readonly openRecords: OpenRecords;
  /** Of a marketplace account that workspaces share; missing: the workspace has its own. */
  readonly openGate?: () => Promise<ClosableRequestGate>;
  /** Before each request to Slack or to the marketplace: refuses it once the workspace has another owner. */
  readonly confirmOwner?: () => Promise<void>;
  /** As above, at once: before a request to the marketplace is written to its open connection. */
  readonly isOwner?: () => boolean;
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
  /** Who pressed Allow last, and when. Missing: the token comes from the environment. */
  readonly allowed?: { readonly by: UserId; readonly at: Instant };
}

/** What closes and ends with a workspace. */
export interface WorkspaceLife {
  readonly signal: AbortSignal;
  /** Registers a part before it checks for the end, so that closing closes this part, too. */
  open(name: string, close: () => Promise<void>): void;
  /** How long running work may still take, in milliseconds. */
  timeLeft(): number;
}

/** What every service needs: the records, the account's client, its credits, and the clock. */
export async function openWorkspaceBase(options: WorkspaceOptions, life: WorkspaceLife) {
  const { config, account, ports, counters, openRecords, openGate, confirmOwner, isOwner } = options;
  const { clock, log } = ports;
  const watch: ClockWatch = new ClockWatch({
    ...ports,
    // The second request costs no credits.
    askServers: [() => clients.main.auth.test(), () => marketplace.fetchBiddingSetups({ lane: 'person' })],
  });
  const channelIds = new ChannelAliases();
  const slackFetch = channelIds.wrapFetch(ports.fetch ?? globalThis.fetch);
  const ownFetch = wrapFetch(slackFetch, {
    onDate: (date) => watch.recordServerDate('slack', date),
    beforeSending: confirmOwner,
  });
  const { botToken } = account;
  const clients = createSlackClients({ ...config.slack, botToken, clock, log, fetch: ownFetch });
  const identity = await retryUntilSlackResponds(() => fetchBotIdentity(clients), { ...ports, ...life });
  const { team } = identity;
  const { store, proposals } = await openRecords(team, watch);
  life.open('store', () => store.close());
  await channelIds.load(store);
  await beginClockWatch({ store, watch });
  const journal = storedGateJournal(store);
  const limit = config.marketplace.requestsPerMinute;
  const gate = await (openGate ? openGate() : createRequestGate({ limit, journal, ...ports }));
  life.open('request gate', () => gate.close());
  const { marketplaceToken: token, admins } = account;
  const marketplace = token
    ? createMarketplaceClient({
        ...config.marketplace,
        token,
        gate,
        ...ports,
        onRequest: (seen) => counters.countRequest(seen),
        onDate: (date) => watch.recordServerDate('marketplace', date),
        beforeSending: confirmOwner,
        beforeWriting: isOwner,
      })
    : createUnconnectedClient();
  life.open('marketplace', () => marketplace.close(life.timeLeft()));
  const { timezone } = config;
  const credits = createCreditsService({
    defaultBudget: config.defaultChannelBudget,
    adminsOf: (tx, channel) => listKnownAdmins(tx, admins, channel),
    log,
  });
  await store.transact((tx) => credits.recoverReservations(tx, clock.now()));
  const parts = { team, store, credits, marketplace, gate, admins, timezone, clockGuard: watch, ...ports };
  return { parts, watch, clients, ownFetch, channelIds, identity, shelves: proposals };
}
export type WorkspaceBase = Awaited<ReturnType<typeof openWorkspaceBase>>;
