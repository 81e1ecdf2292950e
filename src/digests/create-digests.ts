/** Creates the digest service. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitUndefined } from '../base/omit-undefined.ts';
import { asError } from '../errors.ts';
import type { DigestsContext } from './context.ts';
import { findDueDigest } from './decide-digest.ts';
import type { DigestService } from './digests.ts';
import { createSharedSetupsReader, type SetupsReader } from './gather-setups.ts';
import { deleteDigestPlan, readDigestPlan, saveDigestPlan, withKnownTimezone } from './plan-digest.ts';
import { postDueDigest, postRequestedDigest } from './post-digest.ts';
import { scanRecordsInPages } from './read-pages.ts';
import { type DigestPlan, digestPlans } from './records.ts';
import { ChartSharing } from './share-charts.ts';

/** Plans checked per event loop turn. 10 take 1 or 2 ms, since time zone conversions are slow. */
const SLICE = 10;

export function createDigestService(context: DigestsContext): DigestService {
  const { store, team, clock, log, timezone } = context;
  const startedAt = clock.now();
  const sharing = new ChartSharing(context);

  async function readPlans(): Promise<readonly DigestPlan[]> {
    const plans: DigestPlan[] = [];
    await scanRecordsInPages(store, digestPlans, { prefix: [team] }, async (_, page) => {
      plans.push(...page);
    });
    return plans;
  }

  /** A failure in one channel doesn't affect the others; it is retried a minute later. */
  async function makeDue(plan: DigestPlan, readSetups: SetupsReader, signal: AbortSignal): Promise<void> {
    const { channel } = plan;
    try {
      if (!findDueDigest(withKnownTimezone(plan, timezone), clock.now())) return;
      if (await postDueDigest(context, channel, { startedAt, readSetups })) sharing.wakeLoop();
    } catch (thrown) {
      if (!signal.aborted) log.error("Couldn't create a digest", { channel, error: asError(thrown) });
    }
  }

  return {
    job: {
      name: 'digests',
      async runIfDue(_, signal) {
        const readSetups = createSharedSetupsReader(context);
        for (const [place, plan] of (await readPlans()).entries()) {
          if ((place + 1) % SLICE === 0) await nextTurn();
          if (signal.aborted) return;
          await makeDue(plan, readSetups, signal);
        }
      },
    },
    runChartSharing: (signal) => sharing.runChartSharing(signal),
    readDigestPlan: (channel) => readDigestPlan(context, channel),
    planDigest: (order) => saveDigestPlan(context, order),
    stopDigest: (channel, by) => deleteDigestPlan(context, channel, by),
    async postDigestNow(channel, by, press, own) {
      const isMade = await postRequestedDigest(context, channel, {
        by,
        press,
        ...omitUndefined({ timezone: own }),
      });
      if (isMade) sharing.wakeLoop();
      return isMade;
    },
  };
}
