/** Many workspaces in one replica: memory, CPU, and what PostgreSQL does for each. */
import { performance } from 'node:perf_hooks';
import { machineClock, machineRandomBytes, SECOND } from '../../src/clock.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { Installations } from '../../src/installations/installations.ts';
import { parseEncryptionKeys } from '../../src/seal.ts';
import { Secret } from '../../src/secret.ts';
import type { Database } from '../../src/storage/postgres/database.ts';
import { startMarketplaceFront } from '../../src/workbench/marketplace/marketplace-front.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSlackFront } from '../../src/workbench/slack/slack-front.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { channels, people, profile, signingSecret, team as template } from '../app/place.ts';
import type { Row } from '../part.ts';
import type { DatabasePlace } from './database-place.ts';
import { describeFlood } from './flood.ts';
import { type Environment, type Replica, startReplica, untilOwns } from './replica.ts';

/** What is left of the made-up workspace's more channels and filters. */
const CHANNELS = 3;
const FILTERS = 5;
const BAR = { workspaces: 200, residentMb: 2_000 };
/** Part of the memory is outside V8's heap. docs/scale.md names it. */
const HEAP_LIMIT = '--max-old-space-size=1300';
const KEY = Buffer.alloc(32, 7).toString('base64');

export interface ManyPlan {
  readonly few: number;
  readonly many: number;
  /** After the last workspace was opened, until memory and CPU are measured; and how long the CPU is. */
  readonly calmMs: number;
  readonly floodMs: number;
}

interface Team {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
}

async function startTeam(number: number): Promise<Team> {
  const id = `T${String(number).padStart(8, '0')}`;
  const parts = { clock: machineClock, random: seededRandom(number) };
  const slack = await startSimulatedSlack({ ...parts, signingSecret, team: { id }, botToken: `xoxb-${id}` });
  for (const channel of channels) slack.addChannel({ id: channel, name: channel.toLowerCase() });
  for (const user of people) slack.addUser({ id: user, name: user.toLowerCase() });
  const marketplace = await startSimulatedMarketplace({ ...parts, token: `marketplace-${id}` });
  for (let filter = 1; filter <= FILTERS; filter++) marketplace.addFilter({ id: filter });
  marketplace.addProfile({ id: profile });
  return { slack, marketplace };
}

/** The made-up workspace with fewer channels and filters. */
async function trimTemplate(database: Database): Promise<void> {
  for (const channel of channels.slice(CHANNELS))
    await database`delete from records where team = ${template} and key like ${`%"${channel}"%`}`;
  await database`
    delete from records where team = ${template} and collection = 'subscriptions'
      and (key::json ->> 1)::int > ${FILTERS}`;
}

async function copyTemplate(database: Database, { slack }: Team): Promise<void> {
  const { id } = slack.team;
  await database.begin(async (sql) => {
    await sql`
      insert into workspaces (team, sequence, version)
      select ${id}, sequence, version from workspaces where team = ${template}`;
    await sql`
      insert into records (team, collection, key, value)
      select ${id}, collection, replace(key, ${template}, ${id}), replace(value, ${template}, ${id})
      from records where team = ${template}`;
    await sql`
      insert into cached_items (team, shelf, key, at, value)
      select ${id}, shelf, key, at, value from cached_items where team = ${template}`;
  });
}

async function installTeams(database: Database, teams: readonly Team[]): Promise<void> {
  const keys = parseEncryptionKeys(KEY);
  if (!keys) throw new Error('no key');
  const installations = new Installations({ database, keys, randomBytes: machineRandomBytes });
  for (const { slack, marketplace } of teams) {
    const team = TeamId.parse(slack.team.id);
    await installations.save({
      team,
      teamName: slack.team.name,
      botToken: new Secret(slack.botToken),
      botUser: UserId.parse(slack.bot.userId),
      installedBy: people[0] ?? UserId.parse('U0'),
      scopes: [],
    });
    await installations.setMarketplaceToken(team, new Secret(marketplace.token));
  }
}

interface Opened {
  readonly count: number;
  readonly openedMs: number;
  readonly residentMb: number;
  /** Per second. */
  readonly cpuMs: number;
  /** Per second. */
  readonly statements: number;
  /** Per second. */
  readonly writtenKb: number;
  readonly databaseMb: number;
}

const KB = 1_024;
const MB = KB * KB;

interface DatabaseWork {
  /** With autocommit, each statement is a transaction. */
  readonly statements: number;
  /** To the write-ahead log of the server, which nothing else uses. */
  readonly writtenBytes: number;
  readonly storedBytes: number;
}

async function readDatabaseWork(database: Database): Promise<DatabaseWork> {
  await database`select pg_stat_force_next_flush()`;
  const [row] = await database<Record<keyof DatabaseWork, string>[]>`
    select xact_commit as statements, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as "writtenBytes",
      pg_database_size(datname) as "storedBytes"
    from pg_stat_database where datname = current_database()`;
  if (!row) throw new Error('the database has no statistics');
  return {
    statements: Number(row.statements),
    writtenBytes: Number(row.writtenBytes),
    storedBytes: Number(row.storedBytes),
  };
}

