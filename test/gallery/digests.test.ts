/** The room of digests: a busy day and its thread, other days, and what is wrong with a plan. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { DigestFacts } from '../../src/digests/facts.ts';
import { ChannelId, JobId, ProjectKey, UserId } from '../../src/ids.ts';
import { PostId } from '../../src/outbox/posts.ts';
import {
  digestInputErrorMessage,
  digestScheduleMessage,
  parseDigestArguments,
} from '../../src/slack/digests/digest-answers.ts';
import { digestMessage } from '../../src/slack/digests/digest-message.ts';
import { digestThreadPartMessage } from '../../src/slack/digests/digest-rows.ts';
import { appTestWith } from '../kit/app-test.ts';
import { readDrawn } from '../kit/read-screen.ts';
import { FAST_SETUP, SHOP, sendBid } from '../kit/start-desk.ts';

/** A Friday. */
const START = Date.UTC(2026, 10, 20, 9);
const WEB = ChannelId.parse('C0WEB');

appTestWith({ start: START, reviews: true })('the digest of a busy day', async ({ desk, ada, ben }) => {
  const { market, pass } = desk;
  const { service } = market;
  await ada.type('/gig digest at 9 Berlin');
  service.addProfile({ id: 31, label: 'Web studio', type: 'freelancer' });
  for (const kind of ['outcomes', 'invitations']) await ada.type(`/gig subscribe ${kind} 31`);
  await pass(3 * MINUTE);
  service.addInvitation({ profileId: 31, title: 'Photo shop' });
  const sent = service.addProposal({
    profileId: 31,
    jobTitle: 'Booking site',
    freelancer: { id: 11, fullName: 'Ana Lund' },
    submittedAt: desk.app.clock.now(),
    connects: 12,
    boost: 10,
    isViewed: false,
    isInterviewed: false,
    isHired: false,
    isInvitation: false,
    boostOutbid: false,
  });
  const titles = ['Rebuild our checkout', 'A dashboard', 'Data pipeline', 'Landing page'];
  const cards = [];
  for (const [n, title] of titles.entries()) {
    const client = {
      paymentMethodVerified: true,
      rating: 4.9 - n / 10,
      reviews: 32,
      totalHires: 9,
      totalSpent: 5_000,
      hireRate: 0.8,
    };
    const project = market.publish({ ...SHOP, title, client, connectsPrice: 8, skills: ['React'] });
    cards.push(await project.cardIn('web'));
    // It isn't waiting for an answer: there is a bid on its project.
    const jobPostingUid = project.project.ciphertext;
    if (n === 0) service.addInvitation({ profileId: 31, title: 'To be bid on', jobPostingUid });
  }
  const [first = expect.fail(), second = expect.fail()] = cards;
  await sendBid(ben, first);
  await ada.press(second, 'Claim');
  service.updateProposal(sent.id, { isViewed: true, isHired: true });
  service.updateSetup(FAST_SETUP.id, { proposalsSentToday: 18 });
  await pass(20 * MINUTE);
  await ada.type('/gig digest now');
  await pass(MINUTE);
  const digest = ada.reads('web').findLast((it) => it.text.startsWith('Digest for'));
  const thread = digest?.replies().map(({ text }) => text) ?? [];
  expect([digest?.text, ...thread].join('\n\n-----\n')).toMatchSnapshot();
});

const [ANA, JOB] = [UserId.parse('U0ANA'), JobId.parse(12)];
const QUIET: DigestFacts = {
  channel: WEB,
  from: START - 25 * HOUR,
  to: START - HOUR,
  timezone: 'Europe/Berlin',
  projects: { told: 0, best: [], unclaimed: 0, unclaimedList: [] },
  invitations: { came: 0, waiting: 0, list: [] },
  bids: { made: 0, open: 0, list: [] },
  outcomes: { counts: [], list: [] },
  credits: { spent: 0, settled: 312, limit: 500, resetsAt: Date.UTC(2026, 11, 15), confirmed: true },
  setups: [],
  feeds: [],
};
const { credits, to } = QUIET;
const soon = { runsOutAt: Date.UTC(2026, 11, 12) };
const anchor = { post: PostId.parse('anchor'), waitsForApproval: false, sent: false, by: ANA };
const waiting = { ...anchor, title: 'Shop', job: JOB, state: 'pending_review', waitsForApproval: true };
const unclaimedList = Array.from({ length: 300 }, (_none, n) => ({
  project: ProjectKey.parse(`~${n}`),
  title: `Project ${n}`,
  url: `https://www.marketplace.example/jobs/~${n}`,
}));

