/** The cluster sandbox: PostgreSQL, replicas as processes behind a proxy, and two workspaces. */
import { type Clock, type Instant, type RandomBytes, type RandomSource, SECOND } from '../../clock.ts';
import { TeamId } from '../../ids.ts';
import { parseEncryptionKeys } from '../../installations/encryption-keys.ts';
import { Installations } from '../../installations/installations.ts';
import { Secret } from '../../secret.ts';
import { connectDatabase } from '../../storage/postgres/database.ts';
import { startCuttingProxy } from '../database/cutting-proxy.ts';
import { startLocalDatabase } from '../database/start-database.ts';
import { findFreePort } from '../free-port.ts';
import { startMarketplaceFront } from '../marketplace/marketplace-front.ts';
import { startSlackFront } from '../slack/slack-front.ts';
import { ClusterTeam, REQUESTS_PER_MINUTE } from './cluster-teams.ts';
import { type OwnershipChange, ReplicaProcess } from './replica-process.ts';
import { startRoundRobinProxy } from './round-robin-proxy.ts';

export interface ClusterOptions {
  readonly replicas: number;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly randomBytes: RandomBytes;
  /** Also of the replicas, from `warn` on. */
  readonly onEvent: (event: ClusterEvent) => void;
}

export interface ClusterEvent {
  readonly at: Instant;
  readonly text: string;
}

export interface Cluster {
  readonly replicas: readonly ReplicaProcess[];
  readonly teams: readonly ClusterTeam[];
  /** Newest first. */
  readonly events: readonly ClusterEvent[];
  /** Adds an event. @param replica that stops or goes on serving its workspaces with it */
  note(text: string, replica?: { readonly name: string; readonly serves: boolean }): void;
  /** Ends everything and deletes the data. */
  close(): Promise<void>;
}

const TEAMS = [
  { id: 'T0NORTH', name: 'North' },
  { id: 'T0SOUTH', name: 'South' },
] as const;
const nameOf = (team: string) => TEAMS.find(({ id }) => id === team)?.name ?? team;
const ENDS: Readonly<Record<string, string>> = { SIGKILL: 'was killed', '0': 'stopped' };
const MOST_EVENTS = 200;
const LOOK_MS = SECOND / 2;
const PUBLISH_EACH_MS = 5 * SECOND;
const READY_WITHIN_MS = 30 * SECOND;

/** What happened, for the page and the terminal. */
class EventLog {
  readonly events: ClusterEvent[] = [];
  readonly #options: ClusterOptions;
  /** Replicas by workspace. */
  readonly #owners = new Map<string, string>();
  /** When a workspace lost its owner. */
  readonly #lostAt = new Map<string, Instant>();

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  add(text: string, at: Instant = this.#options.clock.now()): void {
    const event = { at, text };
    this.events.unshift(event);
    this.events.length = Math.min(this.events.length, MOST_EVENTS);
    this.#options.onEvent(event);
  }

  addOwnership(replica: string, { kind, team, at }: OwnershipChange): void {
    const lostAt = this.#lostAt.get(team);
    const took = kind === 'owns' && lostAt !== undefined ? `, ${at - lostAt} ms without an owner` : '';
    this.add(`${replica} ${kind} ${nameOf(team)}${took}`, at);
    if (kind === 'gave up') this.#lose(replica, team, at);
    else {
      this.#owners.set(team, replica);
      this.#lostAt.delete(team);
    }
  }

