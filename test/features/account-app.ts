/** An app whose only workspace was installed: its marketplace account is connected in Slack. */
import type { App, AppDependencies } from '../../src/app/app.ts';
import { type OpenedWorkspace, openWorkspace } from '../../src/app/open-workspace.ts';
import { recordsInFolder } from '../../src/app/workspace-records.ts';
import { SECOND } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { asError } from '../../src/errors.ts';
import type { UserId } from '../../src/ids.ts';
import type { AccountConnection } from '../../src/installations/account-connection.ts';
import { checkMarketplaceToken } from '../../src/installations/check-token.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { Secret } from '../../src/secret.ts';
import { type SlackApp, startSlackApp } from '../../src/slack/connect.ts';
import { serveSingleTeam } from '../../src/slack/teams.ts';

/** What a database keeps over restarts. */
export interface StoredAccount {
  token?: Secret;
  readonly installedBy: UserId;
  /** Whether another replica may own the workspace. */
  isLost?: boolean;
  /** The error of storing. */
  storeFails?: Error;
  /** Whether the workspace closes and opens anew, which takes real time. */
  isReopening?: boolean;
}

const HANDLERS_END_MS = 3 * SECOND;

/** Stores a token, as a process does that is killed right afterwards. */
export function storeToken(account: StoredAccount, token: string): void {
  account.token = new Secret(token);
}

/** For `AppOptions.createApp`. */
export function installedApp(account: StoredAccount) {
  return (config: Config, ports: AppDependencies): App => {
    const { workspaces, storage } = config;
    if (workspaces.mode !== 'single' || storage.engine !== 'folder') throw new Error('not a world');
    const ending = new AbortController();
    const { signal } = ending;
    let onBroken: (error: Error) => void = () => undefined;
    const fatalError = new Promise<Error>((resolve) => {
      onBroken = resolve;
    });
    let slack: SlackApp | undefined;
    let workspace: OpenedWorkspace | undefined;
    let reopened = Promise.resolve();
    const opened = () => {
      if (!workspace) throw new Error('not started');
      return workspace;
    };
    const here = () => serveSingleTeam(opened());

    const reopen = async () => {
      await opened().dispatcher.stop(HANDLERS_END_MS);
      await opened().close();
      workspace = await open();
      account.isReopening = false;
    };
    const store = (token: Secret | undefined) => {
      if (account.storeFails) throw account.storeFails;
      if (token) account.token = token;
      else delete account.token;
      account.isReopening = true;
      reopened = reopened.then(reopen).catch((thrown) => onBroken(asError(thrown)));
    };
    const connection: AccountConnection = {
      get isConnected() {
        return account.token !== undefined;
      },
      connect: async (token) => {
        await checkMarketplaceToken(config, ports, token);
        store(token);
      },
      remove: async () => store(undefined),
    };
    const open = (): Promise<OpenedWorkspace> => {
      const { token: marketplaceToken, installedBy } = account;
      const { botToken } = workspaces;
      return openWorkspace({
        config,
        ports,
        version: '0.0.0',
        counters: createMetrics({ namesTeams: false }).counters,
        account: { botToken, marketplaceToken, admins: new Set([installedBy]), installedBy },
        connection,
        confirmOwner: async () => {
          if (account.isLost) throw new Error('The workspace may have another owner');
        },
        openRecords:
          ports.openRecords ?? recordsInFolder(storage.folder, { ports, signal, onTakenOver: onBroken }),
        signal,
        onBroken,
      });
    };
    return {
      fatalError,
      localUrl: () => `http://127.0.0.1:${slack?.port}`,
      start: async () => {
        workspace = await open();
        slack = await startSlackApp({
          ...config.slack,
          ...ports,
          http: config.http,
          teams: {
            ...here(),
            find: (team) => (account.isReopening ? { kind: 'moving' } : here().find(team)),
            waitForOwner: async (...asked) => {
              await reopened;
              return here().waitForOwner(...asked);
            },
            stop: (deadlineMs) => here().stop(deadlineMs),
          },
        });
      },
      stop: async () => {
        ending.abort();
        await reopened;
        await slack?.stop(HANDLERS_END_MS);
        await workspace?.close();
      },
    };
  };
}
