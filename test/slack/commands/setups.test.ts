import { beforeEach, describe, expect, it } from 'vitest';
import { FilterId, SetupId, TemplateId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { setupsBack, setupsPage } from '../../../src/slack/actions/setups.ts';
import { setups as command } from '../../../src/slack/commands/setups.ts';
import { setupsPageValue } from '../../../src/slack/messages/values.ts';
import { type JobDesk, startJobDesk } from '../actions/job-desk.ts';
import { HOSTILE } from '../messages/bidding-samples.ts';
import { NOW } from '../samples.ts';

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
const AGO = `<!date^${NOW / 1_000}^{ago}|20 Nov 2026, 09:00 UTC>`;

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
  desk.state.known = { setups: [NIGHT], readAt: NOW };
});

describe('/gig setups', () => {
  it('tells each: state, template, filter, plan, and how much of its limit is used', async () => {
    const [shown] = await desk.type(command, '');
    expect(shown?.to).toBe('person');
    expect(shown?.text).toBe(
      [
        'text: 1 auto bidding setup',
        '-- section',
        '*1 auto bidding setup*',
        '-- section',
        '*Night shift* (#7) · :large_green_circle: active',
        'template “Short and kind” (3) · filter “React work” (101)',
        'Every night (Europe/Oslo) · 10 minutes delay',
        `3 of 10 sent today · 1,204 in total`,
        `last run <!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 09:00 UTC> · last proposal 2026-11-19 · created 2025-01-02 03:04:05 · changed 2026-02-03 04:05:06 · business manager bm-9 · subscription 12`,
        '[Start from this template]',
        '-- context',
        `Read ${AGO}.`,
        '',
      ].join('\n'),
    );
    expect(desk.state.asked).toEqual([{ maxAgeMs: 60_000, lane: 'person' }]);
  });

  it('marks a limit that is used up, and says what is missing', async () => {
    desk.state.known = { setups: [setup(8, { dailyLimit: 5, sentToday: 5 })], readAt: NOW };
    const [shown] = await desk.type(command, '');
    expect(shown?.text).toContain('no template · no filter\n:warning: 5 of 5 sent today\nnever run');
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
    expect(shown?.text).toContain('1 paused auto bidding setup');
    expect(shown?.text).toContain('Setup 08');
    expect(shown?.text).not.toContain('Night shift');
  });

  it('shows a status that is not documented as it is, and lists by it', async () => {
    desk.state.known = { setups: [setup(8, { status: 'Hibernating' })], readAt: NOW };
    expect((await desk.type(command, ''))[0]?.text).toContain('(#8) · hibernating');
    expect((await desk.type(command, 'hibernating'))[0]?.text).toContain('(#8)');
  });

  it('says that none is of that status, and what there is', async () => {
    expect((await desk.type(command, 'draft'))[0]?.text).toContain(
      'No auto bidding setup is draft. There is 1 other: active.',
    );
    desk.state.known = { setups: [], readAt: NOW };
    expect((await desk.type(command, ''))[0]?.text).toContain('has no auto bidding setups');
  });

  it.each([
    ['activ', 'Did you mean `/gig setups active`?'],
    ['pausd', 'Did you mean `/gig setups paused`?'],
    ['sandwiches', 'For example: `/gig setups active`'],
    ['<!channel> `x`', 'is no status of a setup'],
  ])('answers “%s” with what would be right', async (word, right) => {
    expect((await desk.type(command, word))[0]?.text).toContain(right);
  });

  it('shows what is stored, how old it is and why, when the marketplace is away', async () => {
    desk.state.failure = new MarketplaceError('server', 'unknown', 'secret words');
    const [shown] = await desk.type(command, '');
    expect(shown?.text).toContain('Night shift');
    expect(shown?.text).toContain(
      `:warning: This is what I knew last, as of ${AGO}: the marketplace's server has a fault. Try again in a minute.`,
    );
    expect(shown?.text).not.toContain('secret');
  });

  it.each([
    ['unauthorised', 'Whoever runs Gigdesk has to set a valid `MARKETPLACE_API_TOKEN`'],
    ['forbidden', 'A team admin can check the token'],
    ['network', 'cannot be reached. Try again in a minute.'],
  ] as const)('says who can help against %s', async (code, words) => {
    desk.state.failure = new MarketplaceError(code, 'none', 'x');
    expect((await desk.type(command, ''))[0]?.text).toContain(words);
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
  const values = (text: unknown) =>
    [...JSON.stringify(text).matchAll(/"action_id":"(\w+)".*?"value":"(.*?)(?<!\\)"/gu)].map(
      ([, id, value]) => [id, value?.replaceAll('\\"', '"')],
    );

  beforeEach(() => {
    desk.state.known = { setups: Array.from({ length: 20 }, (_, n) => setup(n + 1)), readAt: NOW };
  });

  it('hold eight each, and turn in place', async () => {
    const [first] = await desk.type(command, '');
    expect(first?.text).toContain('*20 auto bidding setups, page 1 of 3*');
    expect(first?.text.match(/\(#/gu)).toHaveLength(8);
    expect(values(first?.message.blocks)).toEqual([['setups_page', '{"page":2}']]);
    const [second] = await desk.press(setupsPage, '{"page":2}');
    expect(second?.to).toBe('replaced');
    expect(second?.text).toContain('Setup 09');
    expect(values(second?.message.blocks)).toEqual([
      ['setups_page_back', '{"page":1}'],
      ['setups_page', '{"page":3}'],
    ]);
    const [third] = await desk.press(setupsPage, '{"page":3}');
    expect(third?.text.match(/\(#/gu)).toHaveLength(4);
    expect((await desk.press(setupsBack, '{"page":1}'))[0]?.text).toContain('page 1 of 3');
  });

  it('keep the status that was asked for', async () => {
    const [first] = await desk.type(command, 'active');
    expect(values(first?.message.blocks)).toEqual([['setups_page', '{"status":"active","page":2}']]);
    const [second] = await desk.press(setupsPage, setupsPageValue.write({ status: 'active', page: 2 }));
    expect(second?.text).toContain('20 active auto bidding setups, page 2 of 3');
  });

  it('that are gone show the last', async () => {
    expect((await desk.press(setupsPage, '{"page":999}'))[0]?.text).toContain('page 3 of 3');
  });

  it.each([
    '',
    '{}',
    '{"page":0}',
    '{"page":1.5}',
    '{"page":"2"}',
    `{"page":1,"status":"${'x'.repeat(101)}"}`,
  ])('are not turned by “%s”', async (value) => {
    expect((await desk.press(setupsPage, value))[0]?.text).toContain('This list is out of date');
  });
});
