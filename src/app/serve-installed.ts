/** Serves the workspaces that people have installed: their share of those in a database. */
import { HOUR, type Instant, machineRandomBytes } from '../clock.ts';
import { serveCluster } from '../cluster/serve-cluster.ts';
import type { InstalledWorkspaces } from '../config.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError, GigdeskError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { AccountConnection } from '../installations/account-connection.ts';
import { AccountGates } from '../installations/account-gates.ts';
import { checkMarketplaceToken } from '../installations/check-token.ts';
import { forgetRemovedTeam, forgetUnusedAccounts } from '../installations/forget-team.ts';
import { createInstallRoutes } from '../installations/install-routes.ts';
import { Installations } from '../installations/installations.ts';
import { logWith } from '../log.ts';
import type { Readiness } from '../metrics/metrics-snapshot.ts';
import type { Secret } from '../secret.ts';
import { createSlackClients } from '../slack/core/clients.ts';
import { SlackCallError, toSlackCallError } from '../slack/core/errors.ts';
import type { HttpRoutes } from '../slack/core/http-server.ts';
import type { TeamHandlers } from '../slack/teams.ts';
import type { Database } from '../storage/postgres/database.ts';
import { type OpenedWorkspace, openWorkspace } from './open-workspace.ts';
import type { WorkspaceOptions } from './workspace-base.ts';
import { recordsInDatabase } from './workspace-records.ts';

/** `onBroken`: the process can't go on. */
export type ServeOptions = Pick<
  WorkspaceOptions,
  'config' | 'ports' | 'version' | 'counters' | 'signal' | 'onBroken'
>;

/** What a process then serves. */
export interface ServedWorkspaces {
  readonly teams: TeamHandlers;
  /** Open in this process. */
  list(): readonly OpenedWorkspace[];
  /** The time that replicas share; missing: there is one process. */
  readonly commonNow?: () => Instant;
  /** More routes of the HTTP server. */
  readonly routes?: HttpRoutes;
  judgeReadiness(isSlackConnected: boolean): Promise<Readiness>;
  close(): Promise<void>;
}

/** A workspace without an installation: it was removed just now. */
class NotInstalledError extends GigdeskError {
  override readonly name = 'NotInstalledError';
  readonly code = 'not-installed';
}

/** @throws StorageError `newer` when a newer version has migrated the database */
export async function serveInstalled(
  options: ServeOptions,
  account: InstalledWorkspaces,
  url: Secret,
): Promise<ServedWorkspaces> {
  const { config, ports, counters, signal } = options;
  const { log } = ports;
  const installationsIn = (database: Database) =>
    new Installations({ database, keys: account.encryptionKeys, randomBytes: machineRandomBytes });
  const gates = new AccountGates({ limit: config.marketplace.requestsPerMinute, ...ports });
  const cluster = await serveCluster<OpenedWorkspace>({
    ...ports,
    counters,
    url,
    replicaUrl: config.replica?.url,
    listTeams: (database) => installationsIn(database).listLive(),
    async open(team, ownership, opening) {
      const installation = await installationsIn(ownership.database).find(team);
      if (!installation) throw new NotInstalledError(`${team} has removed the app.`);
      const { botToken, marketplaceToken, account: sharedAccount, installedBy } = installation;
      const allowed = { by: installation.allowedBy, at: installation.allowedAt };
      const installed = installationsIn(ownership.database);
      const ownPorts = { ...ports, log: logWith(log, { team }) };
      return openWorkspace({
        ...options,
        ...opening,
        ports: ownPorts,
        account: { botToken, marketplaceToken, admins: new Set([installedBy]), installedBy, allowed },
        connection: createConnection(options, installed, team, marketplaceToken !== undefined),
        openRecords: recordsInDatabase({ ...ownership, mustBeInstalled: true }, ownPorts),
        searchIndex: 'while-used',
        openGate: sharedAccount === undefined ? undefined : () => gates.open(sharedAccount, ownership),
      });
    },
    // One team's trouble is not the others': it is tried again.
    onFailed: () => undefined,
    signal,
  });
  const installations = installationsIn(cluster.database);
  const forgetting = runLoop(
    ports,
    {
      name: 'Forgetting removed workspaces',
      step: async () => {
        for (const team of await installations.listRemovedForADay())
          await forgetRemovedTeam(cluster.database, team);
        await forgetUnusedAccounts(cluster.database);
        await ports.clock.sleep(HOUR, signal);
      },
      retryAfterMs: HOUR,
    },
    signal,
  );
  return {
    ...cluster,
    teams: { ...cluster.teams, onRemoved: (team) => removeTokens(options, installations, team) },
    routes: createInstallRoutes({
      ...account,
      ...config.slack,
      ...ports,
      installations,
      now: cluster.commonNow,
      randomBytes: machineRandomBytes,
      onInstalled: ({ team }) => log.info('A workspace has installed Gigdesk', { team }),
    }),
    async close() {
      await forgetting;
      await cluster.close();
    },
  };
}

/** The cluster sees that the token changed, and opens the workspace again. */
function createConnection(
  { config, ports }: ServeOptions,
  installations: Installations,
  team: TeamId,
  isConnectedNow: boolean,
): AccountConnection {
  let isConnected = isConnectedNow;
  return {
    get isConnected() {
      return isConnected;
    },
    async connect(token) {
      await checkMarketplaceToken(config, ports, token);
      await installations.setMarketplaceToken(team, token);
      isConnected = true;
    },
    async remove() {
      await installations.setMarketplaceToken(team, undefined);
      isConnected = false;
    },
  };
}

/**
 * Slack may send the news of a removal late, when the team has installed the app again: a token that still
 * works stays.
 * @throws Error when Slack or the database doesn't answer; Slack sends the event again then
 */
async function removeTokens({ config, ports }: ServeOptions, installations: Installations, team: TeamId) {
  const { clock, log, fetch = globalThis.fetch } = ports;
  const installation = await installations.find(team);
  if (!installation) return;
  const { botToken } = installation;
  const { withoutRetries } = createSlackClients({ ...config.slack, botToken, clock, log, fetch });
  try {
    await withoutRetries.auth.test();
    log.info('A workspace was said to be removed, but its token works', { team });
    return;
  } catch (thrown) {
    const error = toSlackCallError(thrown);
    if (!(error instanceof SlackCallError) || error.failureKind !== 'refused') throw asError(thrown);
  }
  await installations.removeTokens(team);
  log.info('A workspace has removed Gigdesk', { team });
}
