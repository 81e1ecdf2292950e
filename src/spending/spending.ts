/** The team's rules for spending connects: what a channel can choose, and reading its choices. */
import type { ChannelId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { type SpendingRules, spendingRules, spendingRulesKey } from './records.ts';

export type { SpendingRules } from './records.ts';

/** In seconds; 0: off. */
export const CANCEL_SECONDS = [0, 10, 30, 60, 300] as const;

export const MOST_APPROVALS = 3;

/** What an admin can change. */
export type SpendingChoices = Omit<SpendingRules, 'channel' | 'revision'>;

export const NO_SPENDING_RULES: SpendingChoices = {
  cancelSeconds: 0,
  newClients: false,
  approvals: 1,
  notByAsker: false,
};

/** A channel's rules; all off if nobody has set any. */
export async function readSpendingRules(tx: ReadTransaction, channel: ChannelId): Promise<SpendingRules> {
  const stored = await tx.get(spendingRules, spendingRulesKey(channel));
  return stored ?? { channel, revision: 0, ...NO_SPENDING_RULES };
}

/** Nothing was sent: it would exceed a weekly cap. */
export interface CapExceeded {
  readonly kind: 'over-cap';
  readonly of: 'channel' | 'person';
  readonly cap: number;
  /** This week, without the new bid. */
  readonly used: number;
  /** What the bid would add. */
  readonly asks: number;
  /** It is the cap of another channel that found the project, which people here may not see. */
  readonly isElsewhere: boolean;
}
