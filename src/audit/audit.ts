/**
 * The audit log: who changed or spent what, when, and the result. An entry is written in its change's own
 * transaction, so that neither exists without the other.
 */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import {
  ChannelId,
  FilterId,
  JobId,
  OrganizationId,
  ProfileId,
  SetupId,
  TemplateId,
  UserId,
} from '../ids.ts';
import { type PageTurn, readPage } from '../storage/read-page.ts';
import { collection, type Key, type ReadTransaction, type Transaction } from '../storage/store.ts';

const who = z.object({ users: z.array(UserId), groups: z.array(z.string()) });
export type AuditedGrantees = z.infer<typeof who>;
const role = z.enum(['bidder', 'admin']);

/** Result of a request; missing while it runs or if it was never recorded. */
const AuditResult = z.object({
  kind: z.enum(['created', 'skipped', 'refused', 'unknown', 'approved', 'done', 'stopped']),
  job: JobId.optional(),
  template: TemplateId.optional(),
  /** A MarketplaceErrorCode. */
  code: z.string().optional(),
  /** For an unknown result: the HTTP status of the unclear response. */
  httpStatus: z.number().optional(),
  words: z.string().optional(),
});
export type AuditResult = z.infer<typeof AuditResult>;

export const AuditedAction = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('bid'),
    title: z.string(),
    marketplaceJobId: z.string(),
    setup: SetupId,
    setupName: z.string().optional(),
    attempt: z.number(),
    bidAmount: z.number().optional(),
    boostConnects: z.number().optional(),
  }),
  /** `overrides`: the AI is known to have rejected the project. */
  z.object({ kind: z.literal('approve'), job: JobId, title: z.string().optional(), overrides: z.boolean() }),
  /** A request for approval was rejected here. The marketplace doesn't know of it. */
  z.object({
    kind: z.literal('approval-rejected'),
    job: JobId,
    title: z.string().optional(),
    reason: z.string(),
  }),
  /** Decisions about a bid, or a job's approval, that waited before it was sent. */
  z.object({
    kind: z.enum(['bid-canceled', 'second-approval', 'second-rejected']),
    title: z.string().optional(),
    job: JobId.optional(),
    attempt: z.number(),
  }),
  z.object({
    kind: z.literal('template'),
    name: z.string(),
    organization: OrganizationId,
    attempt: z.number(),
  }),
  /** An entry without a channel applies everywhere. */
  z.object({ kind: z.literal('access-changed'), role, added: who, removed: who }),
  z.object({ kind: z.literal('access-asked'), role }),
  z.object({ kind: z.literal('access-decided'), role, user: UserId, granted: z.boolean() }),
  z.object({
    kind: z.literal('budget'),
    from: z.union([z.number(), z.literal('unlimited')]).optional(),
    to: z.union([z.number(), z.literal('unlimited')]),
  }),
  /** The channel left the pool and has its own default budget. */
  z.object({ kind: z.literal('budget-confirmed'), limit: z.number() }),
  z.object({ kind: z.literal('subscribed'), filter: FilterId, rules: z.string(), backfill: z.number() }),
  z.object({ kind: z.literal('unsubscribed'), filter: FilterId }),
  z.object({
    kind: z.enum(['followed', 'unfollowed']),
    feed: z.enum(['invitations', 'outcomes']),
    profile: ProfileId,
    profileName: z.string().optional(),
    organization: OrganizationId.optional(),
  }),
  z.object({ kind: z.literal('paused'), until: z.number().optional() }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.enum(['muted', 'unmuted']), what: z.enum(['country', 'word']), value: z.string() }),
  z.object({ kind: z.literal('settings'), changed: z.array(z.string()) }),
  /** `at`: `09:00`, local to `timezone`; missing: the digest was turned off. */
  z.object({
    kind: z.literal('digest'),
    at: z.string().optional(),
    days: z.string().optional(),
    timezone: z.string().optional(),
  }),
  /** Someone pressed Allow on Slack's page. It gives no role to anyone but the first one. */
  z.object({ kind: z.literal('installed'), isAgain: z.boolean() }),
  /** Of the marketplace account's token. */
  z.object({ kind: z.literal('account'), change: z.enum(['connect', 'replace', 'remove']) }),
  /** Of the address for hints; never has the secret. */
  z.object({ kind: z.literal('hint-secret'), change: z.enum(['make', 'rotate']) }),
]);
export type AuditedAction = z.infer<typeof AuditedAction>;

