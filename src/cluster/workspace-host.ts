/**
 * The workspaces that this replica owns: opens those that are its to own, gives up those that are not, and
 * drops all when the database may have given them to another. Reads the cluster every moment.
 */
import { createHash } from 'node:crypto';
import { backoffMs } from '../base/backoff.ts';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError, GigdeskError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import { StorageError } from '../storage/store.ts';
import type { Replica, Replicas } from './replicas.ts';

/** How a team is shared out. */
export interface HostedTeam {
  /** When it changes, the workspace is closed and opened again. */
  readonly mark: string;
  /** Workspaces of a group are owned by the same replica. */
  readonly group: string;
}

/** What the host needs of a workspace. */
export interface HostedWorkspace {
  /** Resolves once nothing of it runs or writes anymore. Never throws. */
  close(): Promise<void>;
}

/** The workspace may have another owner by now. */
export class NotOwnerError extends GigdeskError {
  override readonly name = 'NotOwnerError';
  readonly code = 'not-owner';
}

/** One opening of a workspace. */
export interface Opening {
  /** Aborted when the team must be given up. */
  readonly signal: AbortSignal;
  /** The workspace is of no more use. */
  readonly onBroken: (error: Error) => void;
  /**
   * Comes before each request to the outside: a process that was paused wakes up in the middle of anything,
   * when another owner may have sent the request already. Resolves while no other replica can be the owner;
   * after a pause, once the database confirms it. @throws NotOwnerError
   */
  readonly confirmOwner: () => Promise<void>;
  /** Comes once the connection is open, which may take seconds. Whether no other replica can be the owner. */
  readonly isOwner: () => boolean;
}

export interface WorkspaceHostOptions<W extends HostedWorkspace> {
  readonly id: string;
  readonly replicas: Pick<Replicas, 'announce' | 'leave'>;
  /** All teams that should be served. */
  readonly listTeams: () => Promise<ReadonlyMap<TeamId, HostedTeam>>;
  /** @throws StorageError `locked` while another replica owns it */
  readonly open: (team: TeamId, opening: Opening) => Promise<W>;
  /** A team can't be opened for a reason other than its lease or the database. */
  readonly onFailed: (team: TeamId, error: Error) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Owned<W> {
  readonly mark: string;
  readonly ending: AbortController;
  workspace: W | undefined;
  /** Closed, or its lease is lost. */
  isOver: boolean;
  /** Resolves once it is closed. */
  readonly done: Promise<void>;
}

const STEP_MS = SECOND / 2;
/** After a failure other than a lease. Of the database: it may be back. */
const RETRY_MS = 5 * SECOND;
/** Of anything else, such as a revoked token, which may last for days. */
const LONGEST_RETRY_MS = MINUTE;
/** After a look, no other replica takes over for 5 s: one less, so that a request still arrives in time. */
const CONFIRMED_MS = 4 * SECOND;
/** After so long without a successful look, another replica may take over. */
const UNSURE_AFTER_MS = 5 * SECOND;

export class WorkspaceHost<W extends HostedWorkspace> {
  readonly #options: WorkspaceHostOptions<W>;
  readonly #owned = new Map<TeamId, Owned<W>>();
  /** Teams that failed to open: how often in a row, and when to try again by the monotonic clock. */
  readonly #failed = new Map<TeamId, { mark: string; failures: number; retryAt: number }>();
  #isDatabaseReached = false;
  /** Why the last look failed: logged once. */
  #missedFor: string | undefined;
  /** Another replica runs, and not all have an address. */
  #lacksAddress = false;
  /** When the last successful look began. Monotonic time, which goes on while the process is paused. */
  #confirmedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WorkspaceHostOptions<W>) {
    this.#options = options;
  }

  /** An open workspace; undefined while another replica may own it, or it is being opened or closed. */
  find(team: TeamId): W | undefined {
    if (this.#isUnsure) return undefined;
    const owned = this.#owned.get(team);
    return owned?.ending.signal.aborted === true ? undefined : owned?.workspace;
  }

  list(): readonly W[] {
    return [...this.#owned.values()].flatMap(({ workspace, ending }) =>
      workspace && !ending.signal.aborted ? [workspace] : [],
    );
  }

  /** Whether the last look at the cluster succeeded, and isn't long ago: the database may be silent. */
  get isDatabaseReached(): boolean {
    return this.#isDatabaseReached && !this.#isUnsure;
  }

  get #isUnsure(): boolean {
    return this.#options.clock.monotonicNow() - this.#confirmedAt > UNSURE_AFTER_MS;
  }

