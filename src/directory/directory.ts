/**
 * The directory: names of filters, profiles, organizations and templates, so that people can type and read
 * names. It learns them for free from setups, proposals and invitations. Names are untrusted text.
 */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { TeamId } from '../ids.ts';
import type { NamedEntityKind } from '../marketplace/client.ts';
import type { BiddingSetup, Invitation, Proposal } from '../marketplace/schema.ts';
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
  /** For profiles and organizations: `agency` or `freelancer`, if known. */
  type: z.string().optional(),
  seenAt: z.number(),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

export const directoryEntries: Collection<DirectoryEntry> = {
  name: 'directory',
  schema: DirectoryEntry,
  indexes: {},
};

/** When a list was last requested, and when it may be requested again. Key: [team, kind]. */
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

export interface LearnedEntityName {
  readonly kind: DirectoryEntryKind;
  readonly id: number;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** `several`: entries with that name or these words; `known`: similar names, most similar first. */
export type DirectoryMatch = NameMatch<DirectoryEntry>;

export interface NameDirectory {
  /**
   * Stores names inside the transaction that found them; writes only new or changed ones.
   * @param learned newest first: for a repeated id, the first name counts
   */
  recordNames(tx: Transaction, learned: readonly LearnedEntityName[], at: Instant): Promise<void>;
  /** The known names, by id. */
  readEntryNames(kind: DirectoryEntryKind, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** All entries of a kind, sorted by name; at most `limit`. */
  listEntries(kind: DirectoryEntryKind, limit: number): Promise<readonly DirectoryEntry[]>;
  /** Finds the entry for an id, a name (quoted or not), or words of a name. Ids don't have to be known. */
  findEntry(kind: DirectoryEntryKind, words: string): Promise<DirectoryMatch>;
  /**
   * Reads the list endpoints at most once an hour; only their names are documented. If an endpoint is
   * missing, it is tried again a day later. Never throws.
   * @param kinds default: all; templates have no list
   */
  refreshNames(kinds?: readonly NamedEntityKind[]): Promise<void>;
}

type NamedRecord = { readonly id: number } & Partial<Record<'name' | 'label' | 'type', string | undefined>>;

/** The name in a marketplace response, if it has one. */
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
