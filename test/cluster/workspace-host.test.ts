/** Replicas share the workspaces of a database, each owned by one of them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { machineClock, SECOND } from '../../src/clock.ts';
import { findOwnerUrl, Replicas } from '../../src/cluster/replicas.ts';
import { NotOwnerError, type Opening, WorkspaceHost } from '../../src/cluster/workspace-host.ts';
import { TeamId } from '../../src/ids.ts';
import { createLog, silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { openPostgresStore } from '../../src/storage/open-postgres-store.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { notes } from '../storage/collections.ts';

const TEAMS = Array.from({ length: 12 }, (_, index) => TeamId.parse(`T${index + 1}`));

/** A workspace's group. */
let groupOf: (team: TeamId) => string;
/** A changed mark opens a workspace anew. */
let marks: ReadonlyMap<TeamId, string>;

interface Opened {
  readonly team: TeamId;
  readonly store: Store;
  readonly confirmOwner: Opening['confirmOwner'];
  close(): Promise<void>;
}

type Open = (team: TeamId, opening: Opening) => Promise<Opened>;

interface StartOptions {
  readonly open?: Open;
  /** What announces the process; its pool when absent. */
  readonly announcing?: (pool: Database) => Database;
}

/** A process; it looks at the cluster when its own clock moves. */
class Process {
  readonly database: Database;
  readonly leases: Leases;
  readonly replicas: Replicas;
  readonly host: WorkspaceHost<Opened>;
  readonly failures: string[] = [];
  readonly #clock = new ManualClock();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;

  constructor(id: string, url: string, { open, announcing }: StartOptions = {}) {
    const secret = new Secret(url);
    this.database = connectDatabase({ url: secret, max: 3 });
    this.leases = new Leases({ url: secret, clock: machineClock, onLost: () => void this.host.loseAll() });
    this.replicas = new Replicas({
      database: announcing?.(this.database) ?? this.database,
      leases: this.leases,
      own: { id, url: `http://${id}` },
      clock: machineClock,
    });
    this.host = new WorkspaceHost<Opened>({
      id,
      replicas: this.replicas,
      listTeams: async () =>
        new Map([...marks].map(([team, mark]) => [team, { mark, group: groupOf(team) }])),
      open: open ?? ((team, opening) => this.#openStore(team, id, opening)),
      onFailed: (team) => this.failures.push(team),
      clock: this.#clock,
      log: silentLog,
    });
    this.#running = this.host.run(this.#ending.signal);
  }

  async #openStore(team: TeamId, owner: string, { confirmOwner }: Opening): Promise<Opened> {
    const { database, leases } = this;
    const common = { collections: [notes], log: silentLog, clock: machineClock };
    const { store } = await openPostgresStore({ ...common, database, leases, team, owner });
    return { team, store, confirmOwner, close: () => store.close() };
  }

  look(): void {
    this.#clock.moveBy(SECOND);
  }

  /** Wakes up from a pause, before it looks at the cluster. */
  sleepFor(ms: number): void {
    this.#clock.moveBy(ms);
  }

  owned(): readonly TeamId[] {
    return this.host.list().map(({ team }) => team);
  }

  /** As SIGTERM does. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** As SIGKILL does, for the database. */
  async kill(): Promise<void> {
    await this.leases.close();
    await this.database.end({ timeout: 0 });
  }
}

let server: LocalDatabase;
let url: string;
let processes: Process[];

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  processes = [];
  marks = new Map(TEAMS.map((team) => [team, '1']));
  groupOf = (team) => team;
  url = await server.createDatabase();
  const database = connectDatabase({ url: new Secret(url), max: 1 });
  await migrateDatabase(database);
  await database.end();
});
afterEach(async () => {
  for (const each of processes) {
    await each.end();
    await each.kill();
  }
});

/** @param through its way to the database */
function start(id: string, { through = url, ...options }: StartOptions & { through?: string } = {}): Process {
  const started = new Process(id, through, options);
  processes.push(started);
  return started;
}

