/** The name directory: stores names found in marketplace responses. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Clock, DAY, HOUR, type Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient, NamedEntityKind } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import { foldText } from '../query/words.ts';
import type { SetupService } from '../setups/setups.ts';
import { type ReadTransaction, type Store, scanCollection, type Transaction } from '../storage/store.ts';
import {
  type DirectoryEntry,
  type DirectoryEntryKind,
  directoryEntries,
  directoryRefreshTimes,
  type LearnedEntityName,
  type NameDirectory,
  namesInSetup,
} from './directory.ts';
import { findByNameOrId } from './find-by-name.ts';

export interface DirectoryContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: Pick<MarketplaceClient, 'fetchNamedEntities'>;
  readonly setups: Pick<SetupService, 'onSetupsStored'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The list is missing or not accessible: 404, 403, 400 or 405. That won't change within the hour. */
const ABSENT: ReadonlySet<MarketplaceErrorCode> = new Set(['not-found', 'forbidden', 'bad-request']);

const KINDS: readonly NamedEntityKind[] = ['profile', 'organization', 'filter'];

/** Reads names from the list endpoints. Only the paths of these endpoints are documented. */
function createNameRefresh(
  { team, store, marketplace, clock, log }: DirectoryContext,
  learn: NameDirectory['recordNames'],
): NameDirectory['refreshNames'] {
  const inFlight = new Map<NamedEntityKind, Promise<void>>();

  async function isDue(kind: NamedEntityKind): Promise<boolean> {
    const last = await store.read((tx) => tx.get(directoryRefreshTimes, [team, kind]));
    const now = clock.now();
    // A request time in the future comes from a clock that was wrong.
    return !last || last.nextAt <= now || last.askedAt > now;
  }

  async function ask(kind: NamedEntityKind): Promise<void> {
    if (!(await isDue(kind))) return;
    const asked = await marketplace.fetchNamedEntities(kind, { lane: 'sync' }).then(
      (records) => ({ records, pauseMs: HOUR }),
      (thrown: unknown) => {
        log.info("Couldn't read a list of names", { kind, error: asError(thrown) });
        return { records: [], pauseMs: isAbsent(thrown) ? DAY : HOUR };
      },
    );
    const at: Instant = clock.now();
    await store.transact(async (tx) => {
      const learned = asked.records.map((record) => ({ ...record, kind }));
      await learn(tx, learned, at);
      const next = { team, kind, askedAt: at, nextAt: at + asked.pauseMs };
      await tx.put(directoryRefreshTimes, [team, kind], next);
    });
  }

  function askOnce(kind: NamedEntityKind): Promise<void> {
    const asking =
      inFlight.get(kind) ??
      ask(kind)
        .catch((thrown: unknown) => log.error("Couldn't store names", { error: asError(thrown) }))
        .finally(() => inFlight.delete(kind));
    inFlight.set(kind, asking);
    return asking;
  }

  return async (kinds = KINDS) => {
    for (const kind of kinds) await askOnce(kind);
  };
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof MarketplaceError && ABSENT.has(thrown.code);
}

async function learnOne(
  tx: Transaction,
  team: TeamId,
  { kind, id, name: told, type }: LearnedEntityName,
  at: Instant,
): Promise<void> {
  if (!Number.isSafeInteger(id) || id <= 0) return;
  const key = [team, kind, id] as const;
  const before = await tx.get(directoryEntries, key);
  const name = told?.trim() || before?.name;
  if (name === undefined || (before?.name === name && (type === undefined || before.type === type))) return;
  const knownType = type ?? before?.type;
  const entry: DirectoryEntry = {
    team,
    kind,
    id,
    name,
    ...omitUndefined({ type: knownType }),
    seenAt: at,
  };
  await tx.put(directoryEntries, key, entry);
}

/** One entry per id, the first with a name: a page of proposals repeats the same few names. */
function distinct(learned: readonly LearnedEntityName[]): Iterable<LearnedEntityName> {
  const found = new Map<string, LearnedEntityName>();
  for (const each of learned) {
    const key = `${each.kind}:${each.id}`;
    if (!found.get(key)?.name?.trim()) found.set(key, each);
  }
  return found.values();
}

async function readKind(
  tx: ReadTransaction,
  team: TeamId,
  kind: DirectoryEntryKind,
): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for await (const { value } of scanCollection(tx, directoryEntries, { prefix: [team, kind] }))
    entries.push(value);
  return entries;
}

function byName(a: DirectoryEntry, b: DirectoryEntry): number {
  return foldText(a.name).localeCompare(foldText(b.name)) || a.id - b.id;
}

/** From now on, it also learns names from setups. */
export function createNameDirectory(context: DirectoryContext): NameDirectory {
  const { team, store, setups } = context;

  async function learn(tx: Transaction, learned: readonly LearnedEntityName[], at: Instant): Promise<void> {
    for (const each of distinct(learned)) await learnOne(tx, team, each, at);
  }

  setups.onSetupsStored((tx, list, at) => learn(tx, list.flatMap(namesInSetup), at));

  return {
    recordNames: learn,
    readEntryNames: (kind, ids) =>
      store.read(async (tx) => {
        const names = new Map<number, string>();
        for (const id of new Set(ids)) {
          const entry = await tx.get(directoryEntries, [team, kind, id]);
          if (entry) names.set(id, entry.name);
        }
        return names;
      }),
    async listEntries(kind, limit) {
      const entries = await store.read((tx) => readKind(tx, team, kind));
      return entries.sort(byName).slice(0, limit);
    },
    async findEntry(kind, words) {
      const entries = await store.read((tx) => readKind(tx, team, kind));
      return findByNameOrId(entries.sort(byName), words);
    },
    refreshNames: createNameRefresh(context, learn),
  };
}
