/** The room of credits and health: budgets, charges, the status, and notices in channels. */
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { ChannelId, FilterId, ProfileId, ProjectKey, TeamId, toCredits, UserId } from '../../src/ids.ts';
import type { ChannelNotice } from '../../src/outbox/posts.ts';
import { budgetMessage } from '../../src/slack/budgets/budget-messages.ts';
import type { Message } from '../../src/slack/core/routes.ts';
import { insufficientCreditsText } from '../../src/slack/kit/words/credits-text.ts';
import { noticeMessage } from '../../src/slack/status/notice.ts';
import { type StatusFacts, statusMessage } from '../../src/slack/status/status-message.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';

/** The first user of the simulated Slack is ada. */
const ADA = 'U00000001';
const sharedTest = appTestWith({ env: { DEFAULT_CHANNEL_BUDGET: '50', ADMIN_USER_IDS: ADA } });
const always = Number.POSITIVE_INFINITY;

describe('a budget', () => {
  appTest('of the channel', async ({ market, ada, ben, pass }) => {
    for (let count = 0; count < 12; count++) market.publish({});
    await pass(2 * MINUTE);
    const known = market.publish({}, []).project.ciphertext;
    await ben.type(`/gig lookup ${known}`);
    const budget = await ada.type('/gig budget');
    expect(budget.text).toMatchSnapshot('spent');
    expect((await budget.press('Show Charges')).text).toMatchSnapshot('charges');
    const said: string[] = [];
    for (const words of ['40', '40', 'off', 'off', '5', '15'])
      said.push((await ada.type(`/gig budget ${words}`)).text);
    expect(said.join('\n')).toMatchSnapshot('set');
    expect((await ben.type('/gig budget 5')).text).toMatchSnapshot('of a member');
    for (let count = 0; count < 12; count++) market.publish({});
    await pass(5 * MINUTE);
    const told = ada.reads('web').filter((message) => message.offers('Set Budget'));
    expect(told.map(({ text }) => text).join('\n\n')).toMatchSnapshot('low, then spent');
    await ada.type('/gig budget 5');
    const refused = await ada.type(`/gig lookup ${market.publish({}, []).project.ciphertext}`);
    expect([(await ada.type('/gig budget')).text, refused.text].join('\n\n')).toMatchSnapshot('too low');
    await ada.type('/gig budget off');
    expect((await ada.type('/gig budget')).text.split('\n').slice(1, 3).join('\n')).toMatchSnapshot('none');
  });

  sharedTest('that unconfirmed channels share', async ({ market, slack, ada, ben, pass }) => {
    market.service.addFilter({ id: 102 });
    await ben.type('/gig subscribe filter 102', 'data');
    await pass(MINUTE);
    const request = ada.inbox().at(-1) ?? expect.fail('nobody was asked');
    for (let count = 0; count < 12; count++) market.publish({}, 102);
    await pass(MINUTE);
    expect((await ben.type('/gig budget', 'data')).text).toMatchSnapshot('spent');
    expect(request.text).toMatchSnapshot('to confirm');
    await ada.press(request, 'Confirm Budget');
    slack.addChannel({ name: 'sales', members: ['ada', 'ben'] });
    await ben.type('/gig subscribe filter 102', 'sales');
    await pass(MINUTE);
    await ada.type('/gig budget 70', 'sales');
    await pass(MINUTE);
    const all = ada.inbox().map(({ text }) => text);
    expect(all.join('\n')).toMatchSnapshot('confirmed, and set');
  });
});

