/**
 * Serves the workspaces of a database together with other replicas: opens those that this process owns, and
 * tells where the others are.
 */
import { putBounded } from '../base/put-bounded.ts';
import { Turns } from '../base/turns.ts';
import { type Clock, type RandomSource, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { randomId, type TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { EventCounters } from '../metrics/event-counters.ts';
import type { Readiness } from '../metrics/metrics-snapshot.ts';
import type { Secret } from '../secret.ts';
import type { ServedTeam, TeamHandlers, TeamPlace } from '../slack/teams.ts';
import {
  connectRenewably,
  type Database,
  STATEMENT_MS,
  waitAtMost,
  waitWhileRunning,
} from '../storage/postgres/database.ts';
import { Leases } from '../storage/postgres/leases.ts';
import { type Migration, migrateDatabase } from '../storage/postgres/migrations.ts';
import type { PostgresLogOptions } from '../storage/postgres/postgres-log.ts';
import { StorageError } from '../storage/store.ts';
import { findOwnerUrl, Replicas } from './replicas.ts';
import { type HostedTeam, type HostedWorkspace, type Opening, WorkspaceHost } from './workspace-host.ts';

/** An open workspace. */
export interface ClusterWorkspace extends HostedWorkspace, Omit<ServedTeam, 'kind'> {}

/** Where an owned workspace's records are. */
export interface Ownership
  extends Required<Pick<PostgresLogOptions, 'database' | 'owner' | 'onLost' | 'onTakeover' | 'onFenced'>> {
  readonly leases: Leases;
  /** Loads records when its turn comes. @throws when the workspace must be given up before */
  readonly loadInTurn: <T>(load: () => Promise<T>) => Promise<T>;
}

export interface ClusterOptions<W extends ClusterWorkspace> {
  readonly url: Secret;
  /** Where the other replicas reach this one; undefined: it is alone. */
  readonly replicaUrl: string | undefined;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** To the tables; the program's own when absent. */
  readonly migrations?: readonly Migration[];
  /** All teams that should be served. */
  readonly listTeams: (database: Database) => Promise<ReadonlyMap<TeamId, HostedTeam>>;
  /** @throws StorageError `locked` while another replica owns the team */
  readonly open: (team: TeamId, ownership: Ownership, opening: Opening) => Promise<W>;
  readonly onFailed: (team: TeamId, error: Error) => void;
  readonly counters: Pick<EventCounters, 'countTakeover' | 'countFencedCommit' | 'readClusterCounts'>;
  /** Stops waiting for the database. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 100;

/** Resolves once the tables are there: waits for a database that can't be reached. @throws StorageError */
async function prepare(
  database: Database,
  { clock, log, migrations, signal }: Pick<ClusterOptions<never>, 'clock' | 'log' | 'migrations' | 'signal'>,
) {
  for (;;) {
    try {
      return await migrateDatabase(database, migrations);
    } catch (thrown) {
      if (!(thrown instanceof StorageError) || thrown.code !== 'io') throw thrown;
      log.warn("Can't prepare the database, retrying", { error: asError(thrown) });
      await clock.sleep(SECOND, signal);
    }
  }
}

/** @throws StorageError `newer` when a newer version has migrated the database */
export async function serveCluster<W extends ClusterWorkspace>(options: ClusterOptions<W>) {
  const { url, replicaUrl, clock, random, counters, signal } = options;
  const id = randomId(random);
  const pool = connectRenewably({ url });
  // Of its own: what replicas tell each other must not wait behind records.
  const own = connectRenewably({ url, max: 1 });
  // Of its own, too: requests of strangers make it look for owners.
  const lookups = connectRenewably({ url, max: 1 });
  const pools = [pool, own, lookups];
  const [database, announcing] = [pool.database, own.database];
  const leases = new Leases({ url, clock, onLost: () => void host.loseAll() });
  /** No server answers later than this. A network that is gone closes no connection, so this process does. */
  const hear = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await waitWhileRunning(clock, STATEMENT_MS, asked);
    } catch (thrown) {
      if (thrown instanceof StorageError && thrown.code === 'lost') {
        leases.drop();
        for (const each of pools) each.renew();
      }
      throw thrown;
    }
  };
  const closeDatabase = async () => {
    await leases.close();
    await Promise.all(pools.map((each) => each.database.end({ timeout: 1 })));
  };
  try {
    await prepare(database, options);
  } catch (thrown) {
    await closeDatabase();
    throw thrown;
  }
  const replicas = new Replicas({ database: announcing, leases, own: { id, url: replicaUrl }, clock });
  let known: ReadonlySet<TeamId> = new Set();
  // Hundreds loaded together would take longer for each, and keep other replicas waiting for the database.
  const loads = new Turns(4);
  const host: WorkspaceHost<W> = new WorkspaceHost({
    ...options,
    id,
    replicas: { announce: () => hear(replicas.announce()), leave: () => replicas.leave() },
    listTeams: async () => {
      const teams = await hear(options.listTeams(announcing));
      known = new Set(teams.keys());
      return teams;
    },
    async open(team, opening) {
      const ownership: Ownership = {
        database,
        leases,
        owner: id,
        loadInTurn: (load) => loads.take(load, opening.signal),
        onLost: () => opening.onBroken(new Error('The workspace may have another owner now')),
        onTakeover: () => counters.countTakeover(),
        onFenced: () => counters.countFencedCommit(),
      };
      const workspace = await options.open(team, ownership, opening);
      return {
        ...workspace,
        async close() {
          await workspace.dispatcher.stop(3 * SECOND);
          await workspace.close();
        },
      };
    },
  });
  const ending = new AbortController();
  const running = host.run(ending.signal);
  return {
    database,
    teams: createTeamHandlers({
      host,
      own: replicaUrl,
      clock,
      findOwnerUrl: (team) => findOwnerUrl(lookups.database, team),
      isKnown: (team) => known.has(team),
      isServed: async (team) => known.has(team) || (await options.listTeams(lookups.database)).has(team),
    }),
    /** Open here. */
    list: () => host.list(),
    /** The database's time: the same for all replicas. */
    commonNow: () => replicas.now(),
    /** A replica that owns nothing is ready: it passes requests on, and can take over. */
    async judgeReadiness(isSlackConnected: boolean): Promise<Readiness> {
      const missing = [
        ...(signal.aborted ? ['Gigdesk is stopping'] : []),
        ...(host.isDatabaseReached ? [] : ['the database is not reached']),
        ...(isSlackConnected ? [] : ['Slack is not connected']),
      ];
      const isReady = missing.length === 0;
      const owned = host.list().length;
      const { takeovers, forwards, fencedCommits } = await counters.readClusterCounts();
      const facts =
        `owns ${owned} ${owned === 1 ? 'workspace' : 'workspaces'}; since its start: ` +
        `takeovers ${takeovers}, forwards ${forwards}, refused commits ${fencedCommits}`;
      return { isReady, message: `${isReady ? 'ready' : `not ready: ${missing.join('; ')}`}; ${facts}` };
    },
    /** Gives all workspaces up. */
    async close() {
      ending.abort();
      await running;
      await closeDatabase();
    },
  };
}

interface Finding {
  readonly host: WorkspaceHost<ClusterWorkspace>;
  /** This replica's address. */
  readonly own: string | undefined;
  readonly clock: Clock;
  /** @throws StorageError */
  readonly findOwnerUrl: (team: TeamId) => Promise<string | undefined>;
  /** Whether it was installed at the last look at the cluster. */
  readonly isKnown: (team: TeamId) => boolean;
  /** @throws StorageError */
  readonly isServed: (team: TeamId) => Promise<boolean>;
}

const MOVING: TeamPlace = { kind: 'moving' };
const NOWHERE: TeamPlace = { kind: 'nowhere' };

function createTeamHandlers(finding: Finding): TeamHandlers {
  const { host, own, clock, findOwnerUrl, isKnown, isServed } = finding;
  /** Where teams were found last. A wrong one says so, and the next look is in the database. */
  const places = new Map<TeamId, string>();

  const findHere = (team: TeamId): ServedTeam | undefined => {
    const open = host.find(team);
    return open && { kind: 'here', identity: open.identity, dispatcher: open.dispatcher, hints: open.hints };
  };

  const look = async (team: TeamId, except: string | undefined): Promise<TeamPlace | undefined> => {
    const here = findHere(team);
    if (here) return here;
    const url = await findOwnerUrl(team);
    if (url === undefined || url === own || url === except)
      return (await isServed(team)) ? undefined : NOWHERE;
    putBounded(places, team, url, 10_000);
    return { kind: 'there', url };
  };

  return {
    find(team) {
      if (team === undefined) return NOWHERE;
      const url = places.get(team);
      return findHere(team) ?? (url === undefined ? MOVING : { kind: 'there', url });
    },
    async waitForOwner(team, withinMs, except) {
      places.delete(team);
      const until = clock.monotonicNow() + withinMs;
      for (;;) {
        try {
          const place = await waitAtMost(clock, until - clock.monotonicNow(), look(team, except));
          if (place) return place;
        } catch {
          // The database doesn't answer: a moment later it may.
        }
        if (clock.monotonicNow() + LOOK_MS > until) return MOVING;
        await clock.sleep(LOOK_MS);
      }
    },
    async lookUp(team, except) {
      if (host.isDatabaseReached && !isKnown(team)) return NOWHERE;
      places.delete(team);
      try {
        return (await look(team, except)) ?? MOVING;
      } catch {
        return MOVING;
      }
    },
    async stop(deadlineMs) {
      const left = await Promise.all(host.list().map(({ dispatcher }) => dispatcher.stop(deadlineMs)));
      return left.reduce((sum, count) => sum + count, 0);
    },
  };
}
