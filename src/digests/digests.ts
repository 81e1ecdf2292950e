/** The digest service: the plans of the channels, and the job that posts what is due. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import { formatClockTime } from '../schedule/local-time.ts';
import { scanRecordsInPages } from '../storage/store.ts';
import {
  convertLastDigestDayTimezone,
  findDueDigest,
  findNextDigestSlot,
  withKnownTimezone,
} from './decide-digest.ts';
import { createSharedSetupsReader, type DigestsContext, type SetupsReader } from './gather-facts.ts';
import { postDueDigest, postRequestedDigest } from './post-digest.ts';
import { type DigestPlan, digestPlans } from './records.ts';

export { type DigestPlan, readDigest } from './records.ts';

export interface PlannedDigest {
  readonly plan: DigestPlan;
  /** The time zone in use: the plan's, unless this machine doesn't know it. */
  readonly timezone: string;
  readonly next: Instant;
}

export type DigestService = ReturnType<typeof createDigestService>;

/** Plans checked per event loop turn. 10 take 1 or 2 ms, since time zone conversions are slow. */
const SLICE = 10;

export function createDigestService(context: DigestsContext) {
  const { store, clock, log, timezone } = context;
  const startedAt = clock.now();

  function viewPlan(plan: DigestPlan, now: Instant): PlannedDigest {
    const usable = withKnownTimezone(plan, timezone);
    return { plan, timezone: usable.timezone, next: findNextDigestSlot(usable, now).at };
  }

  /** A failure in one channel doesn't affect the others; it is retried a minute later. */
  async function makeDue(plan: DigestPlan, readSetups: SetupsReader, signal: AbortSignal): Promise<void> {
    const { channel } = plan;
    try {
      if (!findDueDigest(withKnownTimezone(plan, timezone), clock.now())) return;
      await postDueDigest(context, channel, { startedAt, readSetups });
    } catch (thrown) {
      if (!signal.aborted) log.error("Couldn't create a digest", { channel, error: asError(thrown) });
    }
  }

  const job: ScheduledJob = {
    name: 'digests',
    async runIfDue(_, signal) {
      const readSetups = createSharedSetupsReader(context);
      const plans: DigestPlan[] = [];
      await scanRecordsInPages(store, digestPlans, {}, async (_, page) => {
        plans.push(...page);
      });
      for (const [place, plan] of plans.entries()) {
        if ((place + 1) % SLICE === 0) await nextTurn();
        if (signal.aborted) return;
        await makeDue(plan, readSetups, signal);
      }
    },
  };

  return {
    job,
    async readDigestPlan(channel: ChannelId): Promise<PlannedDigest | undefined> {
      const plan = await store.read((tx) => tx.get(digestPlans, [channel]));
      return plan && viewPlan(plan, clock.now());
    },
    /**
     * Starts with the next slot; a digest whose time has passed today isn't posted. An identical plan
     * stays as it is. A new plan remembers what was posted before: no day gets two digests.
     */
    planDigest: (order: Pick<DigestPlan, 'channel' | 'minute' | 'days' | 'timezone' | 'by'>) =>
      store.transact(async (tx) => {
        const at = clock.now();
        const { channel, minute, days, timezone: zone, by } = order;
        const before = await tx.get(digestPlans, [channel]);
        if (minute === before?.minute && days === before.days && zone === before.timezone)
          return viewPlan(before, at);
        const plan: DigestPlan = {
          ...order,
          setAt: at,
          lastDay: before && convertLastDigestDayTimezone(withKnownTimezone(before, timezone), zone),
          coveredTo: before?.coveredTo,
        };
        await tx.put(digestPlans, plan);
        const act = { kind: 'digest', at: formatClockTime(minute), days, timezone: zone } as const;
        await recordAuditEntry(tx, { at, by, channel, act });
        return viewPlan(plan, at);
      }),
    /** @returns false if there was none */
    stopDigest: (channel: ChannelId, by: UserId): Promise<boolean> =>
      store.transact(async (tx) => {
        if (!(await tx.get(digestPlans, [channel]))) return false;
        await tx.delete(digestPlans, [channel]);
        await recordAuditEntry(tx, { at: clock.now(), by, channel, act: { kind: 'digest' } });
        return true;
      }),
    /**
     * Posts a digest now, in addition to scheduled ones. It covers the time since the last one of any kind:
     * at least a day, at most a week.
     * @param press unique per click or command: repeating it posts nothing new
     * @param own the person's time zone, for a channel without its own
     * @returns false if a digest was requested within the last minute
     * @throws ClockOffError while the wall clock is wrong
     */
    async postDigestNow(channel: ChannelId, by: UserId, press: string, own?: string): Promise<boolean> {
      await context.clockGuard?.ensureClockCorrect();
      return postRequestedDigest(context, channel, { by, press, timezone: own });
    },
  };
}
