/** The room of reports: proposals found, one proposal, statistics, the funnel, and outcomes. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { countProgress, LOSS_REASONS, type ProjectProgress } from '../../src/funnel/count-steps.ts';
import { FUNNEL_STEPS } from '../../src/funnel/funnel.ts';
import { ChannelId, FilterId, ProfileId, ProposalId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { OutcomeNews } from '../../src/outbox/news.ts';
import {
  outcomeListMessage,
  outcomesSummaryMessage,
  proposalOutcomeMessage,
} from '../../src/slack/proposals/outcome-message.ts';
import {
  type ProfileCoverage,
  type ProposalsCoverage,
  proposalsCoverageText,
} from '../../src/slack/proposals/proposals-coverage.ts';
import { noProposalsFoundMessage } from '../../src/slack/proposals/proposals-found.ts';
import { type FunnelFacts, funnelMessage } from '../../src/slack/stats/funnel-message.ts';
import { statsMessage } from '../../src/slack/stats/stats-message.ts';
import { calculateStatistics } from '../../src/statistics/statistics.ts';
import type { SimulatedProposal } from '../../src/workbench/marketplace/records.ts';
import { appTestWith } from '../kit/app-test.ts';
import { readDrawn } from '../kit/read-screen.ts';
import type { Desk } from '../kit/start-desk.ts';
import { plainProposal } from '../plain-proposal.ts';

/** A Friday. */
const START = Date.UTC(2026, 10, 20, 9);
const appTest = appTestWith({ empty: true, start: START });
const PITCH = { id: 12, name: 'Short pitch' };
const LONG = { id: 13, name: 'Long letter' };
const QUESTION = { id: 14, name: 'Question first' };

/** One proposal, of which everything is known. */
const WHOLE: Partial<SimulatedProposal> = {
  jobTitle: 'Rebuild our checkout in React',
  coverLetter: 'Hello! I have rebuilt three checkouts in React.\n\nShall we talk?',
  answers: [{ question: 'When could you begin?', answer: 'On Monday.' }],
  jobPostedAt: START - 2 * DAY,
  freelancer: { id: 11, fullName: 'Ana Lund' },
  businessManager: { id: 12, fullName: 'Ben' },
  terms: { fixedPrice: 0, hourlyRate: 45, increasePercent: 10, increaseFrequency: 6 },
  occupationTitle: 'Front-end developer',
  applicationUid: '1795165021234567890',
};

/** Three templates, one of them clearly better, one hardly used; recent ones, and replies to invitations. */
function addMonth({ market }: Desk): void {
  const { service } = market;
  service.addProfile({ id: 31, label: 'Web studio', type: 'freelancer' });
  let sent = 0;
  const add = (count: number, biddingTemplate: typeof PITCH, known: Partial<SimulatedProposal> = {}) => {
    for (let n = 0; n < count; n++)
      service.addProposal({
        ...WHOLE,
        profileId: 31,
        id: ++sent,
        applicationUid: `17951650${sent}`,
        submittedAt: START - (21 - (n % 7)) * DAY,
        isViewed: false,
        isInterviewed: false,
        isHired: false,
        isWithdrawn: false,
        isInvitation: false,
        isArchived: false,
        boostOutbid: false,
        connects: 12,
        boost: n % 3 === 0 ? 10 : 0,
        submissionPosition: 1 + (n % 30),
        coverLetterVariant: n % 2 === 0 ? 'A' : 'B',
        biddingTemplate,
        ...known,
      });
  };
  add(4, PITCH, { isViewed: true, isInterviewed: true, isHired: true });
  add(10, PITCH, { isViewed: true, isInterviewed: true, jobTitle: 'Booking site' });
  add(46, PITCH);
  add(10, LONG, { isViewed: true });
  add(61, LONG);
  add(3, LONG, { isWithdrawn: true });
  add(6, QUESTION);
  add(23, PITCH, { submittedAt: START - 2 * DAY });
  add(9, PITCH, { isInvitation: true, isArchived: true, boostOutbid: true, jobTitle: 'Garden shop' });
}

/** What stands between the numbers of all proposals and the foot. */
function groupsOf(text: string): string {
  return text.slice(text.indexOf('By '), text.indexOf('Ranges in'));
}

