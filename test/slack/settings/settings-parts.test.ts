/** The forms of the settings: what they show is what they read, and nothing odd is understood by halves. */
import type { InputBlock, ModalView } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  APPROVAL_HOURS,
  type ChannelPreferences,
  extractPreferences,
  listChangedPreferences,
} from '../../../src/feed/channels.ts';
import { CardButton, defaultChannelSettings, type MentionRule } from '../../../src/feed/records.ts';
import { ChannelId, UserId } from '../../../src/ids.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import type { SettingsForm } from '../../../src/slack/settings/settings-command.ts';
import { settingsModal, settingsParts } from '../../../src/slack/settings/settings-parts.ts';

const CHANNEL = ChannelId.parse('C0WEB');
const BEN = UserId.parse('U0BEN');
const BEGINNING = extractPreferences(defaultChannelSettings(CHANNEL));
const GROUPS = Array.from({ length: 150 }, (_, n) => ({ id: `S${n}`, name: '<!channel>', handle: `g${n}` }));

type PartName = keyof typeof settingsParts;
const PART_NAMES = Object.keys(settingsParts) as PartName[];

function modal(part: PartName, shown: Partial<ChannelPreferences> = {}, rows?: number): ModalView {
  const id = 'a'.repeat(26) as SettingsForm['id'];
  const form = { user: BEN, channel: CHANNEL, id, at: 0, shown: { ...BEGINNING, ...shown } };
  const facts = { form, groups: { kind: 'known', groups: GROUPS }, timezone: 'UTC' } as const;
  return settingsModal(settingsParts[part], rows === undefined ? facts : { ...facts, rows });
}

function parse(part: PartName, values: Map<string, ViewInputValue>, shown: Partial<ChannelPreferences> = {}) {
  const errors = new Map<string, string>();
  const wanted = settingsParts[part].read(values, { ...BEGINNING, ...shown }, errors);
  return { wanted, errors: Object.fromEntries(errors) };
}

function standing(element: InputBlock['element']): ViewInputValue | undefined {
  if (element.type === 'plain_text_input' && element.initial_value) return { text: element.initial_value };
  if ('initial_time' in element && element.initial_time) return { time: element.initial_time };
  if ('initial_option' in element && element.initial_option?.value)
    return { option: element.initial_option.value };
  if ('initial_users' in element && element.initial_users)
    return { users: element.initial_users.map((each) => UserId.parse(each)) };
  if ('initial_options' in element && element.initial_options)
    return { options: element.initial_options.map(({ value }) => value ?? '') };
  return undefined;
}

/** Slack's payload without changes. */
function untouched(view: ModalView): Map<string, ViewInputValue> {
  const values = new Map<string, ViewInputValue>();
  for (const block of view.blocks) {
    const value = block.type === 'input' && 'element' in block ? standing(block.element) : undefined;
    if (value) values.set(block.block_id ?? '', value);
  }
  return values;
}

const ids = (letter: string) => fc.uniqueArray(fc.constantFrom(`${letter}1`, `${letter}2`, `${letter}3`));
const anyRule: fc.Arbitrary<MentionRule> = fc
  .record({
    rules: fc.constantFrom('', 'react', '"next js" -php budget:>=500'),
    users: ids('U').map((all) => all.map((it) => UserId.parse(it))),
    groups: ids('S'),
  })
  .filter(({ users, groups }) => users.length + groups.length > 0);
const minute = fc.nat(1_439);
const anyChoices: fc.Arbitrary<ChannelPreferences> = fc
  .record({
    level: fc.constantFrom('quiet' as const, 'normal' as const, 'everything' as const),
    density: fc.constantFrom('full' as const, 'compact' as const),
    threadDetails: fc.boolean(),
    hiddenButtons: fc.subarray([...CardButton.options]),
    mentions: fc.array(anyRule, { maxLength: 5 }),
    approvalHours: fc.constantFrom(...APPROVAL_HOURS),
    quiet: fc.option(
      fc
        .record({ from: minute, to: minute, weekends: fc.boolean() })
        .filter(({ from, to, weekends }) => from !== to || (from === 0 && weekends)),
    ),
    timezone: fc.option(fc.constantFrom('Asia/Tokyo', 'Europe/Berlin')),
  })
  .map(({ quiet, timezone, ...rest }) => ({
    ...rest,
    ...(quiet ? { quiet } : {}),
    ...(timezone ? { timezone } : {}),
  }));

