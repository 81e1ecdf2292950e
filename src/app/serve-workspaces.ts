/** Opens what a process serves: the only workspace, or its share of those in a database. */
import { serveCluster } from '../cluster/serve-cluster.ts';
import type { SingleWorkspace } from '../config.ts';
import { judgeWorkspace } from '../metrics/metrics.ts';
import type { Secret } from '../secret.ts';
import { createSlackClients, fetchBotIdentity, retryUntilSlackResponds } from '../slack/core/clients.ts';
import { SlackCallError } from '../slack/core/errors.ts';
import { serveSingleTeam } from '../slack/teams.ts';
import { type OpenedWorkspace, openWorkspace } from './open-workspace.ts';
import { type ServedWorkspaces, type ServeOptions, serveInstalled } from './serve-installed.ts';
import { type OpenRecords, recordsInDatabase, recordsInFolder } from './workspace-records.ts';

/** @throws StorageError, SlackCallError or Error after closing everything, also when `signal` aborts. */
export function serveWorkspaces(options: ServeOptions): Promise<ServedWorkspaces> {
  const { config, ports } = options;
  const { storage, workspaces } = config;
  if (workspaces.mode === 'installed') {
    if (storage.engine !== 'postgres') throw new Error('Installed workspaces need DATABASE_URL');
    return serveInstalled(options, workspaces, storage.url);
  }
  if (ports.openRecords) return serveSingle(options, workspaces, ports.openRecords);
  if (storage.engine === 'postgres') return serveFromDatabase(options, workspaces, storage.url);
  const { signal, onBroken: onTakenOver } = options;
  const records = recordsInFolder(storage.folder, { ports, signal, onTakenOver });
  return serveSingle(options, workspaces, records);
}

async function serveSingle(
  options: ServeOptions,
  account: SingleWorkspace,
  openRecords: OpenRecords,
): Promise<ServedWorkspaces> {
  const workspace = await openWorkspace({ ...options, account, openRecords });
  return {
    teams: serveSingleTeam(workspace),
    list: () => [workspace],
    judgeReadiness: (isSlackConnected) => judgeWorkspace(workspace.sources, isSlackConnected),
    close: () => workspace.close(),
  };
}

/** Any replica may own the workspace; losing it, or the database, ends no process. */
async function serveFromDatabase(options: ServeOptions, account: SingleWorkspace, url: Secret) {
  const { config, ports, counters, signal, onBroken } = options;
  const { clock, log, fetch = globalThis.fetch } = ports;
  const clients = createSlackClients({ ...config.slack, botToken: account.botToken, clock, log, fetch });
  const { team } = await retryUntilSlackResponds(() => fetchBotIdentity(clients), { ...ports, signal });
  return serveCluster<OpenedWorkspace>({
    ...ports,
    counters,
    url,
    replicaUrl: config.replica?.url,
    listTeams: async () => new Map([[team, { mark: '', group: team }]]),
    open: (_team, ownership, opening) =>
      openWorkspace({ ...options, ...opening, account, openRecords: recordsInDatabase(ownership, ports) }),
    onFailed: (_team, error) => {
      if (error instanceof SlackCallError) onBroken(error);
    },
    signal,
  });
}