appTest('proposals and their statistics', async ({ desk, ada }) => {
  addMonth(desk);
  expect((await ada.type('/gig proposals')).text).toMatchSnapshot('nothing is followed');
  await ada.type('/gig subscribe outcomes 31');
  await desk.pass(2 * MINUTE);
  const found = await ada.type('/gig proposals hired "booking sites" -shop');
  expect(found.text).toMatchSnapshot('nothing is found');
  expect((await found.press('Show')).text).toMatchSnapshot('a page');
  const typo = await ada.type('/gig proposals chekout is:hired');
  expect(typo.text.split('\n').slice(0, 3)).toMatchSnapshot('a typing error');
  expect((await ada.type('/gig proposals react is:veiwed')).text).toMatchSnapshot('a mistake');
  expect((await ada.type('/gig proposals 165')).text).toMatchSnapshot('one proposal');
  expect((await ada.type('/gig proposals 987')).text).toMatchSnapshot('no such proposal');
  const stats = await ada.type('/gig stats');
  expect(stats.text).toMatchSnapshot('statistics');
  for (const dimension of ['letter', 'boost', 'position', 'profile', 'weekday'])
    expect(groupsOf((await stats.press(`By ${dimension}`)).text)).toMatchSnapshot(dimension);
});

const PROFILE: ProfileCoverage = {
  profile: ProfileId.parse(31),
  name: 'Web studio',
  state: 'complete',
  held: 9,
  total: 9,
  readAt: START - MINUTE,
};

function covering(...profiles: readonly Partial<ProfileCoverage>[]): ProposalsCoverage {
  return { profiles: profiles.map((each) => ({ ...PROFILE, ...each })), isLoaded: true, behind: 0 };
}

const COPYING = { state: 'copying', held: 4_300, total: 10_000, leftMs: 12 * MINUTE } as const;
const LATER = { profile: ProfileId.parse(32), name: 'Ben' };
const TROUBLE = { code: 'not-found', since: START, retryAt: START + MINUTE };

it.each<[string, ProposalsCoverage]>([
  ['two as fresh', covering({}, { ...LATER, readAt: START - 2 * MINUTE })],
  ['one less fresh', covering({}, { ...LATER, readAt: START - HOUR })],
  ['a first copy', covering(COPYING)],
  ['almost done', covering({ ...COPYING, held: 10_020 })],
  ['not begun', covering({ state: 'waiting' })],
  ['in trouble', covering({ trouble: TROUBLE })],
  ['nobody any more', covering()],
  ['not indexed yet', { ...covering({}), behind: 412 }],
  ['not loaded yet', { ...covering({}), isLoaded: false }],
])('what a search covers: %s', (_, coverage) => {
  expect(readDrawn({ text: proposalsCoverageText(coverage) })).toMatchSnapshot();
});

it('a search that finds nothing in a copy that goes on', () => {
  const message = noProposalsFoundMessage('react', { instead: [], coverage: covering(COPYING) });
  expect(readDrawn(message)).toMatchSnapshot();
});

/** Similar proposals, sent three weeks ago unless told otherwise. */
function some(count: number, known: Partial<Proposal> = {}): readonly Proposal[] {
  const submittedAt = START - 21 * DAY;
  return Array.from({ length: count }, (_, n) =>
    plainProposal(n + 1, { submittedAt, connects: 12, template: PITCH, ...known }),
  );
}

const YOUNG = { submittedAt: START - DAY };
const { connects: _, ...unpriced } = plainProposal(1, { viewed: true, interviewed: true });
const many = Array.from({ length: 40 }, (_none, n) => some(10, { template: { id: n + 1, name: `T${n}` } }));

