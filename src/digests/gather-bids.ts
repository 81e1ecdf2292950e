/** A channel's bids: those made within a time range, and those still open. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { BidWithJob } from '../bidding/bidding.ts';
import { isPendingReview } from '../bidding/job-status-text.ts';
import { joinBidWithJob } from '../bidding/project-bidding.ts';
import { type Bid, bids, type Job, jobs } from '../bidding/records.ts';
import type { TeamId } from '../ids.ts';
import type { Store } from '../storage/store.ts';
import type { DigestFacts } from './facts.ts';
import type { ChannelTimeRange } from './gather-posted-content.ts';
import { buildTimeIndexRange, scanRecordsInPages } from './read-pages.ts';
import { ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

type Row = DigestFacts['bids']['list'][number];

/** The rest is only counted. Closed bids are dropped before open ones, oldest first. */
const MOST_LISTED = 2 * ROWS_PER_THREAD_MESSAGE;
const UNTITLED = '';

/** Like the card: an approval that was given or is being sent isn't pending. */
function waitsForApproval(job: Job): boolean {
  const state = job.approval?.state;
  return isPendingReview(job) && state !== 'sending' && state !== 'approved';
}

function describeJob(job: Job): Pick<Row, 'job' | 'state' | 'statusTitle' | 'waitsForApproval' | 'sent'> {
  return {
    job: job.id,
    state: job.status,
    ...omitUndefined({ statusTitle: job.statusTitle }),
    waitsForApproval: waitsForApproval(job),
    sent: job.proposal !== undefined || job.applicationUid !== undefined,
  };
}

function rowOfBid({ bid, job }: BidWithJob): Row {
  const { title, by, setupName, state } = bid;
  // On a refusal, `job` is another bid's job that blocks this one.
  const isOwn = state === 'created' || state === 'skipped';
  const stands = job && isOwn ? describeJob(job) : { state, waitsForApproval: false, sent: false };
  return { title, by, ...omitUndefined({ setupName }), ...stands };
}

function rowOfJob(job: Job): Row {
  return {
    title: job.title ?? UNTITLED,
    ...omitUndefined({ setupName: job.setupName }),
    ...describeJob(job),
  };
}

interface Found {
  readonly at: number;
  readonly row: Row;
  readonly isOpen: boolean;
}

function chooseListed(found: readonly Found[]): readonly Found[] {
  return found
    .toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.at - a.at)
    .slice(0, MOST_LISTED)
    .sort((a, b) => b.at - a.at);
}

export async function gatherBids(
  { store, team }: { readonly store: Store; readonly team: TeamId },
  when: ChannelTimeRange,
): Promise<DigestFacts['bids']> {
  const { channel } = when;
  const found = new Map<string, Found>();
  const addBid = ({ bid, job }: BidWithJob, isOpen: boolean) =>
    found.set(`bid:${bid.id}`, { at: bid.at, row: rowOfBid({ bid, ...omitUndefined({ job }) }), isOpen });
  let made = 0;

  const since = { index: 'byAge', prefix: [team] as const, ...buildTimeIndexRange(when) };
  await scanRecordsInPages(store, bids, since, async (tx, page) => {
    for (const bid of page.filter((each) => each.channel === channel)) {
      made += 1;
      addBid(await joinBidWithJob(tx, bid), false);
    }
  });
  const isOpen = (bid: Bid) =>
    bid.channel === channel && (bid.state === 'unknown' || bid.state === 'sending');
  await scanRecordsInPages(store, bids, { index: 'doubtful', prefix: [team] }, async (tx, page) => {
    for (const bid of page.filter(isOpen)) addBid(await joinBidWithJob(tx, bid), true);
  });
  await scanRecordsInPages(store, jobs, { index: 'due', prefix: [team] }, async (tx, page) => {
    for (const job of page.filter((each) => each.channel === channel)) {
      const bid = job.bid && (await tx.get(bids, [team, job.bid]));
      if (bid) addBid({ bid, job }, true);
      else found.set(`job:${job.id}`, { at: job.knownAt, row: rowOfJob(job), isOpen: true });
    }
  });

  const list = chooseListed([...found.values()]).map(({ row }) => row);
  return { made, open: found.size - made, list };
}
