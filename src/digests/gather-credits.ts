/** What a channel spent, and what is left. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { channelLedgerRecords, type LedgerRecord } from '../credits/records.ts';
import type { ChannelId } from '../ids.ts';
import type { DigestsContext } from './context.ts';
import type { DigestFacts } from './facts.ts';
import type { ChannelTimeRange } from './gather-posted-content.ts';
import { buildTimeIndexRange, scanRecordsInPages } from './read-pages.ts';

export function findCreditsPaidByChannel({ shares }: LedgerRecord, channel: ChannelId): number {
  return shares.find((share) => share.channel === channel)?.credits ?? 0;
}

export async function gatherCredits(
  { store, team, credits }: Pick<DigestsContext, 'store' | 'team' | 'credits'>,
  when: ChannelTimeRange,
): Promise<DigestFacts['credits']> {
  const { channel, to } = when;
  let spent = 0;
  const range = { prefix: [team, channel] as const, ...buildTimeIndexRange(when) };
  await scanRecordsInPages(store, channelLedgerRecords, range, async (_, page) => {
    for (const entry of page) spent += findCreditsPaidByChannel(entry, channel);
  });
  return store.read(async (tx) => {
    const budget = await credits.readBudgetState(tx, channel, to);
    const account = await credits.readAccountState(tx, to);
    const { limit, pool, period, runsOutAt, isEarly } = budget;
    const settled = pool?.settled ?? budget.settled;
    return {
      spent,
      settled,
      limit,
      // If the period is over but the reset isn't confirmed, use the next reset.
      resetsAt: period.isOver ? account.resetsAt : period.resetsAt,
      confirmed: period.confirmed && !period.isOver,
      ...omitUndefined({
        runsOutAt,
        isEarly,
        isShared: pool && (true as const),
        accountLeft: account.remaining,
        accountRunsOutAt: account.runsOutAt,
        accountLooksLikeTrial: account.looksLikeTrial,
      }),
    };
  });
}
