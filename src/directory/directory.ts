/**
 * The directory: names of filters, profiles, organizations and templates, so that people can type and read
 * names. It learns them for free from setups, proposals and invitations. Names are untrusted text.
 */
import { z } from 'zod';
import { DAY, HOUR, type Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { MarketplaceClient, NamedEntityKind } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { BiddingSetup, Invitation, Proposal } from '../marketplace/schema.ts';
import { foldText } from '../query/words.ts';
import type { SetupService } from '../setups/setups.ts';
import { collection, listAllValues, type Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { findByNameOrId, type NameMatch } from './find-by-name.ts';

export const DirectoryEntryKind = z.enum(['filter', 'profile', 'organization', 'template']);
export type DirectoryEntryKind = z.infer<typeof DirectoryEntryKind>;

export const DirectoryEntry = z.object({
  kind: DirectoryEntryKind,
  id: z.number(),
  name: z.string(),
  /** For profiles and organizations: `agency` or `freelancer`, if known. */
  type: z.string().optional(),
  seenAt: z.number(),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

export const directoryEntries = collection({
  name: 'directory',
  schema: DirectoryEntry,
  key: (it) => [it.kind, it.id],
});

/** When a list was last requested, and when it may be requested again. */
const DirectoryTry = z.object({ kind: DirectoryEntryKind, askedAt: z.number(), nextAt: z.number() });
type DirectoryTry = z.infer<typeof DirectoryTry>;

export const directoryRefreshTimes = collection({
  name: 'directory-tries',
  schema: DirectoryTry,
  key: (it) => [it.kind],
});

export interface LearnedEntityName {
  readonly kind: DirectoryEntryKind;
  readonly id: number;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** `several`: entries with that name or these words; `known`: similar names, most similar first. */
export type DirectoryMatch = NameMatch<DirectoryEntry>;

type NamedRecord = { readonly id: number } & Partial<Record<'name' | 'label' | 'type', string | undefined>>;

function learned(kind: DirectoryEntryKind, record: NamedRecord | undefined): readonly LearnedEntityName[] {
  if (!record) return [];
  const { id, name, label, type } = record;
  return [{ kind, id, name: name ?? label, type }];
}

export function namesInSetup({ filter, template }: BiddingSetup): readonly LearnedEntityName[] {
  return [...learned('filter', filter), ...learned('template', template)];
}

export function namesInProposal({ profile, organization, template }: Proposal): readonly LearnedEntityName[] {
  return [
    ...learned('profile', profile),
    ...learned('organization', organization),
    ...learned('template', template),
  ];
}

export function namesInInvitation({ profile, organization }: Invitation): readonly LearnedEntityName[] {
  return [...learned('profile', profile), ...learned('organization', organization)];
}

interface DirectoryContext extends Pick<Workspace, 'store' | 'clock' | 'log'> {
  readonly marketplace: Pick<MarketplaceClient, 'fetchNamedEntities'>;
  readonly setups: Pick<SetupService, 'onSetupsStored'>;
}

/** The list is missing or not accessible: 404, 403, 400 or 405. That won't change within the hour. */
const ABSENT: ReadonlySet<MarketplaceErrorCode> = new Set(['not-found', 'forbidden', 'bad-request']);

const KINDS: readonly NamedEntityKind[] = ['profile', 'organization', 'filter'];

/** Reads names from the list endpoints. Only the paths of these endpoints are documented. */
function createNameRefresh(
  { store, marketplace, clock, log }: DirectoryContext,
  learn: (tx: Transaction, learned: readonly LearnedEntityName[], at: Instant) => Promise<void>,
) {
  const inFlight = new Map<NamedEntityKind, Promise<void>>();

  async function isDue(kind: NamedEntityKind): Promise<boolean> {
    const last = await store.read((tx) => tx.get(directoryRefreshTimes, [kind]));
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
        const isAbsent = thrown instanceof MarketplaceError && ABSENT.has(thrown.code);
        return { records: [], pauseMs: isAbsent ? DAY : HOUR };
      },
    );
    const at: Instant = clock.now();
    await store.transact(async (tx) => {
      const learned = asked.records.map((record) => ({ ...record, kind }));
      await learn(tx, learned, at);
      await tx.put(directoryRefreshTimes, { kind, askedAt: at, nextAt: at + asked.pauseMs });
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

  /**
   * Reads the list endpoints at most once an hour; only their names are documented. If an endpoint is
   * missing, it is tried again a day later. Never throws.
   * @param kinds default: all; templates have no list
   */
  return async (kinds: readonly NamedEntityKind[] = KINDS): Promise<void> => {
    for (const kind of kinds) await askOnce(kind);
  };
}

async function learnOne(tx: Transaction, { kind, id, name: learned, type }: LearnedEntityName, at: Instant) {
  if (!Number.isSafeInteger(id) || id <= 0) return;
  const key = [kind, id] as const;
  const before = await tx.get(directoryEntries, key);
  const name = learned?.trim() || before?.name;
  if (name === undefined || (before?.name === name && (type === undefined || before.type === type))) return;
  await tx.put(directoryEntries, { kind, id, name, type: type ?? before?.type, seenAt: at });
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

export type NameDirectory = ReturnType<typeof createNameDirectory>;

/** From now on, it also learns names from setups. */
export function createNameDirectory(context: DirectoryContext) {
  const { store, setups } = context;

  /**
   * Stores names inside the transaction that found them; writes only new or changed ones.
   * @param learned newest first: for a repeated id, the first name counts
   */
  async function learn(tx: Transaction, learned: readonly LearnedEntityName[], at: Instant): Promise<void> {
    for (const each of distinct(learned)) await learnOne(tx, each, at);
  }

  async function readKind(kind: DirectoryEntryKind): Promise<DirectoryEntry[]> {
    const entries = await store.read((tx) => listAllValues(tx, directoryEntries, { prefix: [kind] }));
    return entries.sort((a, b) => foldText(a.name).localeCompare(foldText(b.name)) || a.id - b.id);
  }

  setups.onSetupsStored((tx, list, at) => learn(tx, list.flatMap(namesInSetup), at));

  return {
    recordNames: learn,
    readEntryNames: (
      kind: DirectoryEntryKind,
      ids: readonly number[],
    ): Promise<ReadonlyMap<number, string>> =>
      store.read(async (tx) => {
        const names = new Map<number, string>();
        for (const id of new Set(ids)) {
          const entry = await tx.get(directoryEntries, [kind, id]);
          if (entry) names.set(id, entry.name);
        }
        return names;
      }),
    /** All entries of a kind, sorted by name; at most `limit`. */
    async listEntries(kind: DirectoryEntryKind, limit: number): Promise<readonly DirectoryEntry[]> {
      return (await readKind(kind)).slice(0, limit);
    },
    /** Finds the entry for an id, a name (quoted or not), or words of a name. Ids don't have to be known. */
    async findEntry(kind: DirectoryEntryKind, words: string): Promise<DirectoryMatch> {
      return findByNameOrId(await readKind(kind), words);
    },
    refreshNames: createNameRefresh(context, learn),
  };
}
