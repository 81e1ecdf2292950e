/** Stores a channel's rules for spending; see spending.ts for the contract. */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Clock } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Store } from '../storage/store.ts';
import { type SpendingRules, spendingRules, spendingRulesKey } from './records.ts';
import { readSpendingRules, type SpendingChoices, type SpendingService } from './spending.ts';
import { readConnectsOfWeek } from './weekly-connects.ts';

interface SpendingContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
}

/** The names used in the audit log, in the order of the form. */
const NAMES = {
  cancelSeconds: 'cancel window',
  amountAbove: 'second approval by amount',
  connectsAbove: 'second approval by connects',
  newClients: 'second approval for new clients',
  approvals: 'number of approvals',
  notByAsker: 'approval by the person who asked',
  channelCap: 'weekly cap of the channel',
  personCap: 'weekly cap of each person',
} as const satisfies Record<keyof SpendingChoices, string>;

function listChanges(before: SpendingRules, now: SpendingChoices): readonly string[] {
  const keys = Object.keys(NAMES) as (keyof SpendingChoices)[];
  return keys.filter((key) => before[key] !== now[key]).map((key) => NAMES[key]);
}

export function createSpendingService({ team, store, clock }: SpendingContext): SpendingService {
  return {
    saveSpendingRules: (channel, choices, by, revision) =>
      store.transact(async (tx) => {
        const before = await readSpendingRules(tx, team, channel);
        if (before.revision !== revision) return 'outdated';
        const changed = listChanges(before, choices);
        if (changed.length === 0) return 'same';
        const rules = { team, channel, revision: revision + 1, ...choices };
        await tx.put(spendingRules, spendingRulesKey(team, channel), rules);
        const act = { kind: 'settings' as const, changed: [...changed] };
        await recordAuditEntry(tx, { team, at: clock.now(), by, channel, act });
        return 'saved';
      }),
    readWeeklyConnects: (channel, timezone, at) =>
      store.read((tx) => readConnectsOfWeek(tx, { team, channel }, at, timezone)),
  };
}