describe('a digest', () => {
  it.each<[string, Partial<DigestFacts>]>([
    ['of a quiet day', {}],
    ['after a weekend, elsewhere', { from: to - 3 * DAY, timezone: 'America/Los_Angeles' }],
    ['late', { late: { dueAt: to - DAY, missed: 2 }, askedBy: ANA }],
    ['whose budget runs out', { credits: { ...credits, ...soon } }],
    ['whose budget is used up', { credits: { ...credits, settled: 495, confirmed: false } }],
    [
      'whose account runs out',
      { credits: { ...credits, limit: 'unlimited', accountLeft: 90, accountRunsOutAt: to + DAY } },
    ],
    [
      'of connects',
      {
        connects: { proposals: 3, priced: 2, spent: 48, boost: 0 },
        credits: { ...credits, spent: 12, runsOutAt: to + 5 * HOUR },
      },
    ],
    [
      'of feeds',
      {
        feeds: [
          { feed: 'filter', id: 101, state: 'failed', code: 'server', since: to - HOUR },
          { feed: 'filter', id: 102, name: 'Node work', state: 'failing', code: 'not-found' },
          { feed: 'invitations', id: 301, name: 'Ana', state: 'failing', code: 'forbidden' },
          { feed: 'all', state: 'paused', since: to - 2 * DAY },
          { feed: 'outcomes', id: 301, state: 'stopped', code: 'is_archived' },
          { feed: 'filter', id: 103, state: 'out-of-budget' },
        ],
      },
    ],
    [
      'of a feed that works again',
      { feeds: [{ feed: 'filter', id: 101, state: 'failed', code: 'server', since: to - HOUR }] },
    ],
    [
      'of more bids than it lists',
      {
        bids: {
          made: 50,
          open: 20,
          list: [
            ...Array.from({ length: 58 }, () => waiting),
            { ...anchor, title: 'Data pipeline', state: 'unknown' },
            { ...anchor, title: 'Photo shop', state: 'failed', statusTitle: 'Failed' },
          ],
        },
      },
    ],
  ])('%s', (_name, change) => {
    expect(readDrawn(digestMessage({ ...QUIET, ...change }))).toMatchSnapshot();
  });

  it('lists in its thread as much as fits, and says how much stands nowhere', () => {
    const facts = { ...QUIET, projects: { told: 2_000, best: [], unclaimed: 2_000, unclaimedList } };
    const parts = Array.from({ length: 11 }, (_none, n) => digestThreadPartMessage(facts, n));
    expect(parts.map((part) => part?.text)).toMatchSnapshot('titles');
    expect(
      readDrawn(parts[9] ?? expect.fail())
        .split('\n')
        .slice(-2),
    ).toMatchSnapshot('its end');
  });
});

it.each(['tomorrow', 'at 25:00', '9:30 CET', '9 UTC+2', '9 Londn', '9 <!channel>'])(
  '/gig digest %s',
  (typed) => {
    const asked = parseDigestArguments(typed);
    if (!('typed' in asked)) return expect.fail('no mistake');
    expect(readDrawn(digestInputErrorMessage(asked, 'UTC'))).toMatchSnapshot();
  },
);

it('a digest in a time zone that is gone', () => {
  const plan = { channel: WEB, minute: 540, days: 'daily', timezone: 'Mars/<!here>', by: ANA } as const;
  const planned = {
    plan: { ...plan, team: 'T1' as never, setAt: START },
    timezone: 'UTC',
    next: START + DAY,
  };
  expect(readDrawn(digestScheduleMessage(planned, START))).toMatchSnapshot();
});
