/** Stores a channel's rules for spending. */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Clock, Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Store } from '../storage/store.ts';
import { readSpendingRules, type SpendingChoices, spendingRules } from './spending.ts';
import { readConnectsOfWeek } from './weekly-connects.ts';

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

export type SpendingService = ReturnType<typeof createSpendingService>;

export function createSpendingService({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  return {
    /**
     * For admins: stores a channel's rules, with an audit entry.
     * @param revision of the rules that the form showed
     * @returns `outdated`: someone changed them since; `same`: nothing to change
     */
    saveSpendingRules: (channel: ChannelId, choices: SpendingChoices, by: UserId, revision: number) =>
      store.transact(async (tx) => {
        const before = await readSpendingRules(tx, channel);
        if (before.revision !== revision) return 'outdated';
        const keys = Object.keys(NAMES) as (keyof SpendingChoices)[];
        const changed = keys.filter((key) => before[key] !== choices[key]).map((key) => NAMES[key]);
        if (changed.length === 0) return 'same';
        const rules = { channel, revision: revision + 1, ...choices };
        await tx.put(spendingRules, rules);
        const act = { kind: 'settings' as const, changed };
        await recordAuditEntry(tx, { at: clock.now(), by, channel, act });
        return 'saved';
      }),
    /** This week's connects of a channel. @param timezone the channel's */
    readWeeklyConnects: (channel: ChannelId, timezone: string, at: Instant) =>
      store.read((tx) => readConnectsOfWeek(tx, { channel }, at, timezone)),
  };
}