describe('the status', () => {
  appTest('of feeds', async ({ app, market, ada, ben, pass }) => {
    const status = async (who = ada) => (await who.type('/gig status')).text;
    expect(await status()).toMatchSnapshot('well');
    market.service.addFilter({ id: 102 });
    await ada.type('/gig subscribe filter 102', 'data');
    await ada.type('/gig budget 3', 'data');
    expect(await status(ben)).toMatchSnapshot('a budget is short');
    const refusal = market.fail(PATHS.projects, presetFaults.rateLimited('40'));
    await app.until('a refused poll', () => refusal.hits() > 0);
    expect((await status()).split('\n')[0]).toMatchSnapshot('held back');
    const { id } = market.service.addProfile();
    await ada.type(`/gig subscribe outcomes ${id}`);
    await ada.type(`/gig subscribe invitations ${id}`);
    market.fail(PATHS.proposals, presetFaults.status(503), always);
    market.fail('/filters/101/projects', presetFaults.status(503), always);
    await pass(40 * MINUTE);
    expect(await status()).toMatchSnapshot('some fail');
    market.service.clearFaults();
    market.fail({}, presetFaults.status(401), always);
    await pass(40 * MINUTE);
    expect((await status()).split('\n').slice(0, 5).join('\n')).toMatchSnapshot('all fail');
    market.service.clearFaults();
  });

  appTestWith({ empty: true })('without feeds', async ({ ada }) => {
    expect((await ada.type('/gig status')).text).toMatchSnapshot();
  });
});

const NOW = Date.UTC(2026, 0, 5, 9);
const CHANNEL = ChannelId.parse('C0WEB');
const BEN = UserId.parse('U0BEN');
const FILTERS = [{ id: FilterId.parse(101), name: 'React work' }, { id: FilterId.parse(102) }];
const resetsAt = NOW + 20 * DAY;
const account = { remaining: 8_200, resetsAt, confirmed: true, byChannels: 1_500, outside: 300 };
const ANA = ProfileId.parse(301);
const invitations = { feed: 'invitations' as const, profile: { id: ANA, name: 'Ana Larsen' } };

/** A message's own text, and what its blocks say besides. */
function textOf({ text, blocks = [] }: Message): string {
  const said = [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/gu)].map(
    ([, words]) => words ?? '',
  );
  return [...new Set([text, ...said].flatMap((it) => it.split(/\\?\n|\\n/u)))].join('\n');
}

it('rare notices', () => {
  const notices: readonly ChannelNotice[] = [
    { about: 'budget-low', used: 40, limit: 50, resetsAt, runsOutAt: NOW + DAY, looksLikeTrial: true },
    { about: 'budget-low', used: 40, limit: 50, resetsAt, isShared: true },
    { about: 'budget-spent', left: 0, limit: 50, resetsAt, isShared: true },
    { about: 'budget-spent', left: 3, limit: 50, resetsAt },
    { about: 'account-credits-spent', remaining: 0, resetsAt },
    { about: 'account-credits-spent', remaining: 7, resetsAt, looksLikeTrial: true },
    { about: 'feed-failing', code: 'server', since: NOW, filters: [] },
    { about: 'feed-failing', code: 'not-found', since: NOW, filters: FILTERS },
    { about: 'feed-recovered', since: NOW, filters: FILTERS },
    { about: 'channel-unreachable', channel: CHANNEL, error: 'is_archived' },
    { about: 'channel-unreachable', channel: CHANNEL, error: 'channel_not_found' },
    { about: 'conversation-refused', channel: CHANNEL, error: 'missing_scope' },
    {
      about: 'post-given-up',
      channel: CHANNEL,
      why: 'refused',
      error: 'odd',
      project: ProjectKey.parse('~01'),
    },
    { about: 'post-given-up', channel: ChannelId.parse(BEN), why: 'unclear', error: 'missing_scope' },
    { about: 'profile-failing', ...invitations, code: 'not-found', since: NOW },
    { about: 'profile-recovered', ...invitations, since: NOW },
    { about: 'connects-cap-near', channel: CHANNEL, used: 80, cap: 100 },
    { about: 'connects-cap-near', channel: CHANNEL, user: BEN, used: 80, cap: 100 },
    { about: 'backfill-done', filter: { id: FilterId.parse(101) }, asked: 20, posted: 3 },
    { about: 'backfill-done', filter: { id: FilterId.parse(101) }, asked: 20, posted: 20 },
  ];
  expect(notices.map((it) => textOf(noticeMessage(it))).join('\n\n')).toMatchSnapshot();
});

