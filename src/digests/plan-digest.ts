/** Reads, sets and stops a channel's digest plan. */
import { recordAuditEntry } from '../audit/audit.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { resolveTimezone } from '../feed/quiet-hours.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { formatClockTime } from '../schedule/local-time.ts';
import type { DigestsContext } from './context.ts';
import { convertLastDigestDayTimezone, findNextDigestSlot } from './decide-digest.ts';
import type { DigestPlanRequest, PlannedDigest } from './digests.ts';
import { type DigestPlan, digestPlanKey, digestPlans } from './records.ts';

type Context = Pick<DigestsContext, 'team' | 'store' | 'clock' | 'timezone'>;

/**
 * A plan with a time zone that this machine knows. The stored zone may come from another machine or a newer
 * time zone table; the stored plan keeps it.
 * @param fallback IANA name of a known zone
 */
export function withKnownTimezone(plan: DigestPlan, fallback: string): DigestPlan {
  return { ...plan, timezone: resolveTimezone(plan, fallback) };
}

function viewPlan(plan: DigestPlan, fallback: string, now: Instant): PlannedDigest {
  const usable = withKnownTimezone(plan, fallback);
  return { plan, timezone: usable.timezone, next: findNextDigestSlot(usable, now).at };
}

function isAsked({ minute, days, timezone }: DigestPlanRequest, plan: DigestPlan): boolean {
  return minute === plan.minute && days === plan.days && timezone === plan.timezone;
}

export async function readDigestPlan(
  { team, store, clock, timezone }: Context,
  channel: ChannelId,
): Promise<PlannedDigest | undefined> {
  const plan = await store.read((tx) => tx.get(digestPlans, digestPlanKey(team, channel)));
  return plan && viewPlan(plan, timezone, clock.now());
}

/** An identical plan stays as it is. A new plan remembers what was posted before: no day gets two digests. */
export function saveDigestPlan(context: Context, order: DigestPlanRequest): Promise<PlannedDigest> {
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
      ...omitUndefined({
        lastDay: before && convertLastDigestDayTimezone(withKnownTimezone(before, fallback), timezone),
        coveredTo: before?.coveredTo,
        lastNoteDay: before?.lastNoteDay,
        notedTo: before?.notedTo,
      }),
    };
    await tx.put(digestPlans, key, plan);
    await recordAuditEntry(tx, {
      team,
      at,
      by,
      channel,
      act: { kind: 'digest', at: formatClockTime(minute), days, timezone },
    });
    return viewPlan(plan, fallback, at);
  });
}

/** @returns false if there was none */
export function deleteDigestPlan(
  { team, store, clock }: Context,
  channel: ChannelId,
  by: UserId,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const key = digestPlanKey(team, channel);
    if (!(await tx.get(digestPlans, key))) return false;
    await tx.delete(digestPlans, key);
    await recordAuditEntry(tx, { team, at: clock.now(), by, channel, act: { kind: 'digest' } });
    return true;
  });
}
