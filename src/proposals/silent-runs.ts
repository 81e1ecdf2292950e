/** Warns a channel, once, when its latest bids all went without a view or an interview. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type Bid, bids, type Job, jobKey, jobs } from '../bidding/records.ts';
import { type Clock, DAY, HOUR, type Instant } from '../clock.ts';
import { ChannelId, ProposalId, TeamId } from '../ids.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { Collection, ReadTransaction, Store, Transaction } from '../storage/store.ts';
import type { ProposalMirror } from './mirror.ts';
import { type AnswerRate, findSilentRun, type JudgedBid, LONGEST_RUN, type SilentRun } from './silent-run.ts';

/** The run that a channel was warned of last. Key: [team, channel]. */
const SilentRunRecord = z.object({
  team: TeamId,
  channel: ChannelId,
  /** When its first bid was made. */
  from: z.number(),
  at: z.number(),
});

export const silentRuns: Collection<z.infer<typeof SilentRunRecord>> = {
  name: 'silent-runs',
  schema: SilentRunRecord,
  indexes: {},
};

interface SilentRunsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
  readonly mirror: Pick<
    ProposalMirror,
    'isLoaded' | 'estimateProgress' | 'listNewestFirst' | 'getFacts' | 'getByApplicationUid'
  >;
}

const CHECKED_EVERY_MS = 6 * HOUR;
/** As in the statistics: younger proposals had too little time for an answer. */
const OLD_ENOUGH_MS = 7 * DAY;
const RATED_MS = 90 * DAY;
/** Copies that are read less often may have missed answers. */
const FRESH_MS = DAY;
const MOST_RATED = 5_000;
/** Recent bids whose channels are checked, and bids read of each. */
const MOST_RECENT = 500;
const MOST_OF_A_CHANNEL = 4 * LONGEST_RUN;
const SLICE = 500;

function isAnswered({ viewed, interviewed, hired }: ProposalWithoutTexts): boolean {
  return viewed || interviewed || hired;
}

/** Whether the copies show the answers of every followed profile. */
function isUpToDate(mirror: SilentRunsContext['mirror'], now: Instant): boolean {
  const progress = mirror.estimateProgress();
  const isFresh = (readAt: Instant | undefined) => readAt !== undefined && now - readAt < FRESH_MS;
  return (
    mirror.isLoaded &&
    progress.length > 0 &&
    progress.every(({ state, readAt }) => state === 'complete' && isFresh(readAt))
  );
}

async function rateAnswers({ mirror }: SilentRunsContext, now: Instant): Promise<AnswerRate> {
  let [answered, proposals, read] = [0, 0, 0];
  for (const proposal of mirror.listNewestFirst()) {
    const { submittedAt, fromInvitation } = proposal;
    if (++read > MOST_RATED || (submittedAt !== undefined && submittedAt < now - RATED_MS)) break;
    if (read % SLICE === 0) await nextTurn();
    if (submittedAt === undefined || submittedAt > now - OLD_ENOUGH_MS || fromInvitation) continue;
    proposals++;
    if (isAnswered(proposal)) answered++;
  }
  return { answered, proposals };
}

/** The proposal that a bid became, as copied; undefined if it isn't copied. */
function findProposal({ mirror }: SilentRunsContext, job: Job | undefined) {
  if (job?.proposal) return mirror.getFacts(ProposalId.parse(job.proposal.id));
  return job?.applicationUid === undefined ? undefined : mirror.getByApplicationUid(job.applicationUid);
}

/** A channel's bids that are old enough and whose answer is known, newest first. */
async function judgeBids(
  tx: ReadTransaction,
  context: SilentRunsContext,
  channel: ChannelId,
  now: Instant,
): Promise<readonly JudgedBid[]> {
  const { team } = context;
  const range = { index: 'byChannel', prefix: [team, channel], to: [now - OLD_ENOUGH_MS] } as const;
  const listed = await tx.list(bids, { ...range, limit: MOST_OF_A_CHANNEL, reverse: true });
  const created = listed.flatMap(({ value: { at, job } }) => (job === undefined ? [] : [{ at, job }]));
  const found = await tx.getMany(
    jobs,
    created.map(({ job }) => jobKey(team, job)),
  );
  return created.flatMap(({ at }, place): JudgedBid[] => {
    const proposal = findProposal(context, found[place]);
    return proposal && !proposal.withdrawn ? [{ at, isAnswered: isAnswered(proposal) }] : [];
  });
}

async function listChannels(tx: ReadTransaction, team: TeamId): Promise<readonly ChannelId[]> {
  const recent = await tx.list(bids, { index: 'byAge', prefix: [team], limit: MOST_RECENT, reverse: true });
  return [...new Set(recent.map(({ value }: { readonly value: Bid }) => value.channel))];
}

async function findNewRun(
  tx: ReadTransaction,
  context: SilentRunsContext,
  channel: ChannelId,
  rate: AnswerRate,
): Promise<SilentRun | undefined> {
  const { team, clock } = context;
  const warned = await tx.get(silentRuns, [team, channel]);
  return findSilentRun(await judgeBids(tx, context, channel, clock.now()), rate, warned?.from);
}

/** With fewer proposals, their share says little. */
const LEAST_RATED = 30;

/** The record is stored with the post, so no run is announced twice. */
async function warnIfSilent(
  tx: Transaction,
  context: SilentRunsContext,
  channel: ChannelId,
  rate: AnswerRate,
): Promise<void> {
  const { team, clock } = context;
  const at = clock.now();
  const run = await findNewRun(tx, context, channel, rate);
  if (!run) return;
  const { answered, proposals } = rate;
  const usual = proposals < LEAST_RATED ? {} : { usualPercent: Math.round((answered / proposals) * 100) };
  await tx.put(silentRuns, [team, channel], { team, channel, from: run.from, at });
  await enqueuePost(tx, {
    team,
    id: PostId.parse(`silent-run:${channel}:${run.from}`),
    channel,
    content: { kind: 'silent-run', ...run, ...usual },
    order: at,
    at,
  });
}

async function checkChannels(context: SilentRunsContext, at: Instant, signal: AbortSignal): Promise<void> {
  const { team, store } = context;
  const channels = await store.read((tx) => listChannels(tx, team));
  const rate = await rateAnswers(context, at);
  for (const channel of channels) {
    if (signal.aborted) return;
    if (await store.read((tx) => findNewRun(tx, context, channel, rate)))
      await store.transact((tx) => warnIfSilent(tx, context, channel, rate));
    await nextTurn();
  }
}

export function createSilentRunJob(context: SilentRunsContext): ScheduledJob {
  const { mirror } = context;
  let nextAt: Instant = Number.NEGATIVE_INFINITY;
  return {
    name: 'bids without answers',
    async runIfDue(at, signal) {
      // A clock that was set back must not postpone the next check for long.
      if ((at < nextAt && nextAt - at <= CHECKED_EVERY_MS) || !isUpToDate(mirror, at)) return;
      nextAt = at + CHECKED_EVERY_MS;
      await checkChannels(context, at, signal);
    },
  };
}
