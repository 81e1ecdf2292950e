/** Realistic facts of a digest, to be adapted by tests. */
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { BestProject, DigestFacts } from '../../src/digests/facts.ts';
import { InvitationUid, JobId, ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import { PostId } from '../../src/outbox/posts.ts';
import { ANA, CHANNEL, NOW } from '../slack/samples.ts';

/** Fri 20 Nov 2026, 09:00 in Berlin. */
export const MORNING = NOW - HOUR;

/** Of each bid. */
const ANCHOR = PostId.parse('anchor');

/** A quiet day. */
export function digestFacts(change: Partial<DigestFacts> = {}): DigestFacts {
  return {
    channel: CHANNEL,
    from: MORNING - DAY,
    to: MORNING,
    timezone: 'Europe/Berlin',
    projects: { told: 0, best: [], unclaimed: 0, unclaimedList: [] },
    invitations: { came: 0, waiting: 0, list: [] },
    bids: { made: 0, open: 0, list: [] },
    outcomes: { counts: [], list: [] },
    credits: {
      spent: 0,
      settled: 312,
      limit: 500,
      resetsAt: Date.UTC(2026, 11, 15),
      confirmed: true,
    },
    setups: [],
    feeds: [],
    ...change,
  };
}

export function told(number: number): DigestFacts['projects']['unclaimedList'][number] {
  return {
    project: ProjectKey.parse(`~0${number}`),
    title: `Project ${number}`,
    url: `https://www.marketplace.example/jobs/~0${number}`,
    publishedAt: MORNING - number * MINUTE,
  };
}

export function unclaimed(many: number): Pick<DigestFacts['projects'], 'unclaimed' | 'unclaimedList'> {
  return { unclaimed: many, unclaimedList: Array.from({ length: many }, (_, at) => told(at + 1)) };
}

export function best(number: number, reasons: BestProject['reasons']): BestProject {
  return { ...told(number), points: 60, reasons };
}

/** A day with everything. */
export function busyDay(): DigestFacts {
  return digestFacts({
    projects: {
      told: 23,
      best: [
        {
          ...told(1),
          title: 'Rebuild our checkout in React',
          budget: { type: 'Fixed', amount: '$1,500' },
          points: 86,
          reasons: [
            { why: 'verdict', decision: 'qualified', reason: 'Fits the portfolio' },
            { why: 'rating', rating: 4.9, reviews: 32 },
            { why: 'budget-above', amount: 1_500, usual: 900 },
            { why: 'no-hires' },
          ],
        },
        best(2, [{ why: 'hire-rate', rate: 0.8 }, { why: 'verified' }, { why: 'filters', count: 2 }]),
        best(3, [{ why: 'rating', rating: 5 }]),
      ],
      ...unclaimed(12),
    },
    invitations: {
      came: 1,
      waiting: 4,
      list: ['Photo shop', 'Data pipeline', 'Landing page', 'Audit of a contract'].map((title, at) => ({
        uid: InvitationUid.parse(`inv-${at}`),
        title,
        post: PostId.parse(`inv-${at}`),
        profile: 'Web studio',
        invitedAt: MORNING - at * DAY,
      })),
    },
    bids: {
      made: 3,
      open: 1,
      list: [
        {
          post: ANCHOR,
          title: 'Rebuild our checkout in React',
          by: ANA,
          setupName: 'Night shift',
          job: JobId.parse(12),
          state: 'pending_review',
          statusTitle: 'Pending review',
          waitsForApproval: true,
          sent: false,
        },
        {
          post: ANCHOR,
          title: 'Landing page',
          by: UserId.parse('U0BEN'),
          job: JobId.parse(13),
          state: 'done',
          waitsForApproval: false,
          sent: true,
        },
        {
          post: ANCHOR,
          title: 'Data pipeline',
          by: ANA,
          state: 'unknown',
          waitsForApproval: false,
          sent: false,
        },
        {
          post: ANCHOR,
          title: 'Photo shop',
          by: ANA,
          state: 'refused',
          waitsForApproval: false,
          sent: false,
        },
      ],
    },
    outcomes: {
      counts: [
        { outcome: 'viewed', count: 5 },
        { outcome: 'hired', count: 1 },
        { outcome: 'interviewed', count: 2 },
      ],
      list: [
        { outcome: 'hired', title: 'Booking site', freelancer: 'Ana Lund' },
        { outcome: 'interviewed', title: 'Garden planner', freelancer: 'Ana Lund' },
        { outcome: 'interviewed', title: 'Ticket shop' },
        { outcome: 'viewed', title: 'Photo shop' },
      ],
    },
    connects: { proposals: 3, priced: 3, spent: 48, boost: 10 },
    credits: {
      spent: 23,
      settled: 312,
      limit: 500,
      resetsAt: Date.UTC(2026, 11, 15),
      confirmed: true,
      runsOutAt: Date.UTC(2026, 11, 12),
      accountLeft: 4_200,
    },
    setups: [{ id: SetupId.parse(7), name: 'Night shift', sentToday: 18, dailyLimit: 20 }],
    feeds: [
      {
        feed: 'filter',
        id: 101,
        name: 'React work',
        state: 'failing',
        code: 'server',
        since: MORNING - HOUR,
      },
    ],
    charts: {
      burn: [
        { day: '2026-11-15', spent: 40, pace: 17 },
        { day: '2026-11-16', spent: 120, pace: 33 },
        { day: '2026-11-17', spent: 312, pace: 50 },
      ],
      stages: {
        days: 30,
        sent: 412,
        viewed: 187,
        interviewed: 46,
        hired: 9,
        invited: { sent: 3, hired: 1 },
      },
      arrivals: {
        days: 30,
        byTime: [0, 0, 1, 4, 20, 31, 28, 40, 33, 12, 6, 2],
        byWeekday: [30, 41, 38, 32, 25, 6, 5],
      },
    },
  });
}
