/**
 * Checks PostgreSQL: that it answers, its version and rights, its clock, its distance, its tables, its free
 * connections; with installed workspaces, their tokens. Changes nothing.
 */
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { asError } from '../errors.ts';
import { findSealProblems } from '../installations/rotate-keys.ts';
import type { EncryptionKeys } from '../seal.ts';
import type { Secret } from '../secret.ts';
import { connectDatabase, type Database } from '../storage/postgres/database.ts';
import { KNOWN_MIGRATIONS } from '../storage/postgres/migrations.ts';
import { systemErrorCode } from '../storage/store.ts';
import { type DoctorFinding, failed, passed, warned } from './finding.ts';

const OLDEST_VERSION = 14;
const ROUND_TRIPS = 5;
/** Of one replica: a pool of seven, and those for its leases, announcements, and looking for owners. */
const CONNECTIONS_OF_REPLICA = 10;

const CHECK = 'database';
const CHECK_RIGHTS = 'database rights';

/** What to do about errors of connecting, by PostgreSQL's or the system's code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the host in DATABASE_URL',
  EAI_AGAIN: 'check the host in DATABASE_URL, and the name server of this machine',
  ECONNREFUSED: 'check host and port in DATABASE_URL, and that PostgreSQL runs and accepts this machine',
  CONNECT_TIMEOUT: 'check host and port in DATABASE_URL, and the firewalls in between',
  '28P01': 'check user and password in DATABASE_URL',
  '28000': "check the user in DATABASE_URL, and PostgreSQL's pg_hba.conf",
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '53300': 'raise max_connections in PostgreSQL, or end other connections',
  '57P03': 'wait until PostgreSQL has started',
};

function failedFinding(thrown: unknown): DoctorFinding {
  const code = systemErrorCode(thrown);
  const detail = `can't be used: ${asError(thrown).message}${code === undefined ? '' : ` (${code})`}`;
  const otherwise = 'check DATABASE_URL. A standby is no database for Gigdesk: it must accept writes';
  return failed(CHECK, detail, REMEDIES[code ?? ''] ?? otherwise);
}

/** All findings; only one when the database can't be used. Never throws. */
export async function checkDatabase(url: Secret, { workspaces }: Pick<Config, 'workspaces'>, clock: Clock) {
  const database = connectDatabase({ url, max: 1 });
  try {
    const version = await checkServer(database);
    const foreign = await findForeignTables(database);
    if (foreign) return [version, foreign];
    const isCurrent = await checkTables(database);
    return [
      version,
      await checkRights(database),
      await checkDistance(database, clock),
      await checkConnections(database),
      isCurrent,
      ...(isCurrent.ok && workspaces.mode === 'installed'
        ? await checkInstallations(database, workspaces.encryptionKeys)
        : []),
      ...(isCurrent.ok ? await checkReplicas(database) : []),
    ];
  } catch (thrown) {
    return [failedFinding(thrown)];
  } finally {
    await database.end({ timeout: 0 });
  }
}

async function checkServer(database: Database): Promise<DoctorFinding> {
  const [row] = await database<{ number: string; version: string }[]>`
    select current_setting('server_version_num') as number, current_setting('server_version') as version`;
  const detail = `PostgreSQL ${row?.version}`;
  return Math.floor(Number(row?.number) / 10_000) >= OLDEST_VERSION
    ? passed(CHECK, detail)
    : failed(CHECK, detail, `use PostgreSQL ${OLDEST_VERSION} or newer`);
}

async function checkRights(database: Database): Promise<DoctorFinding> {
  const [row] = await database<{ name: string; mayCreate: boolean; isSuperuser: boolean }[]>`
    select current_user as name, rolsuper as "isSuperuser",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"
    from pg_roles where rolname = current_user`;
  const user = `the user ${row?.name}`;
  const remedy = `make it the owner: alter database <name> owner to "${row?.name}"`;
  if (row?.mayCreate !== true) return failed(CHECK_RIGHTS, `${user} can't create tables`, remedy);
  return row.isSuperuser
    ? warned(CHECK_RIGHTS, `${user} is a superuser`, 'use a role that only owns this database')
    : passed(CHECK_RIGHTS, `${user} can create tables`);
}

/** For example after a restore by an administrator. */
async function findForeignTables(database: Database): Promise<DoctorFinding | undefined> {
  const [row] = await database<{ name: string; other: string | null }[]>`
    select current_user as name, min(pg_get_userbyid(relowner)) as other
    from pg_class as found
    where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
      and relowner <> (select oid from pg_roles where rolname = current_user)
      and not exists (select from pg_depend where objid = found.oid and deptype = 'e')`;
  if (!row?.other) return undefined;
  return failed(
    CHECK_RIGHTS,
    `tables belong to the user ${row.other}, not to ${row.name}`,
    `restore again as ${row.name}, or for each table: alter table <name> owner to "${row.name}"`,
  );
}