it.each<[string, readonly Proposal[], number?]>([
  ['a small sample', some(6)],
  [
    'no price known of some',
    [...some(2), ...some(12).map((it) => ({ ...unpriced, id: it.id, submittedAt: it.submittedAt ?? 0 }))],
  ],
  ['only replies to invitations', some(12, { fromInvitation: true })],
  [
    'too early to compare',
    [...some(40, { ...YOUNG, viewed: true }), ...some(40, { ...YOUNG, template: LONG })],
    6,
  ],
  ['nothing old enough', some(3, YOUNG)],
  ['nothing', [], 365],
  ['more templates than fit', many.flat()],
])('statistics: %s', async (_name, proposals, days = 30) => {
  const newestFirst = proposals.toSorted((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  const order = { from: START - days * DAY, to: START, timezone: 'Europe/Berlin' };
  const statistics = await calculateStatistics(newestFirst, order, async () => {});
  const facts = { days, statistics, coverage: covering(COPYING), dimension: statistics.clearestDimension };
  const lines = readDrawn(statsMessage(facts)).split('\n');
  expect(lines.filter((line) => !/^“T[1-9]/u.test(line)).join('\n')).toMatchSnapshot();
});

const WEB = ChannelId.parse('C0WEB');
/** Every reason of every step, more of the later ones. */
const everything: readonly ProjectProgress[] = [
  ...FUNNEL_STEPS.flatMap((step) =>
    LOSS_REASONS[step].flatMap((lost, n) => Array.from({ length: n + 1 }, () => ({ step, lost }))),
  ),
  { step: 'hired' },
];
const all = countProgress(everything);
const byFilter: FunnelFacts = {
  days: 30,
  by: 'filter',
  channel: WEB,
  funnel: {
    all,
    isCut: false,
    groups: [
      { key: { kind: 'filter', filter: FilterId.parse(101) }, name: 'React work', count: all },
      {
        key: { kind: 'filter', filter: FilterId.parse(102) },
        count: countProgress([{ step: 'found', lost: 'past' }]),
      },
      { key: { kind: 'shared' }, count: countProgress([{ step: 'bid', lost: 'not-sent' }]) },
    ],
  },
};
const { channel: _channel, ...ofChannels } = byFilter;
const groups = [{ key: { kind: 'channel' as const, channel: WEB }, count: all }];

it.each<[string, FunnelFacts]>([
  ['by filter', byFilter],
  [
    'by channel',
    { ...ofChannels, days: 14, by: 'channel', isLimited: true, funnel: { all, groups, isCut: true } },
  ],
  [
    'without projects',
    { ...byFilter, days: 1, funnel: { all: countProgress([]), groups: [], isCut: false } },
  ],
])('the funnel %s', (_name, facts) => {
  expect(readDrawn(funnelMessage(facts))).toMatchSnapshot();
});

describe('outcomes', () => {
  const news: OutcomeNews = {
    proposal: ProposalId.parse(17),
    outcomes: ['hired'],
    title: 'Rebuild our checkout',
    freelancer: 'Ana Silva',
    profile: 'Acme Agency',
    template: 'Shops',
    variant: 'B',
    connects: 16,
    boost: 10,
    position: 3,
    submittedAt: START,
  };
  const entry = (id: number, outcomes: OutcomeNews['outcomes']) => ({
    at: START + id,
    news: { ...news, proposal: ProposalId.parse(id), outcomes, title: `Job ${id}` },
  });
  const twelve = Array.from({ length: 12 }, (_none, n) => entry(n + 1, ['viewed']));
  const rest = { proposals: 7, counts: [{ outcome: 'viewed' as const, count: 7 }] };
  const counts = [
    { outcome: 'viewed' as const, count: 1_850 },
    { outcome: 'outbid' as const, count: 5 },
  ];

  it.each([
    ['one', proposalOutcomeMessage(news)],
    ['several of one', proposalOutcomeMessage({ ...news, outcomes: ['viewed', 'outbid', 'interviewed'] })],
    ['of which little is known', proposalOutcomeMessage({ proposal: news.proposal, outcomes: ['viewed'] })],
    ['the rest of many', outcomesSummaryMessage({ proposals: 1_852, counts })],
    ['while Slack refused', outcomesSummaryMessage({ proposals: 2, counts, heldBack: true })],
    [
      'of an hour',
      outcomeListMessage({
        of: 'hour',
        entries: [entry(1, ['viewed']), entry(2, ['viewed']), entry(1, ['outbid'])],
      }),
    ],
    ['more than it lists', outcomeListMessage({ of: 'together', entries: twelve, rest })],
  ])('%s', (_name, message) => {
    expect(readDrawn(message)).toMatchSnapshot();
  });
});
