/** Makes a running PostgreSQL refuse, as after a failover, with too many clients, or with a full disk. */
import postgres from 'postgres';

/** What a database refuses: all writes, all connections, or whatever needs more room. */
export type Refusal = 'read-only' | 'no connections' | 'full disk';

export class RefusingDatabase {
  /** Of the superuser, whom nothing here concerns. */
  readonly #admin: postgres.Sql;
  /** The database and the role that owns it. */
  readonly #name: string;

  /** @param url from `createDatabase` of the server that `adminUrl` leads to */
  constructor(adminUrl: string, url: string) {
    this.#name = new URL(url).pathname.slice(1);
    const admin = new URL(adminUrl);
    admin.pathname = this.#name;
    this.#admin = postgres(admin.href, { max: 1, onnotice: () => undefined });
  }

  async refuse(what: Refusal): Promise<void> {
    if (what === 'full disk') {
      await this.#admin.unsafe(`
        create or replace function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'no space left' using errcode = '53100'; end $$;
        create or replace trigger full_disk before insert or update or delete on records
          for each row execute function refuse();`);
      return;
    }
    await this.#alterRole(
      what === 'read-only' ? 'set default_transaction_read_only = on' : 'connection limit 0',
    );
    // What a role may do counts from its next connection on.
    await this.#admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${this.#name}`;
  }

  async accept(what: Refusal): Promise<void> {
    if (what === 'full disk') await this.#admin`drop trigger if exists full_disk on records`;
    else if (what === 'read-only') await this.#alterRole('reset default_transaction_read_only');
    else await this.#alterRole('connection limit -1');
  }

  end(): Promise<void> {
    return this.#admin.end({ timeout: 1 });
  }

  #alterRole(how: string): Promise<unknown> {
    return this.#admin.unsafe(`alter role ${this.#name} ${how}`);
  }
}
