/** Realistic bids and jobs, to be adapted by tests. */
import * as fc from 'fast-check';
import type { BidWithJob } from '../../../src/bidding/bidding.ts';
import type { ProjectBidsAndJobs } from '../../../src/bidding/project-bidding.ts';
import type { Bid, Job, JobApproval, LinkedProposal } from '../../../src/bidding/records.ts';
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

export function linked(change: Partial<LinkedProposal> = {}): LinkedProposal {
  return {
    id: 900,
    submittedAt: NOW,
    connects: 16,
    boost: 10,
    position: 3,
    viewed: false,
    interviewed: false,
    hired: false,
    withdrawn: false,
    boostOutbid: false,
    ...change,
  };
}

export const HOSTILE = [
  '<!channel> <@U0ANA>',
  '<https://evil.example|Pay here>',
  '\u202Egnp.exe\u0000',
  '&<>'.repeat(7_000),
  '😀'.repeat(400),
  'x'.repeat(20_000),
  '',
];

const hostile = fc.constantFrom(...HOSTILE);
const maybe = fc.option(hostile, { nil: undefined });

/** Leaves out undefined fields, as our records do. */
function without(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

const refusal = fc
  .record({ code: hostile, serverMessage: maybe, fields: fc.dictionary(hostile, hostile, { maxKeys: 5 }) })
  .map((it) => without(it) as never);

export const anyJob: fc.Arbitrary<Job> = fc
  .record({
    id: fc.integer({ min: 1, max: 1e15 }).map((id) => JobId.parse(id)),
    title: maybe,
    setupName: maybe,
    bidAmount: maybe,
    status: fc.oneof(hostile, fc.constantFrom('pending_review', 'skipped', 'scheduled', 'processing')),
    statusTitle: maybe,
    scheduledAt: fc.oneof(maybe, fc.constant('2026-11-20 09:30:00')),
    reason: maybe,
    processedAt: maybe,
    errorMessage: maybe,
    retryCount: fc.option(fc.nat(), { nil: undefined }),
    applicationUid: maybe,
    proposal: fc.option(fc.constant(linked({ viewed: true })), { nil: undefined }),
    approval: fc.option(
      fc
        .record({
          state: fc.constantFrom('sending', 'approved', 'refused', 'unknown'),
          approvedBy: maybe,
          overrode: maybe,
          refusal,
        })
        .map((it) => approval(without(it) as never)),
      { nil: undefined },
    ),
    follow: fc.constantFrom(
      { state: 'following', since: NOW, step: 0, dueAt: NOW },
      { state: 'settled', at: NOW },
      { state: 'left', at: NOW },
      { state: 'gone', at: NOW },
    ),
    knownAt: fc.nat(),
  })
  .map((change) => ({ ...without(foreignJob({ title: '' })), ...without(change) }) as Job);

const anyView: fc.Arbitrary<BidWithJob> = fc
  .record({
    title: hostile,
    url: hostile,
    setupName: maybe,
    state: fc.constantFrom('sending', 'created', 'skipped', 'refused', 'unknown'),
    refusal,
    at: fc.nat(),
    job: fc.option(anyJob, { nil: undefined }),
  })
  .map(({ job: became, ...change }) => ({
    bid: bid({ ...(without(change) as Partial<Bid>), ...(became ? { job: became.id } : {}) }),
    ...(became ? { job: became } : {}),
  }));

export const anyBidding: fc.Arbitrary<ProjectBidsAndJobs> = fc.record({
  bids: fc.array(anyView, { maxLength: 8 }),
  otherJobs: fc.array(anyJob, { maxLength: 8 }),
});
