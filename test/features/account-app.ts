/** An app whose only workspace was installed: its marketplace account is connected in Slack. */
import type { App, AppDependencies } from '../../src/app.ts';
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
import { openWorkspace, type Workspace } from '../../src/workspace.ts';
import { recordsInFolder } from '../../src/workspace-records.ts';

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

class InstalledApp implements App {
  readonly fatalError: Promise<Error>;
  readonly #config: Config;
  readonly #ports: AppDependencies;
  readonly #account: StoredAccount;
  readonly #ending = new AbortController();
  #tellBroken: (error: Error) => void = () => undefined;
  #workspace: Workspace | undefined;
  #slack: SlackApp | undefined;
  #reopened = Promise.resolve();

  constructor(config: Config, ports: AppDependencies, account: StoredAccount) {
    this.#config = config;
    this.#ports = ports;
    this.#account = account;
    this.fatalError = new Promise((resolve) => {
      this.#tellBroken = resolve;
    });
  }

  async start(): Promise<void> {
    this.#workspace = await this.#open();
    const here = () => serveSingleTeam(this.#opened);
    this.#slack = await startSlackApp({
      ...this.#config.slack,
      ...this.#ports,
      http: this.#config.http,
      teams: {
        ...here(),
        find: (team) => (this.#account.isReopening ? { kind: 'moving' } : here().find(team)),
        waitForOwner: async (...asked) => {
          await this.#reopened;
          return here().waitForOwner(...asked);
        },
        stop: (deadlineMs) => here().stop(deadlineMs),
      },
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#reopened;
    await this.#slack?.stop(HANDLERS_END_MS);
    await this.#workspace?.close();
  }

  localUrl(): string {
    return `http://127.0.0.1:${this.#slack?.port}`;
  }

  get #opened(): Workspace {
    if (!this.#workspace) throw new Error('not started');
    return this.#workspace;
  }

  #open(): Promise<Workspace> {
    const { workspaces, storage } = this.#config;
    if (workspaces.mode !== 'single' || storage.engine !== 'folder') throw new Error('not a world');
    const ports = this.#ports;
    const { signal } = this.#ending;
    const onBroken = this.#tellBroken;
    const { token, installedBy } = this.#account;
    return openWorkspace({
      config: this.#config,
      ports,
      version: '0.0.0',
      counters: createMetrics({ namesTeams: false }).counters,
      account: {
        botToken: workspaces.botToken,
        marketplaceToken: token,
        admins: new Set([installedBy]),
        installedBy,
      },
      connection: this.#connection(),
      confirmOwner: async () => {
        if (this.#account.isLost) throw new Error('The workspace may have another owner');
      },
      openRecords:
        ports.openRecords ?? recordsInFolder(storage.folder, { ports, signal, onTakenOver: onBroken }),
      signal,
      onBroken,
    });
  }

  #connection(): AccountConnection {
    const account = this.#account;
    const store = (token: Secret | undefined) => {
      if (account.storeFails) throw account.storeFails;
      if (token) account.token = token;
      else delete account.token;
      this.#reopen();
    };
    return {
      get isConnected() {
        return account.token !== undefined;
      },
      connect: async (token) => {
        await checkMarketplaceToken(this.#config, this.#ports, token);
        store(token);
      },
      remove: async () => store(undefined),
    };
  }

  #reopen(): void {
    this.#account.isReopening = true;
    this.#reopened = this.#reopened
      .then(async () => {
        await this.#opened.dispatcher.stop(HANDLERS_END_MS);
        await this.#opened.close();
        this.#workspace = await this.#open();
        this.#account.isReopening = false;
      })
      .catch((thrown) => this.#tellBroken(asError(thrown)));
  }
}

/** Stores a token, as a process does that is killed right afterwards. */
export function storeToken(account: StoredAccount, token: string): void {
  account.token = new Secret(token);
}

/** For `AppOptions.createApp`. */
export function installedApp(account: StoredAccount): (config: Config, ports: AppDependencies) => App {
  return (config, ports) => new InstalledApp(config, ports, account);
}
