import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  AuditEntry,
  type AuditedAction,
  recordAuditEntry,
  recordAuditResult,
} from '../../../src/audit/audit.ts';
import { DAY, HOUR } from '../../../src/clock.ts';
import { ChannelId as Channel, type ChannelId, type UserId } from '../../../src/ids.ts';
import {
  auditActions,
  auditCommand,
  auditLogMessage,
  auditPageValueCodec,
} from '../../../src/slack/audit/audit-command.ts';
import { auditPlaceText, auditText } from '../../../src/slack/audit/audit-words.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import { invalidDaysMessage } from '../../../src/slack/kit/command-text.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { type AccessDesk, startAccessDesk } from '../access/access-desk.ts';
import { valuesOf } from '../buttons.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { ANA, BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

const OTHER = Channel.parse('C0OTHER');
let desk: AccessDesk;
beforeEach(() => {
  desk = startAccessDesk();
  desk.give(ANA, 'admin');
});

function add(act: AuditedAction, more: { by?: UserId; channel?: ChannelId; at?: number } = {}) {
  const { by = BEN, channel = CHANNEL, at = NOW } = more;
  return desk.services.store.transact((tx) => recordAuditEntry(tx, { team: TEAM, at, by, channel, act }));
}

const filterOf = (id: number): AuditedAction =>
  AuditEntry.shape.act.parse({ kind: 'unsubscribed', filter: id });

async function look(args = '', channel = CHANNEL): Promise<Message> {
  await auditCommand.run(desk.command(args, ANA, 'admin', channel));
  return desk.last();
}

/** Presses a button of the newest list. */
async function turn(to: 'Next' | 'Previous'): Promise<Message> {
  const id = to === 'Next' ? actionIds.auditPage : actionIds.auditBack;
  const [value] = valuesOf(desk.last(), id);
  if (value === undefined) throw new Error(`no button ${to}`);
  const route = auditActions.find((each) => each.id === id);
  await route?.run(desk.press(value, { role: 'admin' }));
  return desk.last();
}

const filtersIn = (message: Message) =>
  [...asText(message).matchAll(/filter (\d+)/gu)].map(([, id]) => Number(id));

/** One for each entry. */
const linesIn = (message: Message) => asText(message).match(/^<!date.*$/gmu) ?? [];

function lineOf(entry: AuditEntry, names: Parameters<typeof auditText>[1]): string {
  return `${auditText(entry, names)} ${auditPlaceText(entry)}`.trim();
}

