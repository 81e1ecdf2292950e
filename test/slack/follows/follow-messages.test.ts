/** What people read about projects that they follow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/clock.ts';
import { type Follower, MAX_FOLLOW_RULES } from '../../../src/follows/follows.ts';
import { FilterId, ProjectKey } from '../../../src/ids.ts';
import {
  type FollowListFacts,
  followListMessage,
  followRuleId,
  notFollowableMessage,
} from '../../../src/slack/follows/follow-messages.ts';
import { followedListMessage, followedProjectMessage } from '../../../src/slack/follows/followed-message.ts';
import { anyListed, hostileText } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, CHANNEL, listed, NODE, NOW, REACT, TEAM, view } from '../samples.ts';

const follower: Follower = {
  team: TEAM,
  user: BEN,
  rules: [
    { filter: REACT.id, rules: '', at: NOW },
    { rules: 'react budget:>2000', at: NOW },
  ],
  checkedAt: NOW,
};
const facts: FollowListFacts = { follower, known: [REACT, NODE], followable: [REACT], at: NOW };

describe('the list', () => {
  it('names the rules, each with a button, and mute', () => {
    expect(asText(followListMessage(facts))).toMatchSnapshot();
    const muted: Follower = { ...follower, muted: { until: NOW + HOUR } };
    expect(asText(followListMessage({ ...facts, follower: muted, followable: [] }))).toMatchSnapshot();
    expect(asText(followListMessage({ ...facts, follower: undefined }))).toMatchSnapshot();
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
    const list = { kind: 'followed-list' as const, items: [], more: 3 };
    expect(asText(followedListMessage(list, [row, row]))).toMatchSnapshot();
  });

  it('is harmless, whatever strangers write', () => {
    fc.assert(
      fc.property(anyListed, hostileText, (project, rules) => {
        const shown = view({ project });
        expectHarmless(followedProjectMessage({ ...about, rule: { rules } }, shown, undefined));
        const rows = Array.from({ length: 20 }, () => ({ project, channel: CHANNEL, link: undefined }));
        const list = { kind: 'followed-list' as const, items: [], more: 500 };
        expectHarmless(followedListMessage(list, rows));
      }),
      { numRuns: 20 },
    );
  });
});
