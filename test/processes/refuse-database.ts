/** Makes a running PostgreSQL refuse, as after a failover, with too many clients, or with a full disk. */
import postgres from 'postgres';

/** What a database refuses: all writes, all connections, or whatever needs more room. */
export type Refusal = 'read-only' | 'no connections' | 'full disk';

const FULL = `
  create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$;
  create or replace trigger full_disk before insert or update or delete on records
    for each row execute function refuse()`;

/**
 * @param adminUrl of the superuser, whom nothing here concerns
 * @param url from `createDatabase` of that server
 * @returns what ends it
 */
export async function refuseDatabase(
  adminUrl: string,
  url: string,
  what: Refusal,
): Promise<() => Promise<void>> {
  /** The database and the role that owns it. */
  const name = new URL(url).pathname.slice(1);
  const [begin, end] = {
    'read-only': [
      `alter role ${name} set default_transaction_read_only = on`,
      `alter role ${name} reset default_transaction_read_only`,
    ],
    'no connections': [`alter role ${name} connection limit 0`, `alter role ${name} connection limit -1`],
    'full disk': [FULL, 'drop trigger if exists full_disk on records'],
  }[what];
  const run = async (statement = '') => {
    const admin = postgres(new URL(`/${name}`, adminUrl).href, { max: 1, onnotice: () => undefined });
    await admin.unsafe(statement);
    // What a role may do counts from its next connection on.
    if (statement === begin && what !== 'full disk')
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`;
    await admin.end({ timeout: 1 });
  };
  await run(begin);
  return () => run(end);
}
