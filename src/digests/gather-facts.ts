/** Gathers all facts of a channel's digest, in small reads that don't block other work. */

import { HOUR, isRecent, MINUTE, SECOND } from '../clock.ts';
import { channelLedgerRecords, findCreditsPaidByChannel } from '../credits/records.ts';
import { isChannelPaused } from '../feed/channels.ts';
import type { FeedService } from '../feed/create-feed.ts';
import type { UserId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { gatherResponseTimes } from '../response/gather-times.ts';
import { medianTimes } from '../response/measure.ts';
import type { SetupList, SetupService } from '../setups/setups.ts';
import { proposalsOfProfiles, proposalsSubmittedIn } from '../statistics/stages.ts';
import { scanRecordsInPages } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import type { ChannelTimeRange, DigestFacts } from './facts.ts';
import { gatherBids, gatherInvitations } from './gather-bids.ts';
import { type ChartsContext, gatherCharts } from './gather-charts.ts';
import { gatherPostedContent } from './gather-posted-content.ts';
import { listFeedProblems } from './list-feed-problems.ts';
import { summarizePostedProjects } from './rank-projects.ts';
import { isDigestEmpty } from './split-digest.ts';

export interface DigestsContext
  extends ChartsContext,
    Pick<Workspace, 'clock' | 'log' | 'timezone' | 'clockGuard'> {
  readonly setups: Pick<SetupService, 'readStoredSetups' | 'refreshIfOlderThan'>;
  readonly feed: Pick<FeedService, 'listSubscriptions' | 'readChannelSettings'>;
}

interface DigestCoverage extends ChannelTimeRange {
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
  { mirror }: DigestsContext,
  followed: ReadonlySet<number>,
  { from, to, askedBy }: DigestCoverage,
): DigestFacts['connects'] {
  if (followed.size === 0) return undefined;
  const lag = askedBy === undefined ? TOLD_WITHIN_MS : 0;
  const when = { from: from - lag, to: to - lag };
  const sum = { proposals: 0, priced: 0, spent: 0, boost: 0 };
  const submitted = proposalsSubmittedIn(mirror.listNewestFirst(), when);
  for (const { connects, boost } of proposalsOfProfiles(submitted, followed)) {
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
  const posted = await gatherPostedContent(context, cover);
  const followed = await profiles.listChannelProfileFeeds(channel);
  const settings = await feed.readChannelSettings(channel);
  const now = {
    subscriptions: await feed.listSubscriptions(channel),
    profiles: followed,
    paused: isChannelPaused(settings, to) ? settings.paused : undefined,
  };
  const { samples } = await gatherResponseTimes(context, channel, { from, to });
  const profileIds = new Set(followed.map((view) => view.feed.profile));
  const facts: DigestFacts = {
    channel,
    from,
    to,
    timezone,
    late,
    askedBy,
    projects: summarizePostedProjects(posted.projects),
    invitations: { came: posted.invitations, ...(await gatherInvitations(context, cover)) },
    response: medianTimes(samples),
    bids: await gatherBids(context, cover),
    outcomes: posted.outcomes,
    connects: sumUpConnects(context, profileIds, cover),
    credits: await gatherCredits(context, cover),
    setups: listSetupsNearDailyLimit(await readSetups()),
    feeds: listFeedProblems(now, posted.failures),
  };
  return isDigestEmpty(facts) ? facts : { ...facts, charts: await gatherCharts(context, facts) };
}

async function gatherCredits({ store, credits }: DigestsContext, { channel, from, to }: ChannelTimeRange) {
  let spent = 0;
  const range = { prefix: [channel] as const, from: [from], to: [to] };
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
      runsOutAt,
      isEarly,
      isShared: pool && (true as const),
      accountLeft: account.remaining,
      accountRunsOutAt: account.runsOutAt,
      accountLooksLikeTrial: account.looksLikeTrial,
    };
  });
}

const NEAR = 0.8;
const MOST_SETUPS = 30;
const FRESH_MS = 15 * MINUTE;
/** Older counters may be from another day. */
const OLDEST_MS = 6 * HOUR;
/** The longest that a digest waits for fresh setups. */
const PATIENCE_MS = 5 * SECOND;

/** Closest to the limit first. */
export function listSetupsNearDailyLimit(setups: readonly BiddingSetup[]): DigestFacts['setups'] {
  return setups
    .flatMap(({ id, name, sentToday, dailyLimit }) =>
      dailyLimit && sentToday !== undefined && sentToday >= NEAR * dailyLimit
        ? [{ id, name, sentToday, dailyLimit }]
        : [],
    )
    .sort((a, b) => b.sentToday / b.dailyLimit - a.sentToday / a.dailyLimit || a.id - b.id)
    .slice(0, MOST_SETUPS);
}

/** Fresh setups if the marketplace answers in time; otherwise the stored ones, unless they are too old. */
async function readSetups({ setups, clock, log }: DigestsContext) {
  const now = clock.now();
  const patience = new AbortController();
  const fresh = setups.refreshIfOlderThan(FRESH_MS, 'tracking').catch((thrown: unknown) => {
    log.info("Couldn't read setups for a digest", { error: thrown });
  });
  const enough = clock.sleep(PATIENCE_MS, patience.signal).catch(() => undefined);
  const read = (await Promise.race([fresh, enough])) as SetupList | undefined;
  patience.abort();
  const list = read ?? (await setups.readStoredSetups());
  return isRecent(list.readAt, OLDEST_MS, now) ? list.setups : [];
}

/** @throws StorageError */
export type SetupsReader = () => Promise<readonly BiddingSetup[]>;

/**
 * Shares one read of the setups among digests created in the same run. Otherwise each of them would wait for
 * an unresponsive marketplace.
 */
export function createSharedSetupsReader(context: DigestsContext): SetupsReader {
  let read: ReturnType<SetupsReader> | undefined;
  return () => {
    read ??= readSetups(context);
    return read;
  };
}