/** All processes look until each team has its owner among these. */
async function untilShared(...among: readonly Process[]): Promise<void> {
  const inOrder = (teams: readonly TeamId[]) => [...teams].sort();
  await expect
    .poll(
      () => {
        for (const each of among) each.look();
        return inOrder(among.flatMap((each) => each.owned()));
      },
      { interval: 20, timeout: 10_000 },
    )
    .toEqual(inOrder(TEAMS));
}

/** Its time goes on until this is settled: on a busy machine its last look may be long ago. */
async function whileLooking(process: Process, asked: Promise<void>): Promise<void> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  asked.then(settle, settle);
  while (!isSettled) {
    process.sleepFor(SECOND / 10);
    await machineClock.sleep(SECOND / 50);
  }
  return asked;
}

it('two replicas own all workspaces between them, and each knows where the others are', async () => {
  const [a, b] = [start('a'), start('b')];
  await untilShared(a, b);
  expect(a.owned().length).toBeGreaterThan(0);
  expect(b.owned().length).toBeGreaterThan(0);
  for (const team of a.owned()) expect(await findOwnerUrl(b.database, team)).toBe('http://a');
});

it('a replica without an address beside another one is named, once', async () => {
  const lines: string[] = [];
  const clock = new ManualClock();
  const ending = new AbortController();
  const host = new WorkspaceHost<Opened>({
    id: 'a',
    replicas: {
      announce: async () => [
        { id: 'a', url: undefined },
        { id: 'b', url: 'http://b' },
      ],
      leave: async () => undefined,
    },
    listTeams: async () => new Map(),
    open: async () => expect.fail('there is no team'),
    onFailed: () => undefined,
    clock,
    log: createLog('warn', { write: (line) => lines.push(line) }),
  });
  const running = host.run(ending.signal);
  await expect
    .poll(() => {
      clock.moveBy(SECOND);
      return host.isDatabaseReached;
    })
    .toBe(true);
  ending.abort();
  await running;
  expect(lines.filter((line) => line.includes('REPLICA_URL'))).toHaveLength(1);
});

it('workspaces that share a marketplace account have the same owner, and move together', async () => {
  groupOf = (team) => `account ${TEAMS.indexOf(team) % 3}`;
  const groups = (one: Process) => new Set(one.owned().map(groupOf));
  const [a, b] = [start('a'), start('b')];
  await untilShared(a, b);
  expect([...groups(a)].filter((group) => groups(b).has(group))).toEqual([]);
  await b.kill();
  await untilShared(a);
});

it('one that joins gets its share, and the others keep theirs', async () => {
  const a = start('a');
  await untilShared(a);
  const b = start('b');
  await untilShared(a, b);
  const kept = a.owned();
  const c = start('c');
  await expect
    .poll(() => {
      for (const each of [a, b, c]) each.look();
      return c.owned().length;
    })
    .toBeGreaterThan(0);
  await untilShared(a, b, c);
  expect(a.owned().every((team) => kept.includes(team))).toBe(true);
});

it('one that ends hands all over, with what was stored last', async () => {
  const a = start('a');
  await untilShared(a);
  for (const { team, store } of a.host.list())
    await store.transact((tx) => tx.put(notes, { key: [team, 'n'], text: 'kept' }));
  const b = start('b');
  await untilShared(a, b);
  await a.end();
  expect(a.owned()).toEqual([]);
  await untilShared(b);
  for (const { team, store } of b.host.list())
    expect(await store.read((tx) => tx.get(notes, [team, 'n']))).toMatchObject({ text: 'kept' });
});

it('one that was killed is replaced', async () => {
  const [a, b] = [start('a'), start('b')];
  await untilShared(a, b);
  await a.kill();
  await untilShared(b);
});

it('one that hangs loses its workspaces, and can store nothing when it wakes up', async () => {
  const [a, b] = [start('a'), start('b')];
  await untilShared(a, b);
  const late = a.host.list();
  await b.database`update replicas set seen_at = now() - interval '1 minute' where id = 'a'`;
  b.look();
  await untilShared(b);
  for (const { team, store } of late)
    await expect(store.transact((tx) => tx.put(notes, { key: [team, 'n'], text: 'late' }))).rejects.toThrow();
  await untilShared(a, b);
});