  /** Until `signal` aborts; gives everything up then. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const step = async () => {
      await this.#look().catch((thrown) => this.#missDatabase(asError(thrown)));
      await clock.sleep(STEP_MS, signal);
    };
    await runLoop(this.#options, { name: 'Ownership', step, retryAfterMs: STEP_MS }, signal);
    await this.#options.replicas.leave();
    await this.#dropAll();
  }

  /** Gives all workspaces up: the connection that holds their leases is lost. */
  async loseAll(): Promise<void> {
    for (const owned of this.#owned.values()) owned.isOver = true;
    await this.#dropAll();
  }

  async #dropAll(): Promise<void> {
    await Promise.all([...this.#owned.keys()].map((team) => this.#drop(team)));
  }

  async #look(): Promise<void> {
    const { id, replicas, listTeams, clock } = this.#options;
    const beganAt = clock.monotonicNow();
    const live = await replicas.announce();
    this.#confirmedAt = beganAt;
    this.#checkAddresses(live);
    const teams = await listTeams();
    this.#isDatabaseReached = true;
    this.#missedFor = undefined;
    const ours = new Map([...teams].filter(([, { group }]) => chooseOwner(group, live)?.id === id));
    for (const [team, { mark }] of this.#owned) if (ours.get(team)?.mark !== mark) void this.#drop(team);
    for (const [team, { mark }] of ours) {
      const failed = this.#failed.get(team);
      const isWaiting = failed?.mark === mark && failed.retryAt > clock.monotonicNow();
      if (!this.#owned.has(team) && !isWaiting) this.#open(team, mark);
    }
  }

  #checkAddresses(live: readonly Replica[]): void {
    const lacksAddress = live.length > 1 && live.some(({ url }) => url === undefined);
    if (lacksAddress && !this.#lacksAddress)
      this.#options.log.warn('Several replicas run, but one has no REPLICA_URL: requests may not reach it');
    this.#lacksAddress = lacksAddress;
  }

  #missDatabase(error: Error): void {
    if (this.#missedFor !== error.message) this.#options.log.warn("Can't reach the database", { error });
    this.#missedFor = error.message;
    this.#isDatabaseReached = false;
  }

  #open(team: TeamId, mark: string): void {
    const { log } = this.#options;
    const ending = new AbortController();
    const live = async () => {
      let workspace: W | undefined;
      try {
        workspace = await this.#options.open(team, {
          signal: ending.signal,
          onBroken(error) {
            log.warn('A workspace broke and will be opened again', { team, error });
            ending.abort();
          },
          confirmOwner: () => this.#confirmOwner(owned),
          isOwner: () => !owned.isOver && !this.#isUnsure,
        });
        if (!ending.signal.aborted) {
          owned.workspace = workspace;
          this.#failed.delete(team);
          log.info('Owns a workspace', { team });
          await new Promise((resolve) => ending.signal.addEventListener('abort', resolve, { once: true }));
        }
      } catch (thrown) {
        this.#noteFailure(team, mark, asError(thrown), ending.signal);
      }
      await workspace?.close();
      owned.isOver = true;
      this.#owned.delete(team);
      if (workspace) log.info('No longer owns a workspace', { team });
    };
    const done = Promise.resolve().then(live);
    const owned: Owned<W> = { mark, ending, workspace: undefined, isOver: false, done };
    this.#owned.set(team, owned);
  }

  async #confirmOwner(owned: Owned<W>): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonicNow() + 10 * SECOND;
    for (;;) {
      if (owned.isOver) throw new NotOwnerError('The workspace is closed, or may have another owner');
      const now = clock.monotonicNow();
      if (now - this.#confirmedAt < CONFIRMED_MS) return;
      if (now >= until) throw new NotOwnerError("The database doesn't confirm who owns the workspace");
      await clock.sleep(SECOND / 10);
    }
  }

  #noteFailure(team: TeamId, mark: string, error: Error, signal: AbortSignal): void {
    const { clock, log, onFailed } = this.#options;
    const isStorage = error instanceof StorageError;
    if ((isStorage && error.code === 'locked') || signal.aborted) return;
    const before = this.#failed.get(team);
    const failures = before?.mark === mark ? before.failures + 1 : 1;
    const pauseMs = isStorage ? RETRY_MS : backoffMs(failures, RETRY_MS, LONGEST_RETRY_MS);
    this.#failed.set(team, { mark, failures, retryAt: clock.monotonicNow() + pauseMs });
    log.error("Couldn't open a workspace", { team, error });
    if (!isStorage) onFailed(team, error);
  }

  async #drop(team: TeamId): Promise<void> {
    const owned = this.#owned.get(team);
    owned?.ending.abort();
    await owned?.done;
  }
}

/**
 * Which replica should own a workspace: all choose the same one. When a replica joins or leaves, only the
 * workspaces that it gets or had move (rendezvous hashing).
 * @param group of workspaces that must have the same owner, or the ID of a single team
 */
function chooseOwner(group: string, replicas: readonly Replica[]): Replica | undefined {
  const rankOf = ({ id }: Replica) => createHash('sha256').update(`${group} ${id}`).digest('hex');
  const ranked = replicas.map((replica) => ({ replica, rank: rankOf(replica) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.replica;
}
