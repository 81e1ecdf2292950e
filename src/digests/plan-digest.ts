/** When a channel gets its digest: set, ended, told. */
import { addAudit } from '../audit/audit.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import { clockText } from '../schedule/local-time.ts';
import type { DigestsContext } from './context.ts';
import { carryDay, nextDigest } from './decide-digest.ts';
import type { DigestOrder, PlannedDigest } from './digests.ts';
import { type DigestPlan, digestPlanKey, digestPlans } from './records.ts';

type Context = Pick<DigestsContext, 'team' | 'store' | 'clock'>;

function isAsked({ minute, days, timezone }: DigestOrder, plan: DigestPlan): boolean {
  return minute === plan.minute && days === plan.days && timezone === plan.timezone;
}

export async function readPlan(
  { team, store, clock }: Context,
  channel: ChannelId,
): Promise<PlannedDigest | undefined> {
  const plan = await store.read((tx) => tx.get(digestPlans, digestPlanKey(team, channel)));
  return plan && { plan, next: nextDigest(plan, clock.now()).at };
}

/** What is planned so already stays as it is. What went out by an older plan is remembered: no day has two. */
export function planDigest({ team, store, clock }: Context, order: DigestOrder): Promise<PlannedDigest> {
  const { channel, minute, days, timezone, by } = order;
  return store.transact(async (tx) => {
    const at = clock.now();
    const key = digestPlanKey(team, channel);
    const before = await tx.get(digestPlans, key);
    if (before && isAsked(order, before)) return { plan: before, next: nextDigest(before, at).at };
    const plan: DigestPlan = {
      team,
      channel,
      minute,
      days,
      timezone,
      by,
      setAt: at,
      ...known({
        lastDay: before && carryDay(before, timezone),
        coveredTo: before?.coveredTo,
        lastNoteDay: before?.lastNoteDay,
      }),
    };
    await tx.put(digestPlans, key, plan);
    await addAudit(tx, {
      team,
      at,
      by,
      channel,
      act: { kind: 'digest', at: clockText(minute), days, timezone },
    });
    return { plan, next: nextDigest(plan, at).at };
  });
}

/** @returns false when there was none */
export function stopDigest(
  { team, store, clock }: Context,
  channel: ChannelId,
  by: UserId,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const key = digestPlanKey(team, channel);
    if (!(await tx.get(digestPlans, key))) return false;
    await tx.delete(digestPlans, key);
    await addAudit(tx, { team, at: clock.now(), by, channel, act: { kind: 'digest' } });
    return true;
  });
}
