/** Installations, and changes of the marketplace account, in the audit log and in the ledger of decisions. */
import { z } from 'zod';
import { type AuditedAction, type AuditResult, recordAuditEntry } from '../../audit/audit.ts';
import type { Instant } from '../../clock.ts';
import { recordDecision, recordDecisionResult } from '../../decisions/decisions.ts';
import type { UserId } from '../../ids.ts';
import { collection, type Key, type Transaction } from '../../storage/store.ts';

export type AccountChange = Extract<AuditedAction, { kind: 'account' }>['change'];

const AccountState = z.object({
  /** What the last opening of the workspace found. */
  isConnected: z.boolean(),
  /** When Allow was pressed last, as the audit log has it. */
  allowedAt: z.number().optional(),
  /** A change that was decided, and may or may not be made. */
  unfinished: z
    .object({
      change: z.enum(['connect', 'replace', 'remove']),
      /** The decision's audit entry: its key. */
      audit: z.array(z.union([z.string(), z.number()])),
    })
    .optional(),
});
type AccountState = z.infer<typeof AccountState>;

/** Someone pressed Allow. */
export interface Allowed {
  readonly by: UserId;
  readonly at: Instant;
}

export const accountStates = collection({
  name: 'account-states',
  schema: AccountState,
  key: () => [],
});

/** Before the change is made. @returns the key for `endAccountChange` */
export async function recordAccountChange(
  tx: Transaction,
  { by, change, isConnected, at }: { by: UserId; change: AccountChange; isConnected: boolean; at: Instant },
): Promise<Key> {
  const key = await recordDecision(tx, { at, by, act: { kind: 'account', change } });
  const state = (await tx.get(accountStates, [])) ?? { isConnected };
  await tx.put(accountStates, { ...state, unfinished: { change, audit: [...key] } });
  return key;
}

export async function endAccountChange(
  tx: Transaction,
  key: Key,
  at: Instant,
  result: AuditResult,
): Promise<void> {
  await recordDecisionResult(tx, key, at, result);
  const state = await tx.get(accountStates, []);
  if (!state?.unfinished || String(state.unfinished.audit) !== String(key)) return;
  const { unfinished: _ended, ...rest } = state;
  await tx.put(accountStates, rest);
}

/**
 * For each opening of a workspace: who installed the app since the last one, and how a change ended that a
 * crash interrupted.
 * @returns what the last opening found; undefined: this is the first
 */
export async function updateAccountState(
  tx: Transaction,
  { isConnected, allowed, at }: { isConnected: boolean; allowed: Allowed | undefined; at: Instant },
): Promise<AccountState | undefined> {
  const before = await tx.get(accountStates, []);
  if (before?.unfinished) {
    const { change, audit } = before.unfinished;
    const wasMade = isConnected === (change === 'connect');
    // A replaced token looks like the one before.
    const kind = change === 'replace' ? 'unknown' : wasMade ? 'done' : 'skipped';
    await recordDecisionResult(tx, [...audit], at, { kind });
  }
  const allowedAt = allowed?.at;
  const act = { kind: 'installed', isAgain: before !== undefined } as const;
  if (allowed && before?.allowedAt !== allowedAt) await recordAuditEntry(tx, { at, by: allowed.by, act });
  if (before?.unfinished || before?.isConnected !== isConnected || before.allowedAt !== allowedAt)
    await tx.put(accountStates, { isConnected, allowedAt });
  return before;
}
