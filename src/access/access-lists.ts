/** Stored lists of granted roles. */
import { type AuditedGrantees, recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { TeamId, UserId } from '../ids.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  type AccessChange,
  type AccessList,
  type AccessScope,
  type AccessService,
  accessLists,
  type Grantees,
} from './access.ts';
import type { AccessContext } from './context.ts';

const NOBODY: Grantees = { users: [], groups: [] };

export async function readAccessList(
  tx: ReadTransaction,
  team: TeamId,
  scope: AccessScope,
): Promise<AccessList> {
  const stored = await tx.get(accessLists, [team, scope]);
  return stored ?? { team, scope, bidder: NOBODY, admin: NOBODY, revision: 0 };
}

export async function storeAccessList(
  tx: Transaction,
  list: AccessList,
  change: Partial<Pick<AccessList, 'bidder' | 'admin'>>,
  by: UserId,
  at: Instant,
): Promise<AccessList> {
  const changed = { ...list, ...change, revision: list.revision + 1, by, at };
  await tx.put(accessLists, [list.team, list.scope], changed);
  return changed;
}

function without(list: Grantees, other: Grantees): AuditedGrantees {
  return {
    users: list.users.filter((each) => !other.users.includes(each)),
    groups: list.groups.filter((each) => !other.groups.includes(each)),
  };
}

function isNobody({ users, groups }: AuditedGrantees): boolean {
  return users.length === 0 && groups.length === 0;
}

export interface GranteesChange {
  readonly role: 'bidder' | 'admin';
  readonly added: AuditedGrantees;
  readonly removed: AuditedGrantees;
}

/** The differences by role; a role without a difference is left out. */
export function compareAccessLists(
  before: Pick<AccessList, 'bidder' | 'admin'>,
  after: Pick<AccessList, 'bidder' | 'admin'>,
): readonly GranteesChange[] {
  return (['bidder', 'admin'] as const)
    .map((role) => ({
      role,
      added: without(after[role], before[role]),
      removed: without(before[role], after[role]),
    }))
    .filter(({ added, removed }) => !isNobody(added) || !isNobody(removed));
}

function once({ users, groups }: Grantees): Grantees {
  return { users: [...new Set(users)], groups: [...new Set(groups)] };
}

export function changeAccessList(
  { store, team, clock }: AccessContext,
  { scope, by, seenRevision, ...wanted }: AccessChange,
): ReturnType<AccessService['changeAccessList']> {
  return store.transact(async (tx) => {
    const list = await readAccessList(tx, team, scope);
    if (list.revision !== seenRevision) return { kind: 'stale', list };
    const after = { bidder: once(wanted.bidder), admin: once(wanted.admin) };
    const changes = compareAccessLists(list, after);
    if (changes.length === 0) return { kind: 'same', list };
    const at = clock.now();
    for (const change of changes) {
      const act = { kind: 'access-changed', ...change } as const;
      await recordAuditEntry(tx, {
        team,
        at,
        by,
        ...(scope === 'everywhere' ? {} : { channel: scope }),
        act,
      });
    }
    return { kind: 'changed', list: await storeAccessList(tx, list, after, by, at) };
  });
}
