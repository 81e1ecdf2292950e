/**
 * How entries of the ledger are chained: each has the hash of the one before, so none can be changed, removed
 * or moved without a trace. Pure.
 */
import { createHash } from 'node:crypto';
import type { AuditedAction } from '../audit/audit.ts';
import type { DecisionCost, LedgerEntry } from './records.ts';

/** Before the first entry. */
export const NO_HASH = '';

/** JSON with sorted names, so that the same content is always the same text. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${toCanonicalJson(each)}`);
  return `{${fields.join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** @param entry with or without its `hash`, which isn't part of it */
export function hashEntry(entry: object): string {
  const { hash: _, previous, ...rest }: { hash?: unknown; previous?: unknown } = { ...entry };
  return sha256(`${typeof previous === 'string' ? previous : ''}${toCanonicalJson(rest)}`);
}

type Unchained<E> = E extends LedgerEntry ? Omit<E, 'seq' | 'previous' | 'hash'> : never;
/** An entry without its place in the chain. */
export type NewEntry = Unchained<LedgerEntry>;

/** @param last the entry before; undefined: there is none */
export function chainEntry(
  entry: NewEntry,
  last: { readonly seq: number; readonly hash: string } | undefined,
): LedgerEntry {
  const placed = { ...entry, seq: (last?.seq ?? 0) + 1, previous: last?.hash ?? NO_HASH };
  return { ...placed, hash: hashEntry(placed) };
}

/** One line of what a person was shown. */
export interface ShownFact {
  readonly name: string;
  readonly text: string;
}

/** Of the stored text; the hash covers all of it. */
const LONGEST_SHOWN = 1_500;
const LONGEST_SUBJECT = 300;

function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** @returns undefined if nothing was shown */
export function toShownText(facts: readonly ShownFact[]) {
  const whole = facts
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `${name}: ${text}`)
    .join('\n');
  return whole === '' ? undefined : { hash: sha256(whole), text: clip(whole, LONGEST_SHOWN) };
}

/** What an audited action is about, from whatever it names. */
export function describeSubject(act: AuditedAction): string {
  const { title, name, job, kind: _, ...rest }: Readonly<Record<string, unknown>> = act;
  const named = [title, name].find((each) => typeof each === 'string' && each !== '');
  if (typeof named === 'string') return clip(named, LONGEST_SUBJECT);
  if (typeof job === 'number' || typeof job === 'string') return `bid ${job}`;
  if (act.kind === 'subscribed' || act.kind === 'unsubscribed') return `filter ${act.filter}`;
  if (act.kind === 'account') return 'marketplace account';
  if (act.kind === 'budget' || act.kind === 'budget-confirmed') return 'channel budget';
  return clip(toCanonicalJson(rest), LONGEST_SUBJECT);
}

/** What is known of a cost; undefined if nothing is. */
export function toCost(cost: { readonly [Name in keyof DecisionCost]: DecisionCost[Name] | undefined }) {
  const known = Object.entries(cost).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : (Object.fromEntries(known) as DecisionCost);
}
