/** Stored records of the decision ledger: its entries, and its head. */

import { z } from 'zod';
import { AUDIT_RETENTION_MS } from '../audit/audit.ts';
import { ChannelId, JobId, TemplateId, UserId } from '../ids.ts';
import { readWithoutInvalidFields } from '../storage/invalid-records.ts';
import { collection } from '../storage/store.ts';

/** SHA-256, in hexadecimal. */
const hash = z.string();

/** As far as known when the entry was written. */
const DecisionCost = z.object({
  /** Of the bid itself, without its boost. */
  connects: z.number().optional(),
  boostConnects: z.number().optional(),
  /** Of a backfill. */
  credits: z.number().optional(),
  /** The most that it may have cost beyond `credits`: requests whose answers were lost. */
  uncertainCredits: z.number().optional(),
});
export type DecisionCost = z.infer<typeof DecisionCost>;

const place = {
  /** Counts the entries, from 1. */
  seq: z.number().int().min(1),
  at: z.number(),
  /** The hash of the entry before; empty for the first. */
  previous: z.string(),
  /** Of `previous` and the rest of this entry: see chain.ts. */
  hash,
};

/** Never changed; only the oldest are deleted. */
export const LedgerEntry = z.discriminatedUnion('entry', [
  z.object({
    entry: z.literal('decision'),
    ...place,
    by: UserId,
    channel: ChannelId.optional(),
    /** The audited action's kind. */
    kind: z.string(),
    /** What it is about; untrusted text. */
    subject: z.string(),
    /** Key of its audit entry. */
    audit: z.array(z.union([z.string(), z.number()])),
    /** The start of what the person had in front of them, and the hash of all of it. */
    shown: z.object({ hash, text: z.string() }).optional(),
    cost: DecisionCost.optional(),
  }),
  /** How a decision ended, as far as known then: a decision can have several. */
  z.object({
    entry: z.literal('outcome'),
    ...place,
    /** The decision's `seq`. */
    of: z.number().int().min(1),
    result: z.string(),
    job: JobId.optional(),
    template: TemplateId.optional(),
    /** A MarketplaceErrorCode. */
    code: z.string().optional(),
    /** Untrusted text. */
    words: z.string().optional(),
    cost: DecisionCost.optional(),
  }),
]);
export type LedgerEntry = z.infer<typeof LedgerEntry>;
export type LedgerDecision = Extract<LedgerEntry, { entry: 'decision' }>;
export type LedgerOutcome = Extract<LedgerEntry, { entry: 'outcome' }>;

export const decisions = collection({
  name: 'decisions',
  schema: LedgerEntry,
  key: (it) => [it.seq],
  indexes: {
    /** [...key of the audit entry] of decisions. */
    byAudit: (it) => (it.entry === 'decision' ? [...it.audit] : undefined),
    /** [seq of its decision, seq] of outcomes. */
    byDecision: (it) => (it.entry === 'outcome' ? [it.of, it.seq] : undefined),
    byAge: (it) => [it.at, it.seq],
  },
  keepFor: { ms: AUDIT_RETENTION_MS },
  packed: true,
});

/** Where the ledger ends, so that a missing end is noticed, and appending reads one record. One record. */
export const LedgerHead = z.object({
  seq: z.number().int().min(1),
  hash,
  /** The last entry that was deleted for its age; missing: none was. */
  deleted: z.object({ seq: z.number().int().min(1), hash }).optional(),
});
export type LedgerHead = z.infer<typeof LedgerHead>;

export const decisionHeads = collection({
  name: 'decision-heads',
  schema: LedgerHead,
  key: () => [],
  // Without its head, the ledger would begin again over its own entries.
  essential: { readInvalid: (onDisk) => readWithoutInvalidFields(LedgerHead, onDisk) },
});
