/** Bids and jobs as they are stored, to be adapted by tests. */
import { decideFirstStatusCheck } from '../../src/bidding/decide-job.ts';
import { type Bid, bidId, type Job } from '../../src/bidding/records.ts';
import { ChannelId, JobId, ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import { PostId } from '../../src/outbox/posts.ts';

export const START = Date.UTC(2026, 0, 5, 9);
export const channel = ChannelId.parse('C1');
export const ann = UserId.parse('UANN');
export const home = PostId.parse('bid:C1:7:0123');
export const project = ProjectKey.parse('~0123');
export const jobNumber = (id: number) => JobId.parse(id);

const title = 'Rebuild our checkout';

/** A job's record just after its creation, without a bid from here. */
export function plainJob(id: number, change: Partial<Job> = {}): Job {
  const at = change.knownAt ?? START;
  const follow = decideFirstStatusCheck(change.scheduledAt, at);
  const setup = SetupId.parse(7);
  const known = { channel, home, title, setup, readAt: at, knownAt: at, follow, told: 0 };
  return { ...known, id: jobNumber(id), status: 'scheduled', ...change };
}

/** A bid without an answer. */
export function plainBid(setup: number, change: Partial<Bid> = {}): Bid {
  const id = SetupId.parse(setup);
  return {
    id: bidId('~0123', id),
    project,
    title,
    channel,
    home,
    by: ann,
    at: START,
    request: { setup: id, marketplaceJobId: '~0123' },
    attempt: 1,
    state: 'unknown',
    audit: [START, setup],
    ...change,
  };
}