async function measureOpened(
  replica: Replica,
  database: Database,
  count: number,
  calmMs: number,
): Promise<Opened> {
  const openedMs = await untilOwns(replica, count);
  await machineClock.sleep(calmMs);
  const residentMb = await replica.process.ask('resident', undefined);
  const began = performance.now();
  const [cpu, work] = [await replica.process.ask('cpu', undefined), await readDatabaseWork(database)];
  await machineClock.sleep(calmMs);
  const cpuAfter = await replica.process.ask('cpu', undefined);
  const workAfter = await readDatabaseWork(database);
  const seconds = (performance.now() - began) / SECOND;
  return {
    count,
    openedMs,
    residentMb,
    cpuMs: (cpuAfter - cpu) / seconds,
    statements: (workAfter.statements - work.statements) / seconds,
    writtenKb: (workAfter.writtenBytes - work.writtenBytes) / seconds / KB,
    databaseMb: workAfter.storedBytes / MB,
  };
}

function describeOpened(few: Opened, many: Opened): readonly Row[] {
  const more = many.count - few.count;
  const each = (figure: (opened: Opened) => number) => (figure(many) - figure(few)) / more;
  const measured = `Measured with ${few.count} and ${many.count}.`;
  const eachMb = each(({ residentMb }) => residentMb);
  return [
    {
      what: `Resident memory of a replica with ${many.count} workspaces of 2,000 projects and 500 proposals`,
      measured: many.residentMb,
      unit: 'MB',
      baseline: 'none',
      ...(many.count < BAR.workspaces ? {} : { bar: { atMost: BAR.residentMb } }),
      note:
        `${eachMb.toFixed(1)} MB for each beyond ${few.count}. Started with ${HEAP_LIMIT}. ` +
        `A start opens all in ${(many.openedMs / SECOND).toFixed(0)} s.`,
    },
    {
      what: 'CPU of each additional workspace, as a share of a core',
      measured: each(({ cpuMs }) => cpuMs) / 10,
      unit: '%',
      baseline: 'none',
      note: `5 filters at 30 requests a minute, a project now and then. ${measured}`,
    },
    {
      what: 'Statements to PostgreSQL per second, each additional workspace',
      measured: each(({ statements }) => statements),
      unit: '',
      baseline: 'none',
      note: measured,
    },
    {
      what: 'Written by PostgreSQL to its log (WAL) per second, each additional workspace',
      measured: each(({ writtenKb }) => writtenKb),
      unit: 'kB',
      baseline: 'none',
      note: measured,
    },
    {
      what: 'Size of the database, each additional workspace',
      measured: each(({ databaseMb }) => databaseMb),
      unit: 'MB',
      baseline: 'none',
      note: `With indexes and copies of proposals. ${measured}`,
    },
  ];
}

export async function describeManyWorkspaces(
  place: DatabasePlace,
  plan: ManyPlan,
  say: (line: string) => void,
): Promise<readonly Row[]> {
  const { database, url } = place;
  await trimTemplate(database);
  const teams: Team[] = [];
  for (let number = 1; number <= plan.many; number++) teams.push(await startTeam(number));
  const slackFront = await startSlackFront(
    teams.map(({ slack }) => ({ apiUrl: slack.apiUrl, botToken: slack.botToken })),
  );
  const front = await startMarketplaceFront(teams.map(({ marketplace }) => marketplace));
  const env: Environment = {
    DATABASE_URL: url,
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'secret',
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: slackFront.apiUrl,
    PUBLIC_URL: 'https://gigdesk.example.com',
    ENCRYPTION_KEY: KEY,
    MARKETPLACE_API_URL: front.baseUrl,
    MARKETPLACE_REQUESTS_PER_MINUTE: '30',
  };
  const opened: Opened[] = [];
  const flooded: Row[] = [];
  try {
    let copied = 0;
    for (const count of [plan.few, plan.many]) {
      say(`opening ${count} workspaces`);
      for (const team of teams.slice(copied, count)) await copyTemplate(database, team);
      await installTeams(database, teams.slice(copied, count));
      copied = count;
      const replica = await startReplica(env, { flags: [HEAP_LIMIT] });
      opened.push(await measureOpened(replica, database, count, plan.calmMs));
      if (count === plan.many) {
        say('one workspace floods');
        const slacks = teams.map(({ slack }) => slack);
        flooded.push(await describeFlood(replica, slacks, plan.floodMs));
      }
      await replica.process.end();
    }
  } finally {
    await Promise.all([slackFront.close(), front.close()]);
    for (const { slack, marketplace } of teams) await Promise.all([slack.close(), marketplace.close()]);
  }
  const [few, many] = opened;
  if (!few || !many) throw new Error('nothing was measured');
  return [...describeOpened(few, many), ...flooded];
}
