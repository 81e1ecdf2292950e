import type { InputBlock, ModalView } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APPROVAL_HOURS, type ChannelPreferences, extractPreferences } from '../../../src/feed/channels.ts';
import { CardButton, defaultChannelSettings, type MentionRule } from '../../../src/feed/records.ts';
import { UserId } from '../../../src/ids.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import type { SettingsForm } from '../../../src/slack/settings/settings-forms.ts';
import {
  parseSettingsForm,
  readOnlySettingsView,
  settingsModal,
} from '../../../src/slack/settings/settings-modal.ts';
import { nonDefaultSettingLines } from '../../../src/slack/settings/settings-text.ts';
import { actionsOf, expectHarmlessView, inputIds } from '../kit/harmless-view.ts';
import { BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

const BEGINNING = extractPreferences(defaultChannelSettings(TEAM, CHANNEL));

function form(shown: Partial<ChannelPreferences> = {}, rows = 5): SettingsForm {
  const id = 'a'.repeat(26) as SettingsForm['id'];
  return { team: TEAM, user: BEN, channel: CHANNEL, id, at: NOW, shown: { ...BEGINNING, ...shown }, rows };
}

const evil = '<!channel> <https://evil|x> & :boom:';
const manyGroups = Array.from({ length: 150 }, (_, n) => ({ id: `S${n}`, name: evil, handle: `g${n}` }));

function modal(shown: Partial<ChannelPreferences> = {}, rows = 5): ModalView {
  const groups = { kind: 'known', groups: manyGroups } as const;
  return settingsModal({ form: form(shown, rows), groups, timezone: 'UTC', ownTimezone: 'Asia/Tokyo' });
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

describe('the settings form', () => {
  it('sent as it was opened changes nothing, whatever is chosen', () => {
    fc.assert(
      fc.property(anyChoices, (chosen) => {
        const groups = (rules: readonly MentionRule[]) =>
          rules.map((rule) => ({ ...rule, groups: rule.groups.toSorted() }));
        const filled = parseSettingsForm(untouched(modal(chosen)), 5);
        if (filled.kind !== 'filled') throw new Error(JSON.stringify(filled));
        const { requested } = filled;
        expect({ ...requested, mentions: groups(requested.mentions) }).toEqual({
          ...chosen,
          mentions: groups(chosen.mentions),
        });
      }),
      { numRuns: 200 },
    );
  });

  it('is harmless and within the limits when it is as full as can be', () => {
    const users = Array.from({ length: 20 }, (_, n) => UserId.parse(`U${n}`));
    const groups = Array.from({ length: 10 }, (_, n) => `SOLD${n}`);
    const mentions = Array.from({ length: 5 }, () => ({ rules: `"${'x'.repeat(480)}"`, users, groups }));
    const full = { mentions, quiet: { from: 1, to: 2, weekends: true }, timezone: 'Asia/Ho_Chi_Minh' };
    expectHarmlessView(modal(full));
    expectHarmlessView(readOnlySettingsView(form(full), 'UTC', new Map([['SOLD0', evil]])));
    const lines = nonDefaultSettingLines({
      choices: { ...BEGINNING, ...full },
      timezone: 'UTC',
      names: new Map(),
    });
    expect(lines.join('\n').length).toBeLessThan(6_000);
  });

  it('has room for as many mentions as there are rows, and offers more up to five', () => {
    expect(inputIds(modal({}, 2)).filter((id) => id.startsWith('mention-rules'))).toHaveLength(2);
    expect(actionsOf(modal({}, 4))).toContain(actionIds.settingsMention);
    expect(actionsOf(modal({}, 5))).not.toContain(actionIds.settingsMention);
  });

  it.each([
    ['CET', 'Europe/Berlin'],
    ['UTC+2', 'Europe/Berlin'],
    ['Amsterdm', 'Europe/Amsterdam'],
    ['x'.repeat(60), 'Europe/Berlin'],
  ])('refuses the time zone %s and names one', (typed, instead) => {
    const values = untouched(modal()).set('timezone', { text: typed });
    const filled = parseSettingsForm(values, 5);
    if (filled.kind !== 'mistakes') return expect.fail(filled.kind);
    expect(filled.errors['timezone']).toContain(instead);
    expect(filled.errors['timezone']).toMatchSnapshot();
  });

  it('takes a city for its zone, and nothing for the configured one', () => {
    const berlin = parseSettingsForm(untouched(modal()).set('timezone', { text: ' berlin ' }), 5);
    expect(berlin).toMatchObject({ requested: { timezone: 'Europe/Berlin' } });
    const none = parseSettingsForm(untouched(modal({ timezone: 'UTC' })).set('timezone', {}), 5);
    expect(none.kind === 'filled' && none.requested.timezone).toBeUndefined();
  });

  it('asks for whoever is to be called, and for no more than a card can name', () => {
    const many = Array.from({ length: 21 }, (_, n) => UserId.parse(`U${n}`));
    const values = untouched(modal())
      .set('mention-rules-0', { text: 'react' })
      .set('mention-users-1', { users: many });
    const filled = parseSettingsForm(values, 5);
    expect(filled).toMatchObject({
      errors: { 'mention-users-0': expect.any(String), 'mention-users-1': expect.stringMatching(/\b20\b/u) },
    });
    expect(filled).toMatchSnapshot();
  });

  it.each<readonly [string, string, ViewInputValue]>([
    ['a density that is none', 'density', { option: 'huge' }],
    ['a group that is none', 'mention-groups-0', { options: ['S1> <!channel'] }],
  ])('does not understand %s', (_, field, value) => {
    expect(parseSettingsForm(untouched(modal()).set(field, value), 5)).toEqual({ kind: 'unreadable' });
  });

  it('takes no times that are none, and no button that there is not', () => {
    const values = untouched(modal())
      .set('quiet', { options: ['daily', 'nightly'] })
      .set('quiet-from', { time: '99:99' })
      .set('buttons', { options: ['bid', 'launch'] });
    const filled = parseSettingsForm(values, 5);
    expect(filled).toMatchObject({ kind: 'mistakes', errors: { 'quiet-from': expect.any(String) } });
  });
});
