/** When a channel gets its digest: set, ended, told. */
import { addAudit } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import { timezoneOf } from '../feed/quiet-hours.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import { clockText } from '../schedule/local-time.ts';
import type { DigestsContext } from './context.ts';
import { carryDay, nextDigest } from './decide-digest.ts';
import type { DigestOrder, PlannedDigest } from './digests.ts';
import { type DigestPlan, digestPlanKey, digestPlans } from './records.ts';

type Context = Pick<DigestsContext, 'team' | 'store' | 'clock' | 'timezone'>;

/**
 * A plan as it can be carried out here. Whatever knew the zone that is stored (another machine, an older table of zones), where
 * this machine doesn't, the fallback's wall clock counts; the stored plan keeps its own.
 * @param fallback IANA name of one that is known
 */
export function inKnownZone(plan: DigestPlan, fallback: string): DigestPlan {
  return { ...plan, timezone: timezoneOf(plan, fallback) };
}

function viewPlan(plan: DigestPlan, fallback: string, now: Instant): PlannedDigest {
  const usable = inKnownZone(plan, fallback);
  return { plan, timezone: usable.timezone, next: nextDigest(usable, now).at };
}

function isAsked({ minute, days, timezone }: DigestOrder, plan: DigestPlan): boolean {
  return minute === plan.minute && days === plan.days && timezone === plan.timezone;
}

export async function readPlan(
  { team, store, clock, timezone }: Context,
  channel: ChannelId,
): Promise<PlannedDigest | undefined> {
  const plan = await store.read((tx) => tx.get(digestPlans, digestPlanKey(team, channel)));
  return plan && viewPlan(plan, timezone, clock.now());
}

/** What is planned so already stays as it is. What went out by an older plan is remembered: no day has two. */
export function planDigest(context: Context, order: DigestOrder): Promise<PlannedDigest> {
  const { team, store, clock, timezone: fallback } = context;
  const { channel, minute, days, timezone, by } = order;
  return store.transact(async (tx) => {
    const at = clock.now();
    const key = digestPlanKey(team, channel);
    const before = await tx.get(digestPlans, key);
    if (before && isAsked(order, before)) return viewPlan(before, fallback, at);
    const plan: DigestPlan = {
      team,
      channel,
      minute,
      days,
      timezone,
      by,
      setAt: at,
      ...known({
        lastDay: before && carryDay(inKnownZone(before, fallback), timezone),
        coveredTo: before?.coveredTo,
        lastNoteDay: before?.lastNoteDay,
        notedTo: before?.notedTo,
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
    return viewPlan(plan, fallback, at);
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
