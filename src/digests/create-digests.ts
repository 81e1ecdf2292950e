/** Digests, put together. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asError } from '../errors.ts';
import type { DigestsContext } from './context.ts';
import { dueDigest } from './decide-digest.ts';
import type { Digests } from './digests.ts';
import { type SetupsRead, setupsForAll } from './gather-setups.ts';
import { inKnownZone, planDigest, readPlan, stopDigest } from './plan-digest.ts';
import { postAsked, postDue } from './post-digest.ts';
import { readPages } from './read-pages.ts';
import { type DigestPlan, digestPlans } from './records.ts';
import { PictureSharing } from './share-pictures.ts';

/** Plans looked at, with every minute, without giving the event loop a turn: 1 or 2 ms, since reading a zone's clock is slow. */
const SLICE = 10;

export function createDigests(context: DigestsContext): Digests {
  const { store, team, clock, log, timezone } = context;
  const startedAt = clock.now();
  const sharing = new PictureSharing(context);

  async function readPlans(): Promise<readonly DigestPlan[]> {
    const plans: DigestPlan[] = [];
    await readPages(store, digestPlans, { prefix: [team] }, async (_, page) => {
      plans.push(...page);
    });
    return plans;
  }

  /** One channel's trouble is not another's; it is tried again with the next minute. */
  async function makeDue(plan: DigestPlan, readSetups: SetupsRead, signal: AbortSignal): Promise<void> {
    const { channel } = plan;
    try {
      if (!dueDigest(inKnownZone(plan, timezone), clock.now())) return;
      if (await postDue(context, channel, { startedAt, readSetups })) sharing.wake();
    } catch (thrown) {
      if (!signal.aborted) log.error("Couldn't create a digest", { channel, error: asError(thrown) });
    }
  }

  return {
    job: {
      name: 'digests',
      async run(_, signal) {
        const readSetups = setupsForAll(context);
        for (const [place, plan] of (await readPlans()).entries()) {
          if ((place + 1) % SLICE === 0) await nextTurn();
          if (signal.aborted) return;
          await makeDue(plan, readSetups, signal);
        }
      },
    },
    run: (signal) => sharing.run(signal),
    planned: (channel) => readPlan(context, channel),
    plan: (order) => planDigest(context, order),
    stop: (channel, by) => stopDigest(context, channel, by),
    async postNow(channel, by, press, own) {
      const isMade = await postAsked(context, channel, {
        by,
        press,
        ...(own === undefined ? {} : { timezone: own }),
      });
      if (isMade) sharing.wake();
      return isMade;
    },
  };
}
