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
import { UserId } from '../../../src/ids.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import type { SettingsForm } from '../../../src/slack/settings/settings-forms.ts';
import { settingsModal, settingsParts } from '../../../src/slack/settings/settings-parts.ts';
import { densityText, nonDefaultSettingLines } from '../../../src/slack/settings/settings-text.ts';
import { type SettingsFacts, settingsWindow } from '../../../src/slack/settings/settings-window.ts';
import { actionsOf, expectHarmlessView, inputIds } from '../kit/harmless-view.ts';
import { BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

const BEGINNING = extractPreferences(defaultChannelSettings(TEAM, CHANNEL));

function form(shown: Partial<ChannelPreferences> = {}): SettingsForm {
  const id = 'a'.repeat(26) as SettingsForm['id'];
  return { team: TEAM, user: BEN, channel: CHANNEL, id, at: NOW, shown: { ...BEGINNING, ...shown } };
}

const evil = '<!channel> <https://evil|x> & :boom:';
const manyGroups = Array.from({ length: 150 }, (_, n) => ({ id: `S${n}`, name: evil, handle: `g${n}` }));

type PartName = keyof typeof settingsParts;
const PART_NAMES = Object.keys(settingsParts) as PartName[];

function modal(part: PartName, shown: Partial<ChannelPreferences> = {}, rows?: number): ModalView {
  const groups = { kind: 'known', groups: manyGroups } as const;
  const facts = { form: form(shown), groups, timezone: 'UTC', ownTimezone: 'Asia/Tokyo' };
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

const anyRule: fc.Arbitrary<MentionRule> = fc.record({
  rules: fc.constantFrom('', 'react', '"next js" -php budget:>=500'),
  users: fc
    .uniqueArray(fc.constantFrom('U1', 'U2', 'U3'), { minLength: 1 })
    .map((all) => all.map((it) => UserId.parse(it))),
  groups: fc.uniqueArray(fc.constantFrom('S7', 'SGONE'), { maxLength: 2 }),
});
const minute = fc.integer({ min: 0, max: 1_439 });
const anyQuiet = fc
  .record({ from: minute, to: minute, weekends: fc.boolean() })
  .map((it) => (it.from === it.to ? { from: 0, to: 0, weekends: true } : it));
const anyChoices: fc.Arbitrary<ChannelPreferences> = fc
  .record({
    level: fc.constantFrom('quiet', 'normal', 'everything'),
    density: fc.constantFrom('full', 'compact'),
    threadDetails: fc.boolean(),
    quiet: fc.option(anyQuiet, { nil: undefined }),
    timezone: fc.constantFrom(undefined, 'UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'),
    hiddenButtons: fc.subarray([...CardButton.options]),
    mentions: fc.array(anyRule, { maxLength: 5 }),
    approvalHours: fc.constantFrom(...APPROVAL_HOURS),
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
      { numRuns: 100 },
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
  const full = {
    mentions: Array.from({ length: 5 }, () => ({ rules: `"${'x'.repeat(480)}"`, users, groups })),
    quiet: { from: 1, to: 2, weekends: true },
    timezone: 'Asia/Ho_Chi_Minh',
  };

  it.each(PART_NAMES)('are harmless and within the limits when %s is as full as can be', (part) => {
    expectHarmlessView(modal(part, full));
  });

  it('lead from a window that is harmless and within the limits, too', () => {
    const choices = { ...BEGINNING, ...full };
    const facts: SettingsFacts = {
      channel: CHANNEL,
      choices,
      timezone: 'UTC',
      names: new Map([['SOLD0', evil]]),
      budget: 'x'.repeat(2_000),
      response: 'x'.repeat(2_000),
      spending: 'x'.repeat(2_000),
      isAdmin: true,
    };
    expectHarmlessView(settingsWindow(facts, 'a'.repeat(26)));
    const lines = nonDefaultSettingLines({ choices, timezone: 'UTC', names: new Map() });
    expect(lines.join('\n').length).toBeLessThan(6_000);
  });

  it('are told in the list where they differ from the default, card layout included', () => {
    const lines = (shown: Partial<ChannelPreferences>) =>
      nonDefaultSettingLines({ choices: { ...BEGINNING, ...shown }, timezone: 'UTC', names: new Map() });
    expect(lines({})).toEqual([]);
    expect(lines({ density: 'compact' })).toEqual([densityText('compact')]);
  });

  it('have room for one more mention than there are, and offer more up to five', () => {
    const rowsIn = (view: ModalView) => inputIds(view).filter((id) => id.startsWith('mention-rules')).length;
    expect(rowsIn(modal('mentions'))).toBe(1);
    expect(rowsIn(modal('mentions', { mentions: full.mentions.slice(0, 2) }))).toBe(3);
    expect(rowsIn(modal('mentions', full))).toBe(5);
    expect(actionsOf(modal('mentions', {}, 4))).toContain(actionIds.settingsMention);
    expect(actionsOf(modal('mentions', {}, 5))).not.toContain(actionIds.settingsMention);
    for (const rows of [Number.NaN, -1, 0, 1e9])
      expect([1, 5]).toContain(rowsIn(modal('mentions', {}, rows)));
    // A forged number leaves out no rule: it would end by saving.
    expect(rowsIn(modal('mentions', { mentions: full.mentions.slice(0, 2) }, 1))).toBe(3);
  });

  it('offer no further row before the groups are known: redrawing takes it away', () => {
    const facts = { form: form(), groups: { kind: 'loading' }, timezone: 'UTC' } as const;
    expect(actionsOf(settingsModal(settingsParts.mentions, facts))).not.toContain(actionIds.settingsMention);
  });

  it.each([
    ['CET', 'Europe/Berlin'],
    ['UTC+2', 'Europe/Berlin'],
    ['Amsterdm', 'Europe/Amsterdam'],
    ['x'.repeat(60), 'Europe/Berlin'],
  ])('refuse the time zone %s and name one', (typed, instead) => {
    const { errors } = parse('quiet', untouched(modal('quiet')).set('timezone', { text: typed }));
    expect(errors['timezone']).toContain(instead);
    expect(errors['timezone']).toMatchSnapshot();
  });

  it('take a city for its zone, and nothing for the configured one', () => {
    const berlin = parse('quiet', untouched(modal('quiet')).set('timezone', { text: ' berlin ' }));
    expect(berlin).toMatchObject({ wanted: { timezone: 'Europe/Berlin' }, errors: {} });
    const set = { timezone: 'UTC' };
    const none = parse('quiet', untouched(modal('quiet', set)).set('timezone', {}), set);
    expect(none.errors).toEqual({});
    expect(none.wanted?.timezone).toBeUndefined();
  });

  it('ask whom to mention, and take no more people than a card can name', () => {
    const many = Array.from({ length: 21 }, (_, n) => UserId.parse(`U${n}`));
    const values = untouched(modal('mentions'))
      .set('mention-rules-0', { text: 'react' })
      .set('mention-users-1', { users: many });
    const { errors } = parse('mentions', values);
    expect(errors).toEqual({
      'mention-users-0': expect.any(String),
      'mention-users-1': expect.stringMatching(/\b20\b/u),
    });
    expect(errors).toMatchSnapshot();
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
