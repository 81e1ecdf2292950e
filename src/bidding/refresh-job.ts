/** Refreshes a job for a person. */
import type { JobId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { StorageError } from '../storage/store.ts';
import type { JobRefreshResult } from './bidding.ts';
import type { BiddingContext } from './context.ts';
import { recordJobGone, recordJobStatus } from './record-job-status.ts';
import { type Job, jobKey, jobs } from './records.ts';

type Read = { readonly status: JobStatusReport } | { readonly error: MarketplaceError };

async function read({ marketplace }: BiddingContext, id: JobId): Promise<Read> {
  try {
    return { status: await marketplace.fetchJobStatus(id, { lane: 'person' }) };
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) return { error: thrown };
    throw thrown;
  }
}

/** The person gets a response even if storing fails; the next status check updates the record. */
async function orAsBefore(
  { log }: BiddingContext,
  recorded: Promise<Job | undefined>,
  before: Job | undefined,
): Promise<Job | undefined> {
  try {
    return await recorded;
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.error("Couldn't store a job status", { error: thrown });
    return before;
  }
}

/** See `BiddingService.refreshJob`. */
export async function refreshJobForPerson(context: BiddingContext, id: JobId): Promise<JobRefreshResult> {
  const { team, store, clock } = context;
  const before = await store.read((tx) => tx.get(jobs, jobKey(team, id)));
  const askedAt = clock.now();
  const answer = await read(context, id);
  if ('error' in answer) {
    const { error } = answer;
    const isGone = before !== undefined && error.code === 'not-found';
    const job = isGone ? await orAsBefore(context, recordJobGone(context, before), before) : before;
    return { kind: 'failed', error, ...(job ? { job } : {}) };
  }
  const { status } = answer;
  const job = await orAsBefore(context, recordJobStatus(context, before, status, askedAt, true), before);
  return { kind: 'found', status, ...(job ? { job } : {}) };
}
