/** What a person reads who gets hold of the database. */
import type { TeamId } from '../../src/ids.ts';
import type { Database } from '../../src/storage/postgres/database.ts';

async function listTables(database: Database): Promise<readonly { name: string; hasTeams: boolean }[]> {
  return database<{ name: string; hasTeams: boolean }[]>`
    select c.relname as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'team'
    ) as "hasTeams"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`;
}

/** Every row of every table, as text. */
export async function dumpDatabase(database: Database): Promise<string> {
  const rows: string[] = [];
  for (const { name } of await listTables(database)) {
    const found = await database<{ text: string }[]>`select t::text as text from ${database(name)} t`;
    rows.push(...found.map(({ text }) => `${name}: ${text}`));
  }
  return rows.join('\n');
}

/** How many rows each table has of a team. */
export async function tablesOfTeams(
  database: Database,
  team: TeamId,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { name, hasTeams } of await listTables(database)) {
    if (!hasTeams) continue;
    const [row] = await database<{ count: string }[]>`
      select count(*) from ${database(name)} where team = ${team}`;
    counts[name] = Number(row?.count);
  }
  return counts;
}