describe('/gig audit', () => {
  it('tells who did what, when, where, and with which answer, newest first', async () => {
    const key = await add(
      AuditEntry.shape.act.parse({
        kind: 'bid',
        title: 'Rebuild our *checkout*',
        marketplaceJobId: '~01',
        setup: 5,
        setupName: 'Web team',
        attempt: 2,
        bidAmount: 1_500,
        boostConnects: 10,
      }),
      { at: NOW - HOUR },
    );
    await desk.services.store.transact((tx) =>
      recordAuditResult(tx, key, { kind: 'refused', code: 'bad-request', words: 'Too late <!channel>' }),
    );
    await add({ kind: 'budget', from: 500, to: 'unlimited' });
    const message = await look();
    expect(desk.shown.at(-1)?.to).toBe('person');
    const [title, ...entries] = asText(message)
      .split('\n')
      .filter((each) => each.startsWith('text:') || each.startsWith('<!date'));
    const [first, second] = entries;
    expect(title).toMatch(/\b7 days\b/u);
    for (const fact of ['<@U0BEN>', '500 credits', '<#C0WEB>']) expect(first).toContain(fact);
    for (const fact of ['<@U0BEN>', '“Rebuild our ∗checkout∗”', '“Web team”', '$1,500', '10 connects'])
      expect(second).toContain(fact);
    expect(second).toContain('Too late <!channel>');
    expect(asText(message)).toMatchSnapshot();
  });

  it('looks back 7 days, or as many as are asked for', async () => {
    await add(filterOf(1), { at: NOW - 8 * DAY });
    await add(filterOf(2), { at: NOW - 6 * DAY });
    expect(filtersIn(await look())).toEqual([2]);
    expect(filtersIn(await look('30'))).toEqual([2, 1]);
    expect(filtersIn(await look('30 days'))).toEqual([2, 1]);
    expect(asText(await look('1'))).toMatchSnapshot();
    expect(asText(await look('400d'))).toMatch(/\b400 days\b/u);
  });

  it.each(['0', '401', '-1', '1.5', 'lots', 'days', '7 weeks', '<!channel>'])(
    'answers %j with what would be right',
    async (args) => {
      const message = await look(args);
      expect(message).toEqual(invalidDaysMessage(args, { usual: 7, most: 400 }, 'audit 30'));
      expectHarmless(message);
    },
  );

  it('turns pages of 15, there and back, while others add to it', async () => {
    for (let each = 1; each <= 40; each++) await add(filterOf(each), { at: NOW - 50 + each });
    const from40 = [40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26];
    expect(filtersIn(await look())).toEqual(from40);
    await add(filterOf(41), { at: NOW });
    expect(filtersIn(await turn('Next'))).toEqual(from40.map((each) => each - 15));
    expect(filtersIn(await turn('Next'))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    await expect(turn('Next')).rejects.toThrow('no button');
    expect(filtersIn(await turn('Previous'))).toEqual(from40.map((each) => each - 15));
    expect(filtersIn(await turn('Previous'))).toEqual(from40);
    expect(filtersIn(await turn('Previous'))).toEqual([41]);
    expect(desk.shown.at(-1)?.to).toBe('replaced');
  });

  it('shows an admin of one channel what was done in that channel', async () => {
    await add(filterOf(1));
    await add(filterOf(2), { channel: OTHER });
    await desk.set('everywhere', { bidder: { users: [BEN], groups: [] } });
    desk.give(ANA, 'viewer');
    const message = await look();
    expect(filtersIn(message)).toEqual([1]);
    expect(message.text).toContain('<#C0WEB>');
    expect(linesIn(message)).toHaveLength(1);
    desk.give(ANA, 'admin');
    const closed = await look();
    expect(filtersIn(closed)).toEqual([1]);
    expect(linesIn(closed)).toHaveLength(3);
    expect(asText(closed)).not.toContain(OTHER);
    expect(asText(closed)).toMatchSnapshot();
    const { homes, clock } = desk.services;
    homes.cachePublicChannels([OTHER], clock.now());
    expect(filtersIn(await look())).toEqual([2, 1]);
  });

  it('names user groups where it can', async () => {
    await desk.set(CHANNEL, { bidder: { users: [], groups: ['S1'] } });
    const [named] = linesIn(await look());
    expect(named).toContain('@design');
    expect(named).toContain('<#C0WEB>');
    desk.state.groups = () => Promise.reject(new Error('down'));
    const [unnamed] = linesIn(await look());
    expect(unnamed).toContain('S1');
    expect([named, unnamed]).toMatchSnapshot();
  });

  it.each([
    '',
    '{}',
    'null',
    JSON.stringify({ days: 7, from: 0, to: 'sideways', at: 0, number: 0 }),
    JSON.stringify({ days: 7, from: 'x', to: 'older', at: 0, number: 0 }),
    JSON.stringify({ days: 1e9, from: 0, to: 'older', at: 0, number: 0 }),
  ])('a button that carries %j is out of date', async (value) => {
    for (const route of auditActions) {
      await route.run(desk.press(value, { role: 'admin' }));
      expect(JSON.stringify(desk.last().blocks)).toContain(actionIds.runAudit);
      expect(JSON.stringify(desk.last().blocks)).not.toContain('data_table');
    }
  });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc
    .constantFrom('<!channel>', '<https://evil.example|x>', '<@U0ANA>', '\u202E', '`', '')
    .map((it) => it.repeat(90)),
);
const id = fc.integer({ min: 1, max: 1e9 });
const ids = fc.array(fc.constantFrom('U0EVE', 'UX', '<!here>'), { maxLength: 40 });
const grantees = fc.record({ users: ids, groups: fc.array(text, { maxLength: 20 }) });
const role = fc.constantFrom('bidder', 'admin');
const limit = fc.oneof(fc.nat(), fc.constant('unlimited'));
const anyAct = fc
  .oneof(
    fc.record(
      {
        kind: fc.constant('bid'),
        title: text,
        marketplaceJobId: text,
        setup: id,
        setupName: text,
        attempt: id,
        bidAmount: fc.nat(),
        boostConnects: fc.nat(),
      },
      { requiredKeys: ['kind', 'title', 'marketplaceJobId', 'setup', 'attempt'] },
    ),
    fc.record({ kind: fc.constant('approve'), job: id, title: text, overrides: fc.boolean() }),
    fc.record({ kind: fc.constant('template'), name: text, organization: id, attempt: id }),
    fc.record({ kind: fc.constant('access-changed'), role, added: grantees, removed: grantees }),
    fc.record({ kind: fc.constant('access-asked'), role }),
    fc.record({
      kind: fc.constant('access-decided'),
      role,
      user: fc.constantFrom('U0EVE', '<!x>'),
      granted: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('budget'), from: limit, to: limit }),
    fc.record({ kind: fc.constant('subscribed'), filter: id, rules: text, backfill: fc.nat(100) }),
    fc.record({ kind: fc.constant('unsubscribed'), filter: id }),
    fc.record({ kind: fc.constant('paused'), until: fc.nat() }, { requiredKeys: ['kind'] }),
    fc.record({ kind: fc.constant('resumed') }),
    fc.record({
      kind: fc.constantFrom('muted', 'unmuted'),
      what: fc.constantFrom('country', 'word'),
      value: text,
    }),
  )
  .map((act) => AuditEntry.shape.act.parse(act));
const anyAnswer = fc.record(
  {
    kind: fc.constantFrom('created', 'skipped', 'refused', 'unknown', 'approved'),
    job: id,
    code: text,
    words: text,
  },
  { requiredKeys: ['kind'] },
);
const anyEntry = fc
  .record(
    {
      team: fc.constant(TEAM),
      at: fc.nat(),
      number: id,
      by: fc.constantFrom('U0EVE', '<!channel>'),
      channel: fc.constantFrom('C0WEB', 'D0EVE', '<!channel>'),
      act: anyAct,
      answer: anyAnswer,
    },
    { requiredKeys: ['team', 'at', 'number', 'by', 'act'] },
  )
  .map((entry) => AuditEntry.parse(entry));

describe('the words of the audit log', () => {
  it('stay harmless and within Slack’s limits, whatever strangers wrote', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 15 }), fc.boolean(), text, (entries, more, name) => {
        const facts = { entries, hasOlder: more, hasNewer: more, days: 7, from: 1, sees: () => more };
        const filterNames = new Map([[1, name]]);
        expectHarmless(auditLogMessage({ ...facts, names: new Map([['S1', name]]), filterNames }));
      }),
      { numRuns: 150 },
    );
  });

  it('tell each act on one line', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(lineOf(entry, new Map())).not.toContain('\n');
      }),
    );
  });

  it('say where a role holds, and that no answer has come', () => {
    const asked = AuditEntry.parse({
      team: TEAM,
      at: 0,
      number: 1,
      by: BEN,
      act: { kind: 'access-asked', role: 'admin' },
    });
    const bid = { kind: 'approve', job: 12, title: 'Shop', overrides: true };
    const approve = AuditEntry.parse({ ...asked, channel: CHANNEL, act: bid });
    for (const fact of ['#12', '“Shop”', '<#C0WEB>']) expect(lineOf(approve, new Map())).toContain(fact);
    expect([asked, approve].map((entry) => lineOf(entry, new Map()))).toMatchSnapshot();
  });

  it('say what somebody was made: one person a bidder, several bidders', () => {
    const none = { users: [], groups: [] };
    const words = (added: object, removed: object = none) => {
      const act = { kind: 'access-changed', role: 'bidder', added, removed };
      return lineOf(
        AuditEntry.parse({ team: TEAM, at: 0, number: 1, by: BEN, channel: CHANNEL, act }),
        new Map(),
      );
    };
    expect([
      words({ users: [ANA], groups: [] }),
      words({ users: [ANA, BEN], groups: [] }),
      words({ users: [], groups: ['S1'] }),
      words(none, { users: [ANA], groups: [] }),
    ]).toMatchSnapshot();
  });

  it.each([
    ['bid', { kind: 'created', job: 12, words: 'pending_review' }, '#12'],
    ['bid', { kind: 'skipped', job: 12, words: 'skipped' }, '#12'],
    ['bid', { kind: 'refused', words: 'Wrong setup_id' }, 'Wrong setup_id'],
    ['bid', { kind: 'refused', job: 11, code: 'bad-request' }, '#11 (bad-request)'],
    ['approve', { kind: 'approved', job: 12, words: 'Scheduled for bidding' }, 'Scheduled for bidding'],
  ])('tell what came of a %s in words, once: %o', (kind, answer, fact) => {
    const bid = {
      kind,
      title: 'Shop',
      marketplaceJobId: '~1',
      setup: 5,
      attempt: 1,
      job: 12,
      overrides: false,
    };
    const entry = AuditEntry.parse({
      team: TEAM,
      at: 0,
      number: 1,
      by: BEN,
      channel: CHANNEL,
      act: bid,
      answer,
    });
    const [, told = ''] = lineOf(entry, new Map()).split(' → ');
    expect(told).toContain(fact);
    expect(told).toMatchSnapshot();
  });

  it('carry the place of a page through a button', () => {
    const value = { days: 7, from: 1, to: 'older', at: 2, number: 3 } as const;
    expect(auditPageValueCodec.read(auditPageValueCodec.write(value))).toEqual(value);
  });
});
