import { beforeEach, describe, expect, it } from 'vitest';
import { FilterId, SetupId, TemplateId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import {
  setupsCommand as command,
  SETUPS_PRESS_OUTDATED,
  setupsActions,
  setupsPageValueCodec,
} from '../../../src/slack/bids/setups.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  describeMarketplaceFailure,
  refusalAdviceText,
} from '../../../src/slack/kit/words/marketplace-failure.ts';
import { NOW } from '../samples.ts';
import { HOSTILE } from './bidding-samples.ts';
import { type JobDesk, startJobDesk } from './job-desk.ts';

function setup(id: number, change: Partial<BiddingSetup> = {}): BiddingSetup {
  return { id: SetupId.parse(id), name: `Setup ${String(id).padStart(2, '0')}`, status: 'active', ...change };
}

const NIGHT = setup(7, {
  name: 'Night shift',
  filter: { id: FilterId.parse(101), name: 'React work' },
  template: { id: TemplateId.parse(3), name: 'Short and kind' },
  schedule: '0 22 * * *',
  scheduleLabel: 'Every night',
  timezone: 'Europe/Oslo',
  delayMinutes: 10,
  dailyLimit: 10,
  sentToday: 3,
  totalSent: 1_204,
  lastRunAt: '2026-11-20T09:00:00Z',
  lastProposalDate: '2026-11-19',
  businessManagerId: 'bm-9',
  subscriptionId: 12,
  createdAt: '2025-01-02 03:04:05',
  updatedAt: '2026-02-03 04:05:06',
});
const AGO = `<!date^${NOW / 1_000}^{ago}|Nov 20, 2026, 9:00 AM UTC>`;

const [nextPage, previousPage] = setupsActions;

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
  desk.state.known = { setups: [NIGHT], readAt: NOW };
});