describe('the forms of the settings', () => {
  it.each(PART_NAMES)('sent as it was opened, %s changes nothing, whatever is chosen', (part) => {
    fc.assert(
      fc.property(anyChoices, (chosen) => {
        const sorted = (preferences: ChannelPreferences) => ({
          ...preferences,
          mentions: preferences.mentions.map((rule) => ({ ...rule, groups: rule.groups.toSorted() })),
        });
        const { wanted, errors } = parse(part, untouched(modal(part, chosen)), chosen);
        expect(errors).toEqual({});
        expect(sorted(wanted ?? expect.fail('unreadable'))).toEqual(sorted(chosen));
      }),
    );
  });

  it('have every preference of a channel, each in one part', () => {
    const all = PART_NAMES.flatMap((part) => settingsParts[part].preferences);
    const changed: ChannelPreferences = {
      level: 'quiet',
      density: 'compact',
      threadDetails: true,
      quiet: { from: 1, to: 2, weekends: false },
      timezone: 'Asia/Tokyo',
      hiddenButtons: ['bid'],
      mentions: [{ rules: '', users: [BEN], groups: [] }],
      approvalHours: 4,
    };
    expect(all.toSorted()).toEqual(listChangedPreferences(BEGINNING, changed).toSorted());
  });

  const users = Array.from({ length: 20 }, (_, n) => UserId.parse(`U${n}`));
  const groups = Array.from({ length: 10 }, (_, n) => `SOLD${n}`);
  const mentions = Array.from({ length: 5 }, () => ({ rules: `"${'x'.repeat(480)}"`, users, groups }));

  it('fit as full as can be, with room for one more mention up to five', () => {
    for (const part of PART_NAMES) expect(findViewLimitProblems(modal(part, { mentions }))).toEqual([]);
    const rowsIn = (view: ModalView) =>
      view.blocks.filter(({ block_id }) => block_id?.startsWith('mention-rules')).length;
    expect(rowsIn(modal('mentions'))).toBe(1);
    expect(rowsIn(modal('mentions', { mentions: mentions.slice(0, 2) }))).toBe(3);
    expect(rowsIn(modal('mentions', { mentions }))).toBe(5);
    for (const rows of [Number.NaN, -1, 0, 1e9])
      expect([1, 5]).toContain(rowsIn(modal('mentions', {}, rows)));
    // A forged number leaves out no rule: it would end by saving.
    expect(rowsIn(modal('mentions', { mentions: mentions.slice(0, 2) }, 1))).toBe(3);
  });

  it('take a city for its zone, nothing for the default, and name one instead of others', () => {
    const read = (text?: string) => {
      const typed = untouched(modal('quiet', { timezone: 'UTC' })).set('timezone', text ? { text } : {});
      return parse('quiet', typed, { timezone: 'UTC' });
    };
    expect(read(' berlin ')).toMatchObject({ wanted: { timezone: 'Europe/Berlin' }, errors: {} });
    expect(read()).toMatchObject({ errors: {} });
    expect(read().wanted?.timezone).toBeUndefined();
    for (const typed of ['CET', 'UTC+2', 'Amsterdm', 'x'.repeat(60)])
      expect(read(typed).errors['timezone'], typed).toMatch(/Europe\/(?:Berlin|Amsterdam)/u);
  });

  it('save or refuse whatever is typed, and never understand it by halves', () => {
    const odd = [
      '<!channel>',
      'budget:>',
      '"',
      'rating:>=9',
      '-',
      'Europe/',
      '+25:99',
      '__proto__',
      '\u202Eabc',
    ];
    const strange = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...odd));
    fc.assert(
      fc.property(strange, (text) => {
        const zone = parse('quiet', untouched(modal('quiet')).set('timezone', { text }));
        const rule = untouched(modal('mentions')).set('mention-rules-0', { text });
        const calls = parse('mentions', new Map(rule).set('mention-users-0', { users: [BEN] }));
        const saved = [zone.wanted?.timezone, calls.wanted?.mentions.length];
        expect(saved[0] === undefined).toBe('timezone' in zone.errors || text.trim() === '');
        expect(saved[1]).toBe('mention-rules-0' in calls.errors ? 0 : 1);
      }),
    );
  });

  it('ask whom to mention, and take no more people than a card can name', () => {
    const many = Array.from({ length: 21 }, (_, n) => UserId.parse(`U${n}`));
    const values = untouched(modal('mentions'))
      .set('mention-rules-0', { text: 'react' })
      .set('mention-users-1', { users: many });
    expect(parse('mentions', values).errors).toEqual({
      'mention-users-0': expect.any(String),
      'mention-users-1': expect.stringMatching(/\b20\b/u),
    });
  });

  it.each<readonly [string, PartName, string, ViewInputValue]>([
    ['a density that is none', 'updates', 'density', { option: 'huge' }],
    ['a level that is none', 'updates', 'level', { option: 'loud' }],
    ['a time for approvals that is none', 'cards', 'approval-hours', { option: '25' }],
    ['a group that is none', 'mentions', 'mention-groups-0', { options: ['S1> <!channel'] }],
  ])("don't understand %s", (_, part, field, value) => {
    expect(parse(part, untouched(modal(part)).set(field, value)).wanted).toBeUndefined();
  });

  it('take no times that are none, and no button that there is not', () => {
    const quiet = untouched(modal('quiet'))
      .set('quiet', { options: ['daily', 'nightly'] })
      .set('quiet-from', { time: '99:99' });
    expect(parse('quiet', quiet).errors).toEqual({ 'quiet-from': expect.any(String) });
    const cards = untouched(modal('cards')).set('buttons', { options: ['bid', 'launch'] });
    expect(parse('cards', cards).wanted?.hiddenButtons).toEqual(['details', 'claim', 'more']);
  });
});
