/**
 * The contract of the directory: names of filters, profiles, organizations and templates, learned at no cost from setups,
 * proposals and invitations, so that people write names and read names. Names are strangers' words.
 */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { TeamId } from '../ids.ts';
import type { NamedEntityKind } from '../marketplace/client.ts';
import type { Collection, Transaction } from '../storage/store.ts';
import type { NameMatch } from './find-by-name.ts';

export const DirectoryEntryKind = z.enum(['filter', 'profile', 'organization', 'template']);
export type DirectoryEntryKind = z.infer<typeof DirectoryEntryKind>;

/** Key: [team, kind, id]. */
export const DirectoryEntry = z.object({
  team: TeamId,
  kind: DirectoryEntryKind,
  id: z.number(),
  name: z.string(),
  /** Of profiles and organizations: `agency` or `freelancer` as far as seen. */
  type: z.string().optional(),
  seenAt: z.number(),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

export const directoryEntries: Collection<DirectoryEntry> = {
  name: 'directory',
  schema: DirectoryEntry,
  indexes: {},
};

/** When a list was last asked for, and when it may be asked for again. Key: [team, kind]. */
const DirectoryTry = z.object({
  team: TeamId,
  kind: DirectoryEntryKind,
  askedAt: z.number(),
  nextAt: z.number(),
});
type DirectoryTry = z.infer<typeof DirectoryTry>;

export const directoryRefreshTimes: Collection<DirectoryTry> = {
  name: 'directory-tries',
  schema: DirectoryTry,
  indexes: {},
};

export interface LearnedName {
  readonly kind: DirectoryEntryKind;
  readonly id: number;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** `several`: they bear that name, or hold these words; `known`: names that come near, nearest first. */
export type DirectoryMatch = NameMatch<DirectoryEntry>;

export interface NameDirectory {
  /**
   * Remembers names, inside the transaction that learned them; writes only what is new or has changed.
   * @param learned where an id comes more than once, its first name counts: the newest first.
   */
  recordNames(tx: Transaction, learned: readonly LearnedName[], at: Instant): Promise<void>;
  /** By id: the names that are known. */
  readEntryNames(kind: DirectoryEntryKind, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Everything known of a kind, by name; at most `limit`. */
  listEntries(kind: DirectoryEntryKind, limit: number): Promise<readonly DirectoryEntry[]>;
  /** What somebody means by an id, a name in quotes or without, or words of a name. An id need not be known. */
  findEntry(kind: DirectoryEntryKind, words: string): Promise<DirectoryMatch>;
  /**
   * Asks the list endpoints (not documented but by name) at most once an hour, and does without them when they fail: what
   * is not there is asked for again a day later. Never throws.
   * @param kinds all of them when absent; templates have no list.
   */
  refreshNames(kinds?: readonly NamedEntityKind[]): Promise<void>;
}