describe('/gig setups', () => {
  it('tells each: state, template, filter, plan, and how much of its limit is used', async () => {
    const [shown] = await desk.type(command, '');
    expect(shown?.to).toBe('person');
    for (const fact of ['Night shift | 7 |', 'Short and kind (3)', 'React work (101)', 'Every night'])
      expect(shown?.text).toContain(fact);
    for (const fact of ['Europe/Oslo', '10 minutes', '3 of 10', '1,204', '2026-11-19', 'bm-9', AGO])
      expect(shown?.text).toContain(fact);
    expect(shown?.text).toContain(`<!date^${NOW / 1_000}^\u200b`);
    expect(JSON.stringify(shown?.message.blocks)).toContain(`"action_id":"${actionIds.templateFrom}"`);
    expect(shown?.text).toMatchSnapshot();
    expect(desk.state.asked).toEqual([{ maxAgeMs: 60_000, lane: 'person' }]);
  });

  it('marks a limit that is used up, and says what is missing', async () => {
    desk.state.known = { setups: [setup(8, { dailyLimit: 5, sentToday: 5 })], readAt: NOW };
    const [shown] = await desk.type(command, '');
    expect(shown?.text).toMatch(/\b5 of 5, limit/u);
    expect(shown?.text).toMatchSnapshot();
  });

  it('leads with the active ones, then by name', async () => {
    const names = [
      setup(1, { name: 'a', status: 'paused' }),
      setup(2, { name: 'z' }),
      setup(3, { name: 'B' }),
    ];
    desk.state.known = { setups: names, readAt: NOW };
    const [shown] = await desk.type(command, '');
    expect(shown?.text.match(/\(#\d\)/gu)).toEqual(['(#3)', '(#2)', '(#1)']);
  });

  it('counts as people do: the second before the tenth', async () => {
    const names = [10, 2, 1].map((n) => setup(n, { name: `Setup ${n}` }));
    desk.state.known = { setups: names, readAt: NOW };
    const [shown] = await desk.type(command, '');
    expect(shown?.text.match(/\(#\d+\)/gu)).toEqual(['(#1)', '(#2)', '(#10)']);
  });

  it.each(['paused', 'PAUSED', 'Paused'])('%s lists those alone', async (word) => {
    desk.state.known = { setups: [NIGHT, setup(8, { status: 'Paused' })], readAt: NOW };
    const [shown] = await desk.type(command, word);
    expect(shown?.text).toContain('Setup 08');
    expect(shown?.text).not.toContain('Night shift');
  });

  it('shows a status that is not documented as it is, and lists by it', async () => {
    desk.state.known = { setups: [setup(8, { status: 'Hibernating' })], readAt: NOW };
    expect((await desk.type(command, ''))[0]?.text).toMatch(/\| 8 \| hibernating/u);
    expect((await desk.type(command, 'hibernating'))[0]?.text).toContain('(#8)');
  });

  it('says that none is of that status, and what there is', async () => {
    const [draft] = await desk.type(command, 'draft');
    expect(draft?.text).not.toContain('(#7)');
    expect(draft?.text).toContain('active');
    desk.state.known = { setups: [], readAt: NOW };
    const [none] = await desk.type(command, '');
    expect([draft?.text, none?.text]).toMatchSnapshot();
  });

  it.each([
    ['activ', '`/gig setups active`'],
    ['pausd', '`/gig setups paused`'],
    ['sandwiches', '`/gig setups active`'],
    ['<!channel> `x`', '`/gig setups active`'],
  ])('answers “%s” with what would be right', async (word, right) => {
    const [shown] = await desk.type(command, word);
    expect(shown?.text).toContain(right);
    expect(shown?.text).toMatchSnapshot();
  });

  it('shows what is stored, how old it is and why, when the marketplace is away', async () => {
    desk.state.failure = new MarketplaceError('server', 'unknown', 'secret words');
    const [shown] = await desk.type(command, '');
    expect(shown?.text).toContain('Night shift');
    expect(shown?.text).toContain(AGO);
    expect(shown?.text).toContain(describeMarketplaceFailure('server').what);
    expect(shown?.text).toMatchSnapshot();
    expect(shown?.text).not.toContain('secret');
  });

  it.each(['unauthorised', 'forbidden', 'network'] as const)('says who can help against %s', async (code) => {
    desk.state.failure = new MarketplaceError(code, 'none', 'x');
    const [shown] = await desk.type(command, '');
    expect(shown?.text).toContain(describeMarketplaceFailure(code).what);
    expect(shown?.text).toContain(refusalAdviceText({ code }));
    expect(shown?.text.split('\n').at(-2)).toMatchSnapshot();
  });

  it('leaves a failure to the boundary where nothing is stored, or the fault is ours', async () => {
    desk.state.failure = new Error('ours');
    await expect(desk.type(command, '')).rejects.toThrow('ours');
    desk.state.known = { setups: [] };
    desk.state.failure = new MarketplaceError('server', 'unknown', 'x');
    await expect(desk.type(command, '')).rejects.toBe(desk.state.failure);
  });

  it('is harmless with the longest of hostile words everywhere', async () => {
    for (const words of HOSTILE) {
      const each = {
        name: words,
        status: words,
        filter: { id: FilterId.parse(1), name: words },
        template: { id: TemplateId.parse(1), name: words },
        scheduleLabel: words,
        timezone: words,
        lastRunAt: words,
        dailyLimit: 10,
        sentToday: 10,
        totalSent: Number.MAX_SAFE_INTEGER,
        delayMinutes: 1_000_000,
      };
      desk.state.known = { setups: Array.from({ length: 30 }, (_, n) => setup(n + 1, each)), readAt: NOW };
      expect(await desk.type(command, '')).toHaveLength(1);
      expect(await desk.type(command, words.slice(0, 400))).toHaveLength(1);
    }
  });
});

describe('its pages', () => {
  const values = (blocks: readonly object[] | undefined) =>
    [...JSON.stringify(blocks?.at(-1)).matchAll(/"action_id":"(\w+)".*?"value":"(.*?)(?<!\\)"/gu)].map(
      ([, id, value]) => [id, value?.replaceAll('\\"', '"')],
    );

  beforeEach(() => {
    desk.state.known = { setups: Array.from({ length: 30 }, (_, n) => setup(n + 1)), readAt: NOW };
  });

  it('hold twelve each, and turn in place', async () => {
    const [first] = await desk.type(command, '');
    expect(first?.text).toMatch(/\b30\b.*\b1 of 3\b/u);
    expect(first?.text.match(/\(#/gu)).toHaveLength(12);
    expect(values(first?.message.blocks)).toEqual([['setups_page', '{"page":2}']]);
    const [second] = await desk.press(nextPage, '{"page":2}');
    expect(second?.to).toBe('replaced');
    expect(second?.text).toContain('Setup 13');
    expect(values(second?.message.blocks)).toEqual([
      ['setups_page_back', '{"page":1}'],
      ['setups_page', '{"page":3}'],
    ]);
    const [third] = await desk.press(nextPage, '{"page":3}');
    expect(third?.text.match(/\(#/gu)).toHaveLength(6);
    expect((await desk.press(previousPage, '{"page":1}'))[0]?.text).toMatch(/\b1 of 3\b/u);
  });

  it('keep the status that was asked for', async () => {
    const [first] = await desk.type(command, 'active');
    expect(values(first?.message.blocks)).toEqual([['setups_page', '{"status":"active","page":2}']]);
    const [second] = await desk.press(nextPage, setupsPageValueCodec.write({ status: 'active', page: 2 }));
    expect(second?.text).toMatch(/\b30\b.*\b2 of 3\b/u);
  });

  it('that are gone show the last', async () => {
    expect((await desk.press(nextPage, '{"page":999}'))[0]?.text).toMatch(/\b3 of 3\b/u);
  });

  it.each([
    '',
    '{}',
    '{"page":0}',
    '{"page":1.5}',
    '{"page":"2"}',
    `{"page":1,"status":"${'x'.repeat(101)}"}`,
  ])('are not turned by “%s”', async (value) => {
    expect((await desk.press(nextPage, value))[0]?.message).toEqual(SETUPS_PRESS_OUTDATED);
  });
});
