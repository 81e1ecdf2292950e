/** What people read about projects that they follow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/clock.ts';
import { type Follower, MAX_FOLLOW_RULES } from '../../../src/follows/follows.ts';
import { FilterId, ProjectKey } from '../../../src/ids.ts';
import {
  type FollowListFacts,
  followingMessage,
  followListMessage,
  followRuleId,
  notFollowableMessage,
} from '../../../src/slack/follows/follow-messages.ts';
import { followedListMessage, followedProjectMessage } from '../../../src/slack/follows/followed-message.ts';
import {
  FIRST_RULE_FIELD,
  notifyForm,
  parseNotifyForm,
  readShownRevision,
} from '../../../src/slack/follows/notify-form.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { anyListed, hostileText } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { findViewRubricProblems } from '../rubric.ts';
import { BEN, CHANNEL, listed, NODE, NOW, REACT, TEAM, view } from '../samples.ts';

const follower: Follower = {
  team: TEAM,
  user: BEN,
  rules: [
    { filter: REACT.id, rules: '', at: NOW },
    { rules: 'react budget:>2000', at: NOW },
  ],
  by: 'message',
  revision: 3,
  checkedAt: NOW,
};
const facts: FollowListFacts = { follower, known: [REACT, NODE], followable: [REACT], at: NOW };

describe('the list', () => {
  it('names the rules, each with a button, and when and how it comes', () => {
    expect(asText(followListMessage(facts))).toMatchSnapshot();
    const quiet = { from: 20 * 60, to: 8 * 60, weekends: true };
    const chosen: Follower = { ...follower, by: 'mention', quiet, muted: { until: NOW + HOUR } };
    expect(asText(followListMessage({ ...facts, follower: chosen, followable: [] }))).toMatchSnapshot();
    expect(asText(followListMessage({ ...facts, follower: undefined }))).toMatchSnapshot();
    expect(
      asText(followingMessage('added', { rules: 'react' }, { follower, known: [], at: NOW })),
    ).toMatchSnapshot();
    expect(asText(notFollowableMessage('filter 9', [REACT, NODE]))).toMatchSnapshot();
  });

  it('is within the limits and harmless, with the longest rules', () => {
    const rule = fc.record({ filter: fc.constantFrom(undefined, FilterId.parse(101)), rules: hostileText });
    const rules = fc.array(rule, { maxLength: MAX_FOLLOW_RULES });
    fc.assert(
      fc.property(rules, hostileText, (some, name) => {
        const given = some.map(({ filter, rules: written }) => ({
          rules: written.slice(0, 500),
          at: NOW,
          ...(filter ? { filter } : {}),
        }));
        const known = [{ ...REACT, name }];
        expectHarmless(followListMessage({ ...facts, follower: { ...follower, rules: given }, known }));
        const form = notifyForm({ follower: { ...follower, rules: given }, timezone: 'UTC', at: NOW });
        expect(findViewLimitProblems(form)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('names each rule by an ID of its own', () => {
    const targets = [{ rules: '7' }, { filter: REACT.id, rules: '' }, { filter: NODE.id, rules: '' }];
    expect(new Set(targets.map(followRuleId)).size).toBe(3);
  });
});

describe('a message about projects', () => {
  const about = {
    kind: 'followed-project',
    channel: CHANNEL,
    project: ProjectKey.parse('~0123456789'),
    rule: { filter: REACT.id, rules: 'budget:>2000' },
  } as const;

  it('has the facts, the reason, and the buttons that apply', () => {
    const link = 'https://acme.slack.com/archives/C0WEB/p1795165999000001';
    expect(asText(followedProjectMessage(about, view(), link))).toMatchSnapshot();
    const hidden = view({ card: { state: 'suppressed', because: 'no-match' } });
    expect(asText(followedProjectMessage(about, hidden, undefined))).toMatchSnapshot();
    const row = { project: listed(), channel: CHANNEL, link };
    const list = { kind: 'followed-list' as const, timing: 'quiet' as const, items: [], more: 3 };
    expect(asText(followedListMessage(list, [row, row]))).toMatchSnapshot();
  });

  it('is harmless, whatever strangers write', () => {
    fc.assert(
      fc.property(anyListed, hostileText, (project, rules) => {
        const shown = view({ project });
        expectHarmless(followedProjectMessage({ ...about, rule: { rules } }, shown, undefined));
        const rows = Array.from({ length: 20 }, () => ({ project, channel: CHANNEL, link: undefined }));
        const list = { kind: 'followed-list' as const, timing: 'daily' as const, items: [], more: 500 };
        expectHarmless(followedListMessage(list, rows));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the form', () => {
  it('keeps the rubric', () => {
    const form = notifyForm({ follower, timezone: 'Europe/Berlin', at: NOW });
    expect(findViewRubricProblems(form.blocks)).toEqual([]);
    expect(findViewLimitProblems(form)).toEqual([]);
  });

  const values = (given: Readonly<Record<string, object>>) =>
    new Map(
      Object.entries({
        how: { option: 'message' },
        when: { option: 'now' },
        mute: { option: 'off' },
        ...given,
      }),
    );

  it('reads rules, each once, and choices', () => {
    const rows = {
      'rule-0': { text: '101' },
      'rule-1': { text: ' filter 101 ' },
      'rule-3': { text: 'react' },
    };
    const when = { when: { option: 'daily' }, 'daily-at': { time: '07:30' }, mute: { option: 'on' } };
    expect(parseNotifyForm(values({ ...rows, ...when }), [REACT])).toEqual({
      kind: 'filled',
      rules: [{ filter: 101, rules: '' }, { rules: 'react' }],
      preferences: { by: 'message', dailyAt: 450 },
      mute: 'on',
    });
  });

  it('refuses what it can not have sent, and names what is wrong', () => {
    expect(parseNotifyForm(values({ how: { option: 'phone' } }), []).kind).toBe('unreadable');
    expect(parseNotifyForm(values({ mute: {} }), []).kind).toBe('unreadable');
    const parsed = parseNotifyForm(
      values({
        [FIRST_RULE_FIELD]: { text: 'budget:lots' },
        how: { option: 'mention' },
        when: { option: 'daily' },
        quiet: { options: ['daily'] },
        'quiet-from': { time: '20:00' },
        'quiet-to': { time: '20:00' },
      }),
      [],
    );
    expect(parsed.kind === 'mistakes' && Object.keys(parsed.errors).sort()).toEqual([
      'daily-at',
      'how',
      'quiet-to',
      FIRST_RULE_FIELD,
    ]);
  });

  it('takes a revision as its metadata, and nothing else', () => {
    expect(readShownRevision('12')).toBe(12);
    for (const forged of ['', '-1', '1.5', '1e3', '12345678901', 'x', '{"a":1}'])
      expect(readShownRevision(forged)).toBeUndefined();
  });
});
