/**
 * The log of one workspace in PostgreSQL: a row for each record. Its `workspaces` row says who may write and
 * which transaction was the last, and each batch checks and moves both in its own statement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type Instant, SECOND } from '../../clock.ts';
import type { TeamId } from '../../ids.ts';
import {
  assertDataVersionKnown,
  type CommitLog,
  type LoggedTransaction,
  type RecordLoader,
} from '../commit-log.ts';
import { type Key, StorageError } from '../store.ts';
import {
  classifyDatabaseError,
  createLostError,
  createNoAnswerError,
  type Database,
  inTransaction,
  toDatabaseError,
  waitAtMost,
} from './database.ts';

export interface PostgresLogOptions {
  readonly database: Database;
  readonly team: TeamId;
  /** The data version that this program reads and writes. */
  readonly version: number;
  readonly clock: Clock;
  /** Opens the workspace only while its team has the app: a team that was just deleted must stay so. */
  readonly mustBeInstalled?: boolean;
  /** The replica that writes, so that others find it. */
  readonly owner?: string;
  /** Called once when nothing can be stored anymore: another process owns the workspace, or may. */
  readonly onLost?: () => void;
  /** Called when another owner had the workspace before. */
  readonly onTakeover?: () => void;
  /** Called when a change is refused, because another owner has the workspace by now. */
  readonly onFenced?: () => void;
  /** Called with the owner's number. From then on, nothing of an earlier owner is stored anymore. */
  readonly onOwned: (epoch: number) => void;
  /** Called once the last batch is stored. */
  readonly onClose: () => Promise<void>;
}

/** How long a batch without an answer is repeated before its outcome stays unknown. */
const REPEAT_MS = 8 * SECOND;
const PAUSE_MS = 200;
const ROWS_AT_ONCE = 1_000;

interface WorkspaceRow {
  readonly epoch: string;
  readonly sequence: string;
  readonly version: number | null;
  readonly owner: string | null;
}

/**
 * Becomes the workspace's only writer, and loads its records. Hold its lease: see `leases.ts`.
 * @throws StorageError `newer` when this version must not use the data, `io` when the database refuses.
 */
export async function openPostgresLog(options: PostgresLogOptions, loader: RecordLoader): Promise<CommitLog> {
  const { database, team, version, owner, onOwned } = options;
  try {
    await insertWorkspace(options);
    const [before] = await database<WorkspaceRow[]>`
      select version, owner from workspaces where team = ${team}`;
    assertDataVersionKnown(before?.version ?? version, version);
    const [owned] = await database<WorkspaceRow[]>`
      update workspaces set epoch = epoch + 1, owner = ${owner ?? null}
      where team = ${team} returning epoch, sequence`;
    if (!owned) throw new StorageError('lost', 'The workspace was deleted while it was opened.');
    const epoch = Number(owned.epoch);
    onOwned(epoch);
    if (before?.owner) options.onTakeover?.();
    await loadRecords(database, team, loader);
    const sequence = Number(owned.sequence);
    loader.finish(sequence);
    return new PostgresLog({ ...options, epoch }, sequence);
  } catch (thrown) {
    throw toDatabaseError(thrown, 'load the records from the database');
  }
}

async function insertWorkspace({ database, team, mustBeInstalled }: PostgresLogOptions): Promise<void> {
  if (!mustBeInstalled) {
    await database`insert into workspaces (team) values (${team}) on conflict (team) do nothing`;
    return;
  }
  // Locked, so that a deletion of the team waits, and finds the new row.
  await database`
    with installed as (select from installations where team = ${team} and removed_at is null for share)
    insert into workspaces (team) select ${team} where exists (select from installed)
    on conflict (team) do nothing`;
}

/** All records of a workspace, as of one moment. */
export async function loadRecords(database: Database, team: TeamId, loader: RecordLoader): Promise<void> {
  await inTransaction(
    database,
    async (sql) => {
      await sql`set local statement_timeout = 0`;
      const all = sql<Record<'collection' | 'key' | 'value', string>[]>`
        select collection, key, value from records where team = ${team}`;
      for await (const rows of all.cursor(ROWS_AT_ONCE)) {
        for (const { collection, key, value } of rows)
          loader.load(collection, JSON.parse(key) as Key, JSON.parse(value));
        await nextTurn();
      }
    },
    'read only',
  );
}

type Batch = ReturnType<typeof foldTransactions>;

