/** The tables, as numbered steps that run once in each database, in order. Steps that ran never change. */
import { StorageError } from '../store.ts';
import { type Database, failTo, inTransaction, type Transaction } from './database.ts';

export interface Migration {
  /** What it adds, for people who read the table `migrations`. */
  readonly name: string;
  readonly sql: string;
}

/**
 * Keys and values are JSON as text: `jsonb` refuses the character U+0000 and half surrogates, which strangers
 * can write into a project.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'all tables',
    sql: `
      create table workspaces (
        team text collate "C" primary key,
        epoch bigint not null default floor(extract(epoch from clock_timestamp()) * 1000),
        sequence bigint not null default 0,
        version integer,
        owner text collate "C",
        created_at timestamptz not null default now()
      ) with (fillfactor = 50);
      comment on column workspaces.epoch is
        'Goes up with each owner; an earlier one can no longer write. Starts with the time, so that none '
        'comes twice for a team that was deleted and installed again.';
      comment on column workspaces.sequence is 'The number of the last stored transaction.';
      comment on column workspaces.version is 'The data version of the program that wrote last.';
      comment on column workspaces.owner is 'The replica that opened it last.';
      create table records (
        team text collate "C" not null,
        collection text collate "C" not null,
        key text collate "C" not null,
        value text not null,
        primary key (team, collection, key)
      ) partition by hash (team);
      do $$
      begin
        for part in 0..15 loop
          execute format(
            'create table records_%s partition of records for values with (modulus 16, remainder %s)',
            part, part);
        end loop;
      end $$;
      comment on column records.key is 'A JSON array, the team first.';
      comment on column records.value is 'JSON.';
      create table cached_items (
        team text collate "C" not null,
        shelf text collate "C" not null,
        key bigint not null,
        at bigint not null,
        value text not null,
        primary key (team, shelf, key)
      );
      comment on table cached_items is 'Copies of proposals. Can be fetched again from the marketplace.';
      comment on column cached_items.at is 'When the value was current, in milliseconds since 1970.';
      create table replicas (
        id text collate "C" primary key,
        url text,
        started_at timestamptz not null default now(),
        seen_at timestamptz not null default now()
      ) with (fillfactor = 50);
      comment on table replicas is 'Running processes. Each also holds a lock named after it.';
      comment on column replicas.url is 'Where the others reach it.';
      create table installations (
        team text collate "C" primary key,
        team_name text not null,
        enterprise text,
        bot_token text,
        marketplace_token text,
        account text collate "C",
        bot_user text not null,
        installed_by text not null,
        allowed_by text not null,
        scopes text[] not null,
        installed_at timestamptz not null default now(),
        removed_at timestamptz,
        check ((bot_token is null) = (removed_at is not null)),
        check (marketplace_token is null or removed_at is null)
      );
      comment on column installations.enterprise is 'The Enterprise Grid organization that the team is in.';
      comment on column installations.bot_token is 'Sealed with a key of ENCRYPTION_KEY. Gone once removed.';
      comment on column installations.marketplace_token is 'Sealed; missing until someone connects one.';
      comment on column installations.account is 'SHA-256 of the marketplace token: others may use it.';
      comment on column installations.bot_user is 'The user ID that the bot token belongs to.';
      comment on column installations.installed_by is 'Who installed it first. An admin there.';
      comment on column installations.allowed_by is 'Who pressed Allow last. Gets no rights by it.';
      comment on column installations.removed_at is 'When Slack said that the app was uninstalled.';
      create table install_states (
        id text collate "C" primary key,
        expires_at timestamptz not null
      );
      comment on table install_states is 'Links back from Slack that were used, so that none works twice.';
      comment on column install_states.expires_at is 'From then on, its signature alone refuses it.';
      create table accounts (
        id text collate "C" primary key,
        epoch bigint not null default floor(extract(epoch from clock_timestamp()) * 1000),
        gate text,
        opened_at timestamptz not null default now()
      ) with (fillfactor = 50);
      comment on table accounts is 'Marketplace accounts, which workspaces may share.';
      comment on column accounts.epoch is 'Goes up with each process; an earlier one can no longer write.';
      comment on column accounts.gate is 'JSON: when its latest requests ended.';`,
  },
];

/** How many steps this program knows. */
export const KNOWN_MIGRATIONS = MIGRATIONS.length;

/** Any number, the same in all programs: only one of them migrates at a time. */
const MIGRATION_LOCK = 7_447_110_116;

/**
 * Runs the steps that this database lacks. Programs that start together wait for each other.
 * @throws StorageError `newer` when a newer program has migrated the database; then nothing was changed.
 */
export async function migrateDatabase(database: Database, migrations = MIGRATIONS): Promise<void> {
  const migrate = async (sql: Transaction) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await sql`
      create table if not exists migrations (
        number integer primary key,
        name text not null,
        applied_at timestamptz not null default now()
      )`;
    const [row] = await sql<{ last: number }[]>`select coalesce(max(number), 0) as last from migrations`;
    const last = row?.last ?? 0;
    if (last > migrations.length)
      throw new StorageError(
        'newer',
        `A newer version of Gigdesk uses this database (migration ${last}; ` +
          `this version knows ${migrations.length}). Start the newer version. Nothing was changed.`,
      );
    for (const [index, { name, sql: text }] of migrations.entries()) {
      if (index < last) continue;
      await sql`insert into migrations (number, name) values (${index + 1}, ${name})`;
      await sql.unsafe(text);
    }
  };
  await inTransaction(database, migrate).catch(failTo('prepare the database'));
}
