/** Changes of the marketplace account, in the audit log and in the ledger of decisions. */
import { z } from 'zod';
import type { AuditedAction, AuditResult } from '../../audit/audit.ts';
import type { Instant } from '../../clock.ts';
import { recordDecision, recordDecisionResult } from '../../decisions/decisions.ts';
import type { TeamId, UserId } from '../../ids.ts';
import type { Collection, Key, Transaction } from '../../storage/store.ts';

export type AccountChange = Extract<AuditedAction, { kind: 'account' }>['change'];

const AccountState = z.object({
  /** What the last opening of the workspace found. */
  isConnected: z.boolean(),
  /** A change that was decided, and may or may not be made. */
  unfinished: z
    .object({
      change: z.enum(['connect', 'replace', 'remove']),
      /** The decision's audit entry: its key without the team. */
      audit: z.array(z.union([z.string(), z.number()])),
    })
    .optional(),
});
type AccountState = z.infer<typeof AccountState>;

/** Key: [team]. */
export const accountStates: Collection<AccountState> = {
  name: 'account-states',
  schema: AccountState,
  indexes: {},
};

interface DecidedChange {
  readonly team: TeamId;
  readonly by: UserId;
  readonly change: AccountChange;
  readonly isConnected: boolean;
  readonly at: Instant;
}

/** Before the change is made. @returns the key for `endAccountChange` */
export async function recordAccountChange(
  tx: Transaction,
  { team, by, change, isConnected, at }: DecidedChange,
): Promise<Key> {
  const key = await recordDecision(tx, { team, at, by, act: { kind: 'account', change } });
  const [, ...audit] = key;
  const state = (await tx.get(accountStates, [team])) ?? { isConnected };
  await tx.put(accountStates, [team], { ...state, unfinished: { change, audit } });
  return key;
}

export async function endAccountChange(
  tx: Transaction,
  key: Key,
  at: Instant,
  result: AuditResult,
): Promise<void> {
  await recordDecisionResult(tx, key, at, result);
  const [team, ...audit] = key;
  const state = await tx.get(accountStates, [team]);
  if (state?.unfinished && String(state.unfinished.audit) === String(audit))
    await tx.put(accountStates, [team], { isConnected: state.isConnected });
}

/** A replaced token looks like the one before. */
function decideResult(change: AccountChange, isConnected: boolean): AuditResult {
  if (change === 'replace') return { kind: 'unknown' };
  return { kind: isConnected === (change === 'connect') ? 'done' : 'skipped' };
}

/**
 * For each opening of a workspace: how a change ended that a crash interrupted.
 * @returns what the last opening found; undefined: this is the first
 */
export async function updateAccountState(
  tx: Transaction,
  { team, isConnected, at }: { team: TeamId; isConnected: boolean; at: Instant },
): Promise<AccountState | undefined> {
  const before = await tx.get(accountStates, [team]);
  if (before?.unfinished) {
    const { change, audit } = before.unfinished;
    await recordDecisionResult(tx, [team, ...audit], at, decideResult(change, isConnected));
  }
  if (before?.unfinished || before?.isConnected !== isConnected)
    await tx.put(accountStates, [team], { isConnected });
  return before;
}