/** Each record's last change: PostgreSQL refuses to change a row twice in a statement. */
function foldTransactions(transactions: readonly LoggedTransaction[], before: number) {
  const last = new Map<string, { collection: string; key: string; json: string | undefined }>();
  for (const { changes } of transactions)
    for (const { collection, key, json } of changes) {
      const text = JSON.stringify(key);
      last.set(`${collection} ${text}`, { collection, key: text, json });
    }
  const removed = { collections: [] as string[], keys: [] as string[] };
  const kept = { collections: [] as string[], keys: [] as string[], values: [] as string[] };
  for (const { collection, key, json } of last.values()) {
    const side = json === undefined ? removed : kept;
    side.collections.push(collection);
    side.keys.push(key);
    if (json !== undefined) kept.values.push(json);
  }
  return { before, last: transactions.at(-1)?.sequence ?? before, removed, kept };
}

interface Place extends Omit<PostgresLogOptions, 'owner' | 'onOwned'> {
  readonly epoch: number;
}

class PostgresLog implements CommitLog {
  readonly notices = [];
  readonly #place: Place;
  #sequence: number;
  #lost: StorageError | undefined;

  constructor(place: Place, sequence: number) {
    this.#place = place;
    this.#sequence = sequence;
  }

  async append(transactions: readonly LoggedTransaction[]): Promise<void> {
    if (this.#lost) throw this.#lost;
    const batch = foldTransactions(transactions, this.#sequence);
    try {
      await this.#store(batch);
      this.#sequence = batch.last;
    } catch (thrown) {
      const error = toDatabaseError(thrown, 'store a change in the database');
      if (error.code === 'lost') {
        this.#lost = error;
        this.#place.onLost?.();
      }
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#place.onClose();
  }

  /** Repeats a batch without an answer. Its number shows whether it was stored: never twice. */
  async #store(batch: Batch): Promise<void> {
    const { clock } = this.#place;
    const until = clock.now() + REPEAT_MS;
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        const isStored = await waitAtMost(clock, until - clock.now(), this.#send(batch));
        if (!isStored) await this.#assertStoredBefore(batch, until);
        return;
      } catch (thrown) {
        if (thrown instanceof StorageError) throw thrown;
        // An earlier try may still wait for the same row, so a refusal is certain for a first try only.
        if (classifyDatabaseError(thrown) === 'refused' && !isRepeated) throw thrown;
        if (clock.now() + PAUSE_MS >= until) throw createNoAnswerError();
        await clock.sleep(PAUSE_MS);
      }
    }
  }

  /** @returns false when the workspace's row says otherwise than this log: nothing was stored. */
  async #send({ before, last, removed, kept }: Batch): Promise<boolean> {
    const { database, team, epoch, version } = this.#place;
    // Only what changes: an empty part would double the time of a small batch.
    const deletes =
      removed.keys.length === 0
        ? database``
        : database`, removed as (
            delete from records
            where team = ${team} and exists (select from owned) and (collection, key) in (
              select * from unnest(${removed.collections}::text[], ${removed.keys}::text[])
            )
          )`;
    const puts =
      kept.keys.length === 0
        ? database``
        : database`, kept as (
            insert into records (team, collection, key, value)
            select ${team}, put.collection, put.key, put.value
            from unnest(${kept.collections}::text[], ${kept.keys}::text[], ${kept.values}::text[])
              as put (collection, key, value)
            where exists (select from owned)
            on conflict (team, collection, key) do update set value = excluded.value
          )`;
    const [row] = await database<{ stored: boolean }[]>`
      with owned as (
        update workspaces set sequence = ${last}, version = ${version}
        where team = ${team} and epoch = ${epoch} and sequence = ${before}
        returning team
      )${deletes}${puts}
      select exists (select from owned) as stored`;
    return row?.stored === true;
  }

  /** @throws StorageError `lost` unless an earlier try of the same batch was stored after all. */
  async #assertStoredBefore({ last }: Batch, until: Instant): Promise<void> {
    const { database, team, epoch, clock, onFenced } = this.#place;
    const asked = database<WorkspaceRow[]>`select epoch, sequence from workspaces where team = ${team}`;
    const [row] = await waitAtMost(clock, until - clock.now(), asked);
    if (row && Number(row.epoch) === epoch && Number(row.sequence) === last) return;
    onFenced?.();
    throw createLostError();
  }
}
