/** Realistic bids and jobs, to be adapted by tests. */
import type { Bid, Job, JobApproval } from '../../../src/bidding/records.ts';
import { BidId, JobId, SetupId, TemplateId } from '../../../src/ids.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { PostId } from '../../../src/outbox/posts.ts';
import { ANA, BEN, CHANNEL, listed, NOW, TEAM } from '../samples.ts';

export const JOB = JobId.parse(12);
export const NIGHT: BiddingSetup = {
  id: SetupId.parse(7),
  name: 'Night shift',
  status: 'active',
  template: { id: TemplateId.parse(3), name: 'Shops' },
  dailyLimit: 20,
  sentToday: 3,
  totalSent: 100,
};
const HOME = PostId.parse('card:C0WEB:~0123456789');

export function bid(change: Partial<Bid> = {}): Bid {
  const { key, title, url } = listed();
  return {
    team: TEAM,
    id: BidId.parse('7:0123456789'),
    project: key,
    title,
    url,
    channel: CHANNEL,
    home: HOME,
    by: ANA,
    at: NOW,
    request: { setup: NIGHT.id, marketplaceJobId: '~0123456789', bidAmount: 500, boostConnects: 10 },
    setupName: NIGHT.name,
    attempt: 1,
    state: 'created',
    audit: [TEAM, NOW, 1],
    ...change,
  };
}

export function job(change: Partial<Job> = {}): Job {
  return {
    team: TEAM,
    id: JOB,
    bid: BidId.parse('7:0123456789'),
    project: listed().key,
    title: listed().title,
    marketplaceJobId: '~0123456789',
    channel: CHANNEL,
    home: HOME,
    setup: NIGHT.id,
    setupName: NIGHT.name,
    bidAmount: '500.00',
    status: 'scheduled',
    statusTitle: 'Scheduled for bidding',
    scheduledAt: '2026-11-20T09:30:00Z',
    readAt: NOW,
    knownAt: NOW,
    follow: { state: 'following', since: NOW, step: 0, dueAt: NOW + 15_000 },
    told: 1,
    ...change,
  };
}

export const WAITING = { status: 'pending_review', statusTitle: 'Pending review' } as const;

/** A job without a bid from here. */
export function foreignJob(change: Partial<Job> = {}): Job {
  const { bid: _bid, setup: _setup, setupName: _name, ...rest } = job();
  return { ...rest, id: JobId.parse(13), ...change };
}

export function approval(change: Partial<JobApproval> = {}): JobApproval {
  return { state: 'approved', by: BEN, at: NOW, attempt: 1, audit: [TEAM, NOW, 2], ...change };
}