/** Each kind in words, without its subject: for private channels, files and the terminal. Plain text. */
export const ACTIONS_IN_WORDS: Readonly<Record<AuditedAction['kind'], string>> = {
  bid: 'bid on a project',
  approve: 'approved a bid',
  'approval-rejected': 'rejected a bid',
  'bid-canceled': 'canceled a bid',
  'second-approval': 'gave a second approval',
  'second-rejected': 'refused a second approval',
  template: 'requested a new template',
  'access-changed': 'changed roles',
  'access-asked': 'requested a role',
  'access-decided': 'answered a role request',
  budget: 'changed the channel budget',
  'budget-confirmed': 'confirmed the channel budget',
  subscribed: 'subscribed to a filter',
  unsubscribed: 'unsubscribed from a filter',
  followed: 'subscribed to a profile',
  unfollowed: 'unsubscribed from a profile',
  paused: 'paused the feeds',
  resumed: 'resumed the feeds',
  muted: 'muted something',
  unmuted: 'unmuted something',
  settings: 'changed settings',
  digest: 'changed the digest',
  installed: 'installed Gigdesk',
  account: 'changed the marketplace account',
  'hint-secret': 'changed the address for hints',
};

/** An entry of the ledger, by its number and its hash. */
export const LedgerLink = z.object({ seq: z.number().int().min(1), hash: z.string() });
export type LedgerLink = z.infer<typeof LedgerLink>;

export const AuditEntry = z.object({
  at: z.number(),
  /** Counts the entries of one instant, from 1. */
  number: z.number(),
  by: UserId,
  channel: ChannelId.optional(),
  act: AuditedAction,
  answer: AuditResult.optional(),
  /** The newest entry about it in the ledger of decisions, so that a missing end of the ledger is noticed. */
  ledger: LedgerLink.optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Of its entries, and of the ledger's. */
export const AUDIT_RETENTION_MS = 400 * DAY;

export const auditEntries = collection({
  name: 'audit',
  schema: AuditEntry,
  key: (it) => [it.at, it.number],
  indexes: { byChannel: (it) => (it.channel ? [it.channel, it.at, it.number] : undefined) },
  keepFor: { ms: AUDIT_RETENTION_MS },
});

/** Adds an entry. @returns its key, for `recordAuditResult`. */
export async function recordAuditEntry(tx: Transaction, entry: Omit<AuditEntry, 'number'>): Promise<Key> {
  const { at } = entry;
  const [last] = await tx.list(auditEntries, { prefix: [at], limit: 1, reverse: true });
  const number = (last?.value.number ?? 0) + 1;
  const key: Key = [at, number];
  await tx.put(auditEntries, { ...entry, number });
  return key;
}

/** Adds the result to an entry. An entry deleted meanwhile stays deleted. */
export async function recordAuditResult(tx: Transaction, key: Key, answer: AuditResult): Promise<void> {
  const entry = await tx.get(auditEntries, key);
  if (entry) await tx.put(auditEntries, { ...entry, answer });
}

/** Names the newest entry of the ledger about an audited action. */
export async function linkAuditToLedger(tx: Transaction, key: Key, ledger: LedgerLink): Promise<void> {
  const entry = await tx.get(auditEntries, key);
  if (entry) await tx.put(auditEntries, { ...entry, ledger });
}

export interface AuditPageRequest {
  /** Only entries of this channel; missing: everywhere. */
  readonly channel?: ChannelId;
  /** The oldest instant to include. */
  readonly from: Instant;
  readonly size: number;
  /** The page older or newer than this entry; missing: the newest page. */
  readonly turn?: PageTurn;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are more entries on that side. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** Reads one page; new entries don't shift the page. */
export function readAuditPage(
  tx: ReadTransaction,
  { channel, ...page }: AuditPageRequest,
): Promise<AuditPage> {
  const where = channel ? { index: 'byChannel', prefix: [channel] as const } : {};
  return readPage(tx, auditEntries, { ...where, ...page, cursorOf: ({ at, number }) => [at, number] });
}
