/** Gathers all facts of a channel's digest, in small reads that don't block other work. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { MINUTE } from '../clock.ts';
import { isChannelPaused } from '../feed/channels.ts';
import type { UserId } from '../ids.ts';
import { proposalsSubmittedIn } from '../statistics/funnel.ts';
import type { DigestsContext } from './context.ts';
import type { DigestFacts } from './facts.ts';
import { followedProposals } from './followed-proposals.ts';
import { gatherBids } from './gather-bids.ts';
import { gatherCredits } from './gather-credits.ts';
import { gatherInvitations } from './gather-invitations.ts';
import { type ChannelTimeRange, gatherPostedContent } from './gather-posted-content.ts';
import { listSetupsNearDailyLimit, type SetupsReader } from './gather-setups.ts';
import { listFeedProblems } from './list-feed-problems.ts';
import { summarizePostedProjects } from './sum-up-projects.ts';

export interface DigestCoverage extends ChannelTimeRange {
  readonly timezone: string;
  readonly late?: DigestFacts['late'];
  readonly askedBy?: UserId;
}

/**
 * The marketplace reports a proposal some minutes after it was sent. Scheduled digests shift their range back
 * by this much, so that proposals sent just before a digest aren't lost.
 */
const TOLD_WITHIN_MS = 15 * MINUTE;

function sumUpConnects(
  { mirror }: Pick<DigestsContext, 'mirror'>,
  followed: ReadonlySet<number>,
  { from, to, askedBy }: DigestCoverage,
): DigestFacts['connects'] {
  if (followed.size === 0) return undefined;
  const lag = askedBy === undefined ? TOLD_WITHIN_MS : 0;
  const when = { from: from - lag, to: to - lag };
  const sum = { proposals: 0, priced: 0, spent: 0, boost: 0 };
  for (const { connects, boost } of followedProposals(
    proposalsSubmittedIn(mirror.listNewestFirst(), when),
    followed,
  )) {
    sum.proposals += 1;
    if (connects !== undefined) sum.priced += 1;
    sum.spent += connects ?? 0;
    sum.boost += boost ?? 0;
  }
  return sum;
}

export async function gatherDigestFacts(
  context: DigestsContext,
  cover: DigestCoverage,
  readSetups: SetupsReader,
): Promise<DigestFacts> {
  const { feed, profiles } = context;
  const { channel, from, to, timezone, late, askedBy } = cover;
  const told = await gatherPostedContent(context, cover);
  const followed = await profiles.listChannelProfileFeeds(channel);
  const settings = await feed.readChannelSettings(channel);
  const now = {
    subscriptions: await feed.listSubscriptions(channel),
    profiles: followed,
    ...omitUndefined({ paused: isChannelPaused(settings, to) ? settings.paused : undefined }),
  };
  const profileIds = new Set(followed.map((view) => view.feed.profile));
  return {
    channel,
    from,
    to,
    timezone,
    ...omitUndefined({ late, askedBy }),
    projects: summarizePostedProjects(told.projects, to),
    invitations: { came: told.invitations, ...(await gatherInvitations(context, cover)) },
    bids: await gatherBids(context, cover),
    outcomes: told.outcomes,
    ...omitUndefined({ connects: sumUpConnects(context, profileIds, cover) }),
    credits: await gatherCredits(context, cover),
    setups: listSetupsNearDailyLimit(await readSetups()),
    feeds: listFeedProblems(now, told.failures),
  };
}