  /** From now on, nobody serves its workspaces. */
  loseAll(replica: string): void {
    for (const team of this.#owners.keys()) this.#lose(replica, team, this.#options.clock.now());
  }

  /** It serves those again that no other replica has taken over. */
  regainAll(replica: string): void {
    for (const [team, owner] of this.#owners) if (owner === replica) this.#lostAt.delete(team);
  }

  /** One that another replica owns by now is served. */
  #lose(replica: string, team: string, at: Instant): void {
    if (this.#owners.get(team) === replica && !this.#lostAt.has(team)) this.#lostAt.set(team, at);
  }
}

/** @throws Error when PostgreSQL can't start here, or a replica doesn't get ready */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { clock, random, randomBytes } = options;
  const log = new EventLog(options);
  const server = await startLocalDatabase({ fsync: 'off' });
  const url = await server.createDatabase();
  const teams = await Promise.all(TEAMS.map((each) => ClusterTeam.start(each, { clock, random })));
  const slackFront = await startSlackFront(teams.map(({ slack }) => slack));
  const marketFront = await startMarketplaceFront(teams.map(({ marketplace }) => marketplace));
  const key = `sandbox:${randomBytes(32).toString('base64')}`;
  const [first] = teams;
  if (!first) throw new Error('There is no workspace');
  const { clientId, clientSecret, signingSecret } = first.slack;
  const env = {
    NODE_ENV: 'production',
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: slackFront.apiUrl,
    PUBLIC_URL: 'https://gigdesk.example.com',
    ENCRYPTION_KEY: key,
    MARKETPLACE_API_URL: marketFront.baseUrl,
    MARKETPLACE_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    REPLICA_SECRET: randomBytes(32).toString('hex'),
  };
  const replicas: ReplicaProcess[] = [];
  for (let number = 1; number <= options.replicas; number++) {
    const name = `Replica ${number}`;
    const port = await findFreePort();
    const database = await startCuttingProxy(url);
    replicas.push(
      new ReplicaProcess({
        name,
        port,
        database,
        env: {
          ...env,
          DATABASE_URL: database.url,
          PORT: String(port),
          REPLICA_URL: `http://127.0.0.1:${port}`,
        },
        onOwnership: (change) => log.addOwnership(name, change),
        onEnd: (owned, how) => {
          log.loseAll(name);
          const lost = owned.map(nameOf).join(' and ');
          log.add(`${name} ${ENDS[how] ?? `ended (${how})`}${lost === '' ? '' : `; it owned ${lost}`}`);
        },
      }),
    );
  }
  const proxy = await startRoundRobinProxy(() =>
    replicas.filter(({ state }) => state === 'running').map((it) => it.url),
  );
  const ending = new AbortController();
  const closeAll = async () => {
    ending.abort();
    await Promise.all(replicas.map((replica) => replica.close()));
    await Promise.all([proxy.close(), slackFront.close(), marketFront.close()]);
    await Promise.all(teams.map((team) => team.close()));
    await server.close();
  };
  try {
    for (const replica of replicas) replica.start();
    await waitUntil(clock, 'a replica runs', () => replicas.some(({ state }) => state === 'running'));
    const running = replicas.find(({ state }) => state === 'running')?.url ?? '';
    await installTeams({ url, key, teams, randomBytes }, running, `${proxy.url}/slack/events`);
    await waitUntil(clock, 'both workspaces have an owner', () =>
      teams.every(({ id }) => replicas.some(({ owned }) => owned.has(id))),
    );
    for (const team of teams) await team.subscribe();
  } catch (thrown) {
    await closeAll();
    throw thrown;
  }
  const publishing = repeat(clock, PUBLISH_EACH_MS, ending.signal, async () => {
    for (const team of teams) team.publish();
  });
  const looking = repeat(clock, LOOK_MS, ending.signal, async () => {
    await Promise.all(replicas.map((replica) => replica.refreshCounts()));
  });
  return {
    replicas,
    teams,
    events: log.events,
    note(text, replica) {
      log.add(text);
      if (replica?.serves === true) log.regainAll(replica.name);
      if (replica?.serves === false) log.loseAll(replica.name);
    },
    async close() {
      ending.abort();
      await Promise.all([publishing, looking]);
      await closeAll();
    },
  };
}

interface Installing {
  readonly url: string;
  readonly key: string;
  readonly teams: readonly ClusterTeam[];
  readonly randomBytes: RandomBytes;
}

/** People install the app and connect their accounts. */
async function installTeams(
  { url, key, teams, randomBytes }: Installing,
  gigdesk: string,
  eventsUrl: string,
): Promise<void> {
  const keys = parseEncryptionKeys(key);
  if (!keys) throw new Error('The key is wrong');
  const database = connectDatabase({ url: new Secret(url), max: 1 });
  const installations = new Installations({ database, keys, randomBytes });
  for (const team of teams) {
    team.slack.attachHttp(eventsUrl);
    await team.install(gigdesk);
    const token = new Secret(team.marketplace.token);
    await installations.setMarketplaceToken(TeamId.parse(team.id), token);
  }
  await database.end();
}

async function waitUntil(clock: Clock, what: string, condition: () => boolean): Promise<void> {
  const until = clock.monotonicNow() + READY_WITHIN_MS;
  while (!condition()) {
    if (clock.monotonicNow() > until) throw new Error(`The sandbox waited in vain until ${what}`);
    await clock.sleep(SECOND / 20);
  }
}

async function repeat(
  clock: Clock,
  everyMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}
