/** What an administrator or a full machine does to a database that goes on running. */
import postgres from 'postgres';

type Trouble = 'read-only' | 'no connections' | 'full disk';
export const TROUBLES: readonly Trouble[] = ['read-only', 'no connections', 'full disk'];

/** As PostgreSQL's code for it: filling a disk would fill this machine's. */
const FILL = `
  create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$;
  create or replace trigger full_disk before insert or update or delete on records
    for each row execute function refuse();`;

/** Past the replicas' proxies, as the superuser. */
export class DatabaseTroubles {
  readonly #admin: postgres.Sql;
  /** Of the database and of its role. */
  readonly #name: string;

  /** @param adminUrl of the server. @param url of the replicas' database */
  constructor(adminUrl: string, url: string) {
    const { pathname } = new URL(url);
    this.#name = pathname.slice(1);
    const inDatabase = Object.assign(new URL(adminUrl), { pathname });
    this.#admin = postgres(inDatabase.href, { max: 1, onnotice: () => undefined });
  }

  async begin(trouble: Trouble): Promise<void> {
    if (trouble === 'full disk') await this.#run(FILL);
    else if (trouble === 'read-only') await this.#changeRole('set default_transaction_read_only = on');
    else await this.#changeRole('connection limit 0');
  }

  async end(trouble: Trouble): Promise<void> {
    if (trouble === 'full disk') await this.#run('drop trigger full_disk on records');
    else if (trouble === 'read-only') await this.#changeRole('reset default_transaction_read_only');
    else await this.#changeRole('connection limit -1');
  }

  async close(): Promise<void> {
    await this.#admin.end({ timeout: 1 });
  }

  /** What a role may do counts from its next connection on. */
  async #changeRole(how: string): Promise<void> {
    await this.#run(`alter role ${this.#name} ${how}`);
    await this.#admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${this.#name}`;
  }

  async #run(sql: string): Promise<void> {
    await this.#admin.unsafe(sql);
  }
}
