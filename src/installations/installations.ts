/** Which workspaces have installed Gigdesk, and their tokens, sealed in PostgreSQL. */
import { createHash } from 'node:crypto';
import { type Instant, MINUTE, type RandomBytes, SECOND } from '../clock.ts';
import { TeamId, UserId } from '../ids.ts';
import { type EncryptionKeys, openSealed, seal } from '../seal.ts';
import type { Secret } from '../secret.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';

/** What Slack says when someone installs the app. */
export interface NewInstallation {
  readonly team: TeamId;
  readonly teamName: string;
  /** The Enterprise Grid organization that the team is in; missing: none. */
  readonly enterprise?: string;
  readonly botToken: Secret;
  readonly botUser: UserId;
  /** Who pressed Allow. */
  readonly installedBy: UserId;
  readonly scopes: readonly string[];
}

export interface Installation extends NewInstallation {
  /** Missing until someone connects a marketplace account. */
  readonly marketplaceToken?: Secret;
  /** Names the marketplace token without showing it: the same for all workspaces that use it. */
  readonly account?: string;
  /** Who installed it first, since it was removed: an admin of Gigdesk there. */
  readonly installedBy: UserId;
  /** Who pressed Allow last. A plain member can, too, so this gives no rights. */
  readonly allowedBy: UserId;
  /** The last time, by the database's clock. */
  readonly allowedAt: Instant;
}

interface Row {
  readonly team: string;
  readonly team_name: string;
  readonly enterprise: string | null;
  readonly bot_token: string;
  readonly marketplace_token: string | null;
  readonly account: string | null;
  readonly bot_user: string;
  readonly installed_by: string;
  readonly allowed_by: string;
  readonly scopes: readonly string[];
  readonly installed_at: Date;
}

export interface InstallationsOptions {
  readonly database: Database;
  readonly keys: EncryptionKeys;
  readonly randomBytes: RandomBytes;
}

/** Each method throws a StorageError when the database refuses or doesn't answer. */
export class Installations {
  readonly #options: InstallationsOptions;

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /**
   * Also installs again, after a removal or not. The marketplace token stays, and so does the first installer
   * while the app is installed: anyone in the workspace may be able to press Allow.
   */
  async save(installation: NewInstallation): Promise<void> {
    const { team, botToken } = installation;
    const row = {
      team,
      team_name: installation.teamName,
      enterprise: installation.enterprise ?? null,
      bot_token: this.#seal(team, 'bot_token', botToken),
      bot_user: installation.botUser,
      installed_by: installation.installedBy,
      allowed_by: installation.installedBy,
      scopes: [...installation.scopes],
    };
    const { installed_by: _first, ...replaced } = row;
    await this.#ask('store the installation', async (sql) => {
      await sql`
        insert into installations ${sql(row)}
        on conflict (team) do update set ${sql(replaced)},
          installed_by = case
            when installations.removed_at is null then installations.installed_by
            else excluded.installed_by
          end,
          installed_at = now(), removed_at = null`;
    });
  }

  /**
   * @returns undefined when the team hasn't installed the app, or has removed it
   * @throws SealError when a token can't be opened
   */
  async find(team: TeamId): Promise<Installation | undefined> {
    const [row] = await this.#ask(
      'read the installation',
      (sql) => sql<Row[]>`select * from installations where team = ${team} and removed_at is null`,
    );
    return row && this.#toInstallation(row);
  }

  /** The teams that have the app, by ID. A mark changes with the tokens; a group shares a token. */
  async listLive() {
    const rows = await this.#ask(
      'list the installations',
      (sql) => sql<{ team: string; mark: string; group: string }[]>`
        select team, md5(bot_token || coalesce(marketplace_token, '')) as mark,
          coalesce(account, team) as "group"
        from installations where removed_at is null order by team`,
    );
    return new Map(rows.map(({ team, mark, group }) => [TeamId.parse(team), { mark, group }]));
  }

  /** The teams whose data may be deleted now: see `forgetRemovedTeam`. */
  async listRemovedForADay(): Promise<readonly TeamId[]> {
    const rows = await this.#ask(
      'list the removed installations',
      (sql) => sql<Row[]>`
        select team from installations where removed_at < now() - interval '1 day' order by team`,
    );
    return rows.map(({ team }) => TeamId.parse(team));
  }

  /** Replaces an earlier one; undefined removes it. @returns false when the team doesn't have the app */
  async setMarketplaceToken(team: TeamId, token: Secret | undefined): Promise<boolean> {
    const sealed = token ? this.#seal(team, 'marketplace_token', token) : null;
    const account = token ? createHash('sha256').update(token.reveal()).digest('base64url') : null;
    const { count } = await this.#ask(
      'store the marketplace token',
      (sql) => sql`
        update installations set marketplace_token = ${sealed}, account = ${account}
        where team = ${team} and removed_at is null`,
    );
    return count > 0;
  }

  /**
   * After `app_uninstalled` or `tokens_revoked`: deletes both tokens. The records stay for a day, in case
   * someone installs again.
   * @returns false when they were deleted before
   */
  async removeTokens(team: TeamId): Promise<boolean> {
    const { count } = await this.#ask(
      'delete the tokens',
      (sql) => sql`
        update installations
        set bot_token = null, marketplace_token = null, account = null, removed_at = now()
        where team = ${team} and removed_at is null`,
    );
    return count > 0;
  }

  /**
   * Remembers that a state came back from Slack.
   * @param expiresAt until when its signature is valid
   * @returns false when it was used before, on any replica
   */
  async redeemState(id: string, expiresAt: Instant, now: Instant): Promise<boolean> {
    const { count } = await this.#ask('store the use of a link', async (sql) => {
      // Kept for longer than it is valid, because each replica estimates the database's time.
      await sql`delete from install_states where expires_at < to_timestamp(${(now - MINUTE) / SECOND})`;
      return sql`
        insert into install_states (id, expires_at) values (${id}, to_timestamp(${expiresAt / SECOND}))
        on conflict (id) do nothing`;
    });
    return count > 0;
  }

  #seal(team: TeamId, field: string, value: Secret): string {
    const { keys, randomBytes } = this.#options;
    return seal(value, { team, field }, keys[0], randomBytes);
  }

  #toInstallation(row: Row): Installation {
    const { keys } = this.#options;
    const team = TeamId.parse(row.team);
    return {
      team,
      teamName: row.team_name,
      enterprise: row.enterprise ?? undefined,
      botToken: openSealed(row.bot_token, { team, field: 'bot_token' }, keys),
      marketplaceToken:
        row.marketplace_token === null
          ? undefined
          : openSealed(row.marketplace_token, { team, field: 'marketplace_token' }, keys),
      account: row.account ?? undefined,
      botUser: UserId.parse(row.bot_user),
      installedBy: UserId.parse(row.installed_by),
      allowedBy: UserId.parse(row.allowed_by),
      scopes: row.scopes,
      allowedAt: row.installed_at.getTime(),
    };
  }

  async #ask<T>(doing: string, ask: (sql: Database) => PromiseLike<T>): Promise<T> {
    try {
      return await ask(this.#options.database);
    } catch (thrown) {
      throw toDatabaseError(thrown, doing);
    }
  }
}
