/** Putting on record, and telling, what came of a bid. */
import type { Instant } from '../clock.ts';
import type { ProjectKey } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import type { Transaction } from '../storage/store.ts';
import { auditBidAnswer } from './audit-bid.ts';
import type { BidView } from './bidding.ts';
import { type BidAnswer, isInDoubt, settleBid } from './decide-bid.ts';
import { isElsewhere } from './job-project.ts';
import { jobOf, keepNamedJob, linkJob, linkNames } from './link-job.ts';
import { viewOf } from './project-bidding.ts';
import { stateOf } from './read-status.ts';
import { type Bid, bidKey, bids, type Job } from './records.ts';
import { tellNews } from './tell.ts';

/**
 * Settles a claim with its answer: bid, job, audit entry and news in one. A claim that is not open any more stays as it is.
 * @returns what is on record afterwards
 */
export async function recordBidAnswer(
  tx: Transaction,
  claimed: Bid,
  answer: BidAnswer,
  at: Instant,
): Promise<BidView | undefined> {
  const key = bidKey(claimed.team, claimed.id);
  const there = await tx.get(bids, key);
  if (there?.attempt !== claimed.attempt || there.state !== 'sending') return there && viewOf(tx, there);
  const bid = settleBid(there, answer, at);
  await tx.put(bids, key, bid);
  await keepJob(tx, bid, answer, at);
  const job = await jobOf(tx, bid);
  const words = answer.kind === 'created' || answer.kind === 'skipped' ? wordsOf(job) : undefined;
  await auditBidAnswer(tx, bid, words);
  const matter = `bid:${bid.id}:${bid.attempt}`;
  const elsewhere = isElsewhere(bid, job) ? job?.project : undefined;
  await tellNews(tx, bid, matter, newsOf(bid, answer, elsewhere), at);
  return known({ bid, job });
}

function wordsOf(job: Job | undefined): string | undefined {
  return job && (job.statusTitle ?? job.status);
}

async function keepJob(tx: Transaction, bid: Bid, answer: BidAnswer, at: Instant): Promise<void> {
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      await linkJob(tx, bid, answer.job, at);
      await linkNames(tx, bid, answer.job, at);
      return;
    case 'refused':
    case 'unknown':
      if (answer.job !== undefined) await keepNamedJob(tx, bid, answer.job, at);
  }
}

function newsOf(bid: Bid, answer: BidAnswer, elsewhere: ProjectKey | undefined): BidNews {
  const { by, title, setupName } = bid;
  const what = { by, title, setup: bid.request.setup, ...known({ setupName }) };
  const doubt = isInDoubt(bid) ? { doubt: true as const } : {};
  switch (answer.kind) {
    case 'created':
    case 'skipped': {
      const { id, status, statusTitle, scheduledAt } = answer.job;
      const state = { ...what, job: id, status, ...known({ statusTitle, scheduledAt }) };
      return answer.kind === 'created'
        ? { about: 'bid-created', ...state, ...known({ elsewhere }) }
        : { about: 'bid-skipped', ...state, ...known({ message: answer.message }), ...doubt };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      return {
        about: 'bid-refused',
        ...what,
        code,
        ...known({ serverMessage, fields, job: answer.job }),
        ...doubt,
      };
    }
    case 'unknown':
      return { about: 'bid-unknown', ...what, ...known({ httpStatus: answer.httpStatus }) };
  }
}

/**
 * A bid of which nothing was known has become this job.
 * @param audit the entry of the attempt that has, where it is known
 * @param told the job as it is on record
 */
export async function recordBidFound(
  tx: Transaction,
  bid: Bid,
  audit: Bid['audit'] | undefined,
  told: Job,
  at: Instant,
): Promise<void> {
  await tx.put(bids, bidKey(bid.team, bid.id), bid);
  if (audit) await auditBidAnswer(tx, { ...bid, audit }, wordsOf(told));
  const { by, title, id, attempt } = bid;
  const news: BidNews = { about: 'bid-found', by, title, ...stateOf(told) };
  await tellNews(tx, bid, `bid-found:${id}:${attempt}:${told.id}`, news, at);
}