async function checkDistance(database: Database, clock: Clock): Promise<DoctorFinding> {
  const trips: { readonly ms: number; readonly aheadMs: number }[] = [];
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const [from, at] = [clock.monotonicNow(), clock.now()];
    const [row] = await database<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    const ms = clock.monotonicNow() - from;
    trips.push({ ms, aheadMs: at + ms / 2 - (row?.ms ?? 0) });
  }
  const middle = trips.sort((a, b) => a.ms - b.ms)[Math.floor(ROUND_TRIPS / 2)];
  const { ms, aheadMs } = middle ?? { ms: 0, aheadMs: 0 };
  const check = 'database distance';
  const clockText = `clocks ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s apart`;
  const detail = `a round trip takes ${ms.toFixed(1)} ms, ${clockText}`;
  // Beyond it, times in the log and in messages differ visibly.
  if (Math.abs(aheadMs) > 5_000) return warned(check, detail, 'keep both clocks in sync with NTP');
  return ms > 20
    ? warned(check, detail, 'run Gigdesk nearer to it: each change waits for a round trip')
    : passed(check, detail);
}

async function checkConnections(database: Database): Promise<DoctorFinding> {
  const [row] = await database<{ most: number; used: number }[]>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      as most, (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`;
  const { most = 0, used = 0 } = row ?? {};
  const detail = `${used} of ${most} in use`;
  const check = 'database connections';
  return most - used >= CONNECTIONS_OF_REPLICA
    ? passed(check, detail)
    : warned(check, detail, `raise max_connections: each replica takes up to ${CONNECTIONS_OF_REPLICA}`);
}

async function isThere(database: Database, table: string): Promise<boolean> {
  const [row] = await database<{ isThere: boolean }[]>`
    select to_regclass(${table}) is not null as "isThere"`;
  return row?.isThere === true;
}

async function checkTables(database: Database): Promise<DoctorFinding> {
  const check = 'database tables';
  if (!(await isThere(database, 'migrations')))
    return passed(check, 'not there yet: the first start creates them');
  const [row] = await database<{ last: number }[]>`
    select coalesce(max(number), 0)::int as last from migrations`;
  const last = row?.last ?? 0;
  if (last > KNOWN_MIGRATIONS) {
    const detail = `a newer version has changed them (${last}; this version knows ${KNOWN_MIGRATIONS})`;
    return failed(check, detail, 'start the newer version');
  }
  const missing = KNOWN_MIGRATIONS - last;
  return passed(check, missing === 0 ? 'up to date' : `the next start changes them (${missing})`);
}

async function checkInstallations(database: Database, keys: EncryptionKeys): Promise<DoctorFinding[]> {
  if (!(await isThere(database, 'installations'))) return [];
  const [row] = await database<{ teams: number; unconnected: number }[]>`
    select count(*)::int as teams,
      count(*) filter (where marketplace_token is null)::int as unconnected
    from installations where removed_at is null`;
  const { teams = 0, unconnected = 0 } = row ?? {};
  const detail = `${teams} installed, ${unconnected} of them without a marketplace account`;
  const problems = await findSealProblems({ database, keys });
  return [
    passed('workspaces', detail),
    problems.length === 0
      ? passed('sealed tokens', 'all can be opened')
      : failed(
          'sealed tokens',
          `${problems.length} can't be opened. The first: ${problems[0]}`,
          'add the key that sealed them to ENCRYPTION_KEY, behind the others',
        ),
  ];
}

async function checkReplicas(database: Database): Promise<DoctorFinding[]> {
  if (!(await isThere(database, 'replicas'))) return [];
  const rows = await database<{ url: string | null }[]>`
    select url from replicas where seen_at > now() - interval '5 seconds' order by url`;
  const urls = rows.map(({ url }) => url ?? 'one without an address');
  const check = 'replicas';
  if (rows.length > 1 && rows.some(({ url }) => url === null)) {
    const detail = `${rows.length} run, but one can't be reached: ${urls.join(', ')}`;
    return [failed(check, detail, 'set REPLICA_URL and REPLICA_SECRET for each of them')];
  }
  if (new Set(urls).size < urls.length) {
    const detail = `two announce the same address: ${urls.join(', ')}`;
    return [failed(check, detail, 'give each its own REPLICA_URL')];
  }
  return [passed(check, urls.length === 0 ? 'none runs' : `running: ${urls.join(', ')}`)];
}