/** Is so busy that it reads who is live long after it has announced itself. */
function announceSlowly(pool: Database): Database {
  return new Proxy(pool, {
    async apply(_pool, _self, [words, ...values]: [TemplateStringsArray, ...string[]]) {
      const rows = await pool(words, ...values);
      if (words.join('').includes('insert into replicas'))
        await pool`update replicas set seen_at = now() - interval '1 minute' where id = 'a'`;
      return rows;
    },
  });
}

it('one that is very busy keeps its workspaces', async () => {
  const a = start('a', { announcing: announceSlowly });
  await untilShared(a);
  const before = a.host.list();
  for (let looks = 0; looks < 3; looks++) {
    a.look();
    await expect(a.replicas.announce()).resolves.toMatchObject([{ id: 'a' }]);
  }
  expect(a.host.list()).toEqual(before);
});

it('one that wakes up sends nothing once another has its workspaces', async () => {
  const [a, b] = [start('a'), start('b')];
  await untilShared(a, b);
  const late = a.host.list();
  for (const { confirmOwner } of late) await whileLooking(a, confirmOwner());
  await b.database`update replicas set seen_at = now() - interval '1 minute' where id = 'a'`;
  b.look();
  await untilShared(b);
  for (const { confirmOwner } of late) await expect(confirmOwner()).rejects.toThrow(NotOwnerError);
});

it('one that hears nothing of the end of its leases gives all up, and gets them back', async () => {
  const proxy = await startCuttingProxy(url);
  const a = start('a', { through: proxy.url });
  await untilShared(a);
  const late = a.host.list();
  proxy.loseEnds();
  const b = start('b');
  await b.database`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`;
  await expect
    .poll(() => {
      a.look();
      return a.owned();
    })
    .toEqual([]);
  for (const { confirmOwner } of late) await expect(confirmOwner()).rejects.toThrow(NotOwnerError);
  await b.end();
  await untilShared(a);
  await a.end();
  await proxy.close();
});

it('one that was paused sends nothing before the database confirms it', async () => {
  const a = start('a');
  await untilShared(a);
  const [paused] = a.host.list();
  let isConfirmed = false;
  await server.stop('crash');
  a.sleepFor(5 * SECOND);
  const confirmed = paused?.confirmOwner().then(
    () => {
      isConfirmed = true;
    },
    (thrown: unknown) => thrown,
  );
  await expect
    .poll(() => {
      a.look();
      return a.host.isDatabaseReached;
    })
    .toBe(false);
  expect(isConfirmed).toBe(false);
  for (let second = 0; second < 12; second++) a.look();
  expect(await confirmed).toBeInstanceOf(NotOwnerError);
  await server.start();
});

it('without the database nothing is owned, and all comes back with it', async () => {
  const a = start('a');
  await untilShared(a);
  await server.stop('crash');
  await expect
    .poll(
      () => {
        a.look();
        return [a.owned(), a.host.isDatabaseReached];
      },
      { timeout: 10_000 },
    )
    .toEqual([[], false]);
  await server.start();
  await untilShared(a);
  await expect.poll(() => a.host.isDatabaseReached).toBe(true);
});

it("a workspace that can't be opened is reported, and the others are served", async () => {
  const open: Open = async (team, { confirmOwner }) => {
    if (team === TEAMS[0]) throw new Error('the token was revoked');
    return { team, store: {} as Store, confirmOwner, close: async () => undefined };
  };
  const a = start('a', { open });
  await expect
    .poll(() => {
      a.look();
      return a.owned().length;
    })
    .toBe(TEAMS.length - 1);
  expect(new Set(a.failures)).toEqual(new Set([TEAMS[0]]));
});

it('a workspace whose tokens changed is opened anew, and no other', async () => {
  const a = start('a');
  await untilShared(a);
  const before = new Map(a.host.list().map((opened) => [opened.team, opened]));
  const [changed] = TEAMS;
  marks = new Map(TEAMS.map((team) => [team, team === changed ? '2' : '1']));
  await expect
    .poll(() => {
      a.look();
      return a.host
        .list()
        .filter((opened) => before.get(opened.team) !== opened)
        .map(({ team }) => team);
    })
    .toEqual([changed]);
  await untilShared(a);
});
