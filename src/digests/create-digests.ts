/** Digests, put together. */
import { asError } from '../errors.ts';
import type { ChannelId } from '../ids.ts';
import type { DigestsContext } from './context.ts';
import type { Digests } from './digests.ts';
import { planDigest, readPlan, stopDigest } from './plan-digest.ts';
import { postAsked, postDue } from './post-digest.ts';
import { readPages } from './read-pages.ts';
import { digestPlans } from './records.ts';
import { PictureSharing } from './share-pictures.ts';

export function createDigests(context: DigestsContext): Digests {
  const { store, team, clock, log } = context;
  const startedAt = clock.now();
  const sharing = new PictureSharing(context);

  async function planned(): Promise<readonly ChannelId[]> {
    const channels: ChannelId[] = [];
    await readPages(store, digestPlans, { prefix: [team] }, async (_, page) => {
      channels.push(...page.map(({ channel }) => channel));
    });
    return channels;
  }

  return {
    job: {
      name: 'digests',
      async run(_, signal) {
        for (const channel of await planned()) {
          if (signal.aborted) return;
          try {
            if (await postDue(context, channel, startedAt)) sharing.wake();
          } catch (thrown) {
            // One channel's trouble is not another's; it is tried again with the next minute.
            if (!signal.aborted) log.error('a digest could not be made', { channel, error: asError(thrown) });
          }
        }
      },
    },
    run: (signal) => sharing.run(signal),
    planned: (channel) => readPlan(context, channel),
    plan: (order) => planDigest(context, order),
    stop: (channel, by) => stopDigest(context, channel, by),
    async postNow(channel, by, press) {
      await postAsked(context, channel, by, press);
      sharing.wake();
    },
  };
}
