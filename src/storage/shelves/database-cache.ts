/** A cache of numbered items in PostgreSQL, a row for each. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { groupBy } from '../../base/group-by.ts';
import { parseJson } from '../../base/parse-json.ts';
import { Turns } from '../../base/turns.ts';
import type { TeamId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import {
  createLostError,
  type Database,
  inTransaction,
  type Transaction,
  toDatabaseError,
} from '../postgres/database.ts';
import { assertShelfName, type CachedItem, type ItemCache, type ShelvedItem } from './item-cache.ts';

export interface DatabaseCacheOptions<T> {
  readonly database: Database;
  readonly team: TeamId;
  /** The owner that may write; an earlier one changes nothing. */
  readonly epoch: number;
  readonly schema: z.ZodType<T>;
  readonly log: Log;
}

type Row = Readonly<Record<'shelf' | 'key' | 'at' | 'value', string>>;

const ROWS_AT_ONCE = 500;

/** Migrate the database first: see `postgres/migrations.ts`. */
export function createDatabaseCache<T>(options: DatabaseCacheOptions<T>): ItemCache<T> {
  const { database, team, epoch, schema, log } = options;
  /** Locked, so that the next owner, or a deletion of the team, waits until the statement has ended. */
  const owned = () => database`
    with owned as (select from workspaces where team = ${team} and epoch = ${epoch} for share)`;
  /** Runs one step after another, so that the last value put is the one stored. */
  const turns = new Turns(1);
  const inTurn = <R>(doing: string, work: () => Promise<R>): Promise<R> =>
    turns.take(work).catch((thrown) => Promise.reject(toDatabaseError(thrown, doing)));

  /** Nothing if the value no longer fits the schema. */
  const readItem = ({ key, at, value }: Row): CachedItem<T>[] => {
    const read = schema.safeParse(parseJson(value));
    return read.success ? [{ key: Number(key), at: Number(at), value: read.data }] : [];
  };

  async function load(take: (shelf: string, items: readonly CachedItem<T>[]) => void): Promise<number> {
    let damaged = 0;
    const read = async (sql: Transaction) => {
      await sql`set local statement_timeout = 0`;
      const all = sql<Row[]>`
        select shelf, key, at, value from cached_items where team = ${team} order by shelf, key`;
      for await (const rows of all.cursor(ROWS_AT_ONCE)) {
        for (const [shelf, placed] of groupBy(rows, (row) => row.shelf)) {
          const items = placed.flatMap(readItem);
          damaged += placed.length - items.length;
          take(shelf, items);
        }
        await nextTurn();
      }
    };
    await inTransaction(database, read, 'read only');
    if (damaged > 0) log.warn('Skipped unreadable items in the database', { items: damaged });
    return damaged;
  }

  async function put(items: readonly ShelvedItem<T>[]): Promise<void> {
    // PostgreSQL refuses to change a row twice in a statement.
    const last = [...new Map(items.map((item) => [`${item.shelf} ${item.key}`, item])).values()];
    for (let from = 0; from < last.length; from += ROWS_AT_ONCE) {
      const some = last.slice(from, from + ROWS_AT_ONCE);
      const stored = await database`${owned()}
        insert into cached_items (team, shelf, key, at, value)
        select ${team}, put.* from unnest(
          ${some.map(({ shelf }) => shelf)}::text[], ${some.map(({ key }) => key)}::bigint[],
          ${some.map(({ at }) => at)}::bigint[], ${some.map(({ value }) => JSON.stringify(value))}::text[]
        ) as put (shelf, key, at, value)
        where exists (select from owned)
        on conflict (team, shelf, key) do update set at = excluded.at, value = excluded.value`;
      if (stored.count < some.length) throw createLostError();
    }
  }

  return {
    load: (take) => inTurn('read the copies of proposals', () => load(take)),
    async put(items) {
      for (const { shelf } of items) assertShelfName(shelf);
      await inTurn('store copies of proposals', () => put(items));
    },
    dropShelves: (shelves) =>
      inTurn('delete copies of proposals', async () => {
        await database`${owned()}
          delete from cached_items where team = ${team} and shelf = any(${[...shelves]})
            and exists (select from owned)`;
      }),
    waitUntilIdle: () => turns.take(() => Promise.resolve()),
  };
}
