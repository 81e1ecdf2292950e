/** Checks a ledger against its own hashes: what was changed, removed, moved, or cut off. Pure. */
import { z } from 'zod';
import { AUDIT_RETENTION_MS, LedgerLink } from '../audit/audit.ts';
import { hashEntry, NO_HASH } from './chain.ts';

/** A record as stored, before any schema: a hash covers fields of other versions, too. */
export interface StoredLedgerRecord {
  /** The last part of its key: the entry's number. */
  readonly place: unknown;
  readonly value: unknown;
}

export type LedgerBreak =
  /** The entry isn't what its hash says. */
  | { readonly kind: 'changed'; readonly seq: number }
  | { readonly kind: 'missing'; readonly from: number; readonly to: number }
  /** At this place is an entry with another number, or none at all. */
  | { readonly kind: 'misplaced'; readonly seq: number }
  /** The entry and the one before don't belong together: one of them was replaced. */
  | { readonly kind: 'unlinked'; readonly seq: number }
  /** The end is missing: the ledger had entries up to `to`. */
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  /** The last entry isn't the one that was written last. */
  | { readonly kind: 'not-last'; readonly seq: number }
  /** There are entries, but no record of where they end. */
  | { readonly kind: 'no-head' }
  /** The audit log names an entry that is missing or another one, or was deleted before its time. */
  | { readonly kind: 'not-as-audited'; readonly seq: number }
  /** The entry isn't the one whose hash was noted elsewhere. */
  | { readonly kind: 'not-as-noted'; readonly seq: number };

export interface VerifiedEntry {
  readonly seq: number;
  readonly at: number;
  readonly what: string;
  readonly hash: string;
}

export interface LedgerVerification {
  readonly entries: number;
  /** By kind of decision; `outcome` for outcomes. */
  readonly counts: ReadonlyMap<string, number>;
  readonly first?: VerifiedEntry;
  readonly last?: VerifiedEntry;
  /** The last entry that was deleted for its age. */
  readonly deletedUpTo?: number;
  /** Empty: the ledger is complete and unchanged. */
  readonly breaks: readonly LedgerBreak[];
}

const Place = z.number().int().min(1);
const Chained = z.object({
  seq: Place,
  at: z.number().catch(0),
  entry: z.string().catch(''),
  kind: z.string().optional().catch(undefined),
  previous: z.string(),
  hash: z.string(),
});
type Chained = z.infer<typeof Chained>;
const Head = LedgerLink.extend({ deleted: LedgerLink.optional() });

/** The last entry that was deleted for its age; 0: none. @param head as stored */
export function readDeletedUpTo(head: unknown): number {
  return Head.safeParse(head).data?.deleted?.seq ?? 0;
}

const AuditedLink = z.object({ at: z.number(), ledger: LedgerLink });
export type AuditedLink = z.infer<typeof AuditedLink>;

/** @param value an audit entry as stored; undefined: it isn't about a decision */
export function readAuditedLink(value: unknown): AuditedLink | undefined {
  return AuditedLink.safeParse(value).data;
}

interface Walked {
  readonly breaks: LedgerBreak[];
  readonly sound: Chained[];
  last: LedgerLink;
}

function step(walked: Walked, { place, value }: StoredLedgerRecord): void {
  const { breaks, last } = walked;
  const at = Place.safeParse(place).data ?? 0;
  const entry = Chained.safeParse(value).data;
  if (at > last.seq + 1) breaks.push({ kind: 'missing', from: last.seq + 1, to: at - 1 });
  if (at <= last.seq || !entry || entry.seq !== at) {
    breaks.push({ kind: 'misplaced', seq: at });
    // The next entry's link to this place says nothing.
    walked.last = { seq: Math.max(at, last.seq), hash: '?' };
    return;
  }
  if (typeof value !== 'object' || value === null || hashEntry(value) !== entry.hash)
    breaks.push({ kind: 'changed', seq: at });
  else if (at === last.seq + 1 && entry.previous !== last.hash && last.hash !== '?')
    breaks.push({ kind: 'unlinked', seq: at });
  walked.sound.push(entry);
  walked.last = { seq: at, hash: entry.hash };
}

function checkEnd({ breaks, last, sound }: Walked, head: z.infer<typeof Head> | undefined): void {
  if (!head) {
    if (sound.length > 0 || breaks.length > 0) breaks.push({ kind: 'no-head' });
  } else if (last.seq < head.seq) breaks.push({ kind: 'cut', from: last.seq + 1, to: head.seq });
  else if (last.seq > head.seq || last.hash !== head.hash) breaks.push({ kind: 'not-last', seq: last.seq });
  // The newest entry is never deleted for its age.
  else if (sound.length === 0) breaks.push({ kind: 'cut', from: last.seq, to: last.seq });
}

/** Compares the ledger with the audit log: only that shows an end that was cut together with its head. */
function checkAudited(
  { breaks, sound }: Walked,
  deleted: LedgerLink | undefined,
  audited: readonly AuditedLink[],
) {
  const hashes = new Map(sound.map(({ seq, hash }) => [seq, hash]));
  const newest = [...audited, ...sound].reduce((last, { at }) => Math.max(last, at), 0);
  const reported = new Set(breaks.flatMap((found) => ('seq' in found ? [found.seq] : [])));
  for (const { at, ledger } of audited) {
    const { seq, hash } = ledger;
    const isOld = seq <= (deleted?.seq ?? 0) && at < newest - AUDIT_RETENTION_MS;
    if (isOld || hashes.get(seq) === hash || reported.has(seq)) continue;
    breaks.push({ kind: 'not-as-audited', seq });
  }
}

function toVerified({ seq, at, kind, entry, hash }: Chained): VerifiedEntry {
  return { seq, at, what: kind ?? entry, hash };
}

/**
 * @param records in any order
 * @param head the record of the ledger's end; undefined: there is none
 * @param audited links of the audit log
 * @param noted an entry as someone wrote it down earlier: the only proof against a chain that was replaced
 * from end to end, together with the audit log
 */
export function verifyLedger(
  records: readonly StoredLedgerRecord[],
  head: unknown,
  { audited = [], noted }: { readonly audited?: readonly AuditedLink[]; readonly noted?: LedgerLink } = {},
): LedgerVerification {
  const end = Head.safeParse(head).data;
  const walked: Walked = { breaks: [], sound: [], last: end?.deleted ?? { seq: 0, hash: NO_HASH } };
  const placeOf = ({ place }: StoredLedgerRecord) => Place.safeParse(place).data ?? 0;
  for (const record of records.toSorted((a, b) => placeOf(a) - placeOf(b))) step(walked, record);
  checkEnd(walked, end);
  checkAudited(walked, end?.deleted, audited);
  const { sound, breaks } = walked;
  const links = end?.deleted ? [...sound, end.deleted] : sound;
  if (noted && !links.some(({ seq, hash }) => seq === noted.seq && hash === noted.hash))
    breaks.push({ kind: 'not-as-noted', seq: noted.seq });
  const counts = new Map<string, number>();
  for (const { kind, entry } of sound) counts.set(kind ?? entry, (counts.get(kind ?? entry) ?? 0) + 1);
  const [first, last] = [sound[0], sound.at(-1)];
  return {
    entries: sound.length,
    counts,
    first: first && toVerified(first),
    last: last && toVerified(last),
    deletedUpTo: end?.deleted && end.deleted.seq,
    breaks,
  };
}