it('rare states of a budget and of lookups', () => {
  const period = { startsAt: NOW - 10 * DAY, resetsAt: NOW, confirmed: true };
  const budget = {
    channel: CHANNEL,
    limit: toCredits(500),
    settled: 180,
    reserved: 20,
    uncertain: 20,
    available: 300,
    period,
  };
  const trial = { ...account, looksLikeTrial: true as const };
  const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW } as const;
  const texts = [
    textOf(budgetMessage({ ...budget, period: { ...period, isOver: true } }, account)),
    textOf(budgetMessage({ ...budget, runsOutAt: NOW + DAY }, trial)),
    insufficientCreditsText(refused),
    insufficientCreditsText({ ...refused, isOver: true }),
    insufficientCreditsText({ ...refused, isShared: true }),
  ];
  expect(texts.join('\n\n')).toMatchSnapshot();
});

it('rare states in the status', () => {
  const health = { channels: [CHANNEL], lastGoodAt: NOW, perHour: 0.2, gaps: 2 };
  const facts: StatusFacts = {
    version: '0.1.0',
    startedAt: NOW - DAY,
    at: NOW,
    feed: { filters: [{ ...health, filter: FILTERS[0] ?? expect.fail() }] },
    gate: { limitPerMinute: 30, used: 7, waiting: 3 },
    account,
    budgets: [],
    profiles: [],
    sees: () => true,
  };
  const trouble = { code: 'server', since: NOW - DAY, retryAt: NOW };
  const stopped = {
    feed: {
      team: TeamId.parse('T1'),
      channel: CHANNEL,
      kind: 'outcomes' as const,
      profile: ANA,
      by: BEN,
      createdAt: NOW,
      startsAt: NOW,
      stopped: { at: NOW, error: 'is_archived' },
    },
  };
  const changes: readonly Partial<StatusFacts>[] = [
    { clock: { kind: 'off', byMs: 400 * DAY } },
    { isUnconnected: true },
    { delivery: { refused: [{ channel: CHANNEL, error: 'missing_scope', since: NOW, isStopped: false }] } },
    { gate: { limitPerMinute: 12, used: 7, waiting: 0, lowered: { from: 30, until: NOW + 90 * SECOND } } },
    { gate: { limitPerMinute: 30, used: 30, waiting: 0, pausedUntil: NOW + 8 * MINUTE } },
    { gate: { limitPerMinute: 30, used: 0, waiting: 0, recordFails: true } },
    { account: { ...account, spentSince: NOW }, feed: { ...facts.feed, trouble } },
    { account: { ...account, spentSince: NOW, looksLikeTrial: true } },
    { profiles: [stopped] },
    { notices: 2, invalidRecords: 3, missingScopes: ['usergroups:read'] },
  ];
  const usual = textOf(statusMessage(facts)).split('\n');
  expect(usual.join('\n')).toMatchSnapshot('usual');
  const news = changes.map((change) =>
    textOf(statusMessage({ ...facts, ...change }))
      .split('\n')
      .filter((line) => !usual.includes(line))
      .join('\n'),
  );
  expect(news.join('\n\n')).toMatchSnapshot('what each changes');
});

it('a status of very many feeds names some, and counts the rest', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    filter: { id: FilterId.parse(100 + at), name: `<!channel>${'n'.repeat(80)}` },
    channels: [CHANNEL],
    lastGoodAt: NOW,
    perHour: 6,
    gaps: 0,
    ...(at === 39 ? { trouble: { code: 'not-found', since: NOW, retryAt: NOW } } : {}),
  }));
  const gate = { limitPerMinute: 30, used: 7, waiting: 0 };
  const facts = {
    version: '1',
    startedAt: NOW,
    at: NOW,
    gate,
    account,
    budgets: [],
    profiles: [],
    sees: () => true,
  };
  const text = textOf(statusMessage({ ...facts, feed: { filters: many } }));
  expect(text).toContain('1 of 40 feeds failing');
  expect(text).toContain('(139)');
  expect(text).toMatch(/…and 25 more/u);
  expect(text).not.toContain('<!channel>');
});
