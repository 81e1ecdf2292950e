/** Whether and when a person gets what they follow. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { decideRelease } from '../../src/follows/deliver.ts';
import { muteUntilTomorrow } from '../../src/follows/follows.ts';
import { RuleMatcher } from '../../src/follows/match-rules.ts';
import type { Membership } from '../../src/follows/memberships.ts';
import type { Follower, FollowMatch } from '../../src/follows/records.ts';
import { ChannelId, FilterId, UserId } from '../../src/ids.ts';
import { listed } from '../slack/samples.ts';

const NOON = Date.parse('2027-01-20T12:00:00Z');
const CHANNEL = ChannelId.parse('C00000001');
const FILTER = FilterId.parse(7);
const USER = UserId.parse('U00000001');

const follower: Follower = {
  user: USER,
  rules: [{ rules: '', filter: FILTER, at: 0 }],
  checkedAt: 0,
};

describe('mute until tomorrow', () => {
  it('ends at 9:00 of the next day, also over a change of clocks', () => {
    const before = Date.parse('2027-03-27T10:00:00Z');
    expect(muteUntilTomorrow(before, 'Europe/Berlin').until).toBe(Date.parse('2027-03-28T07:00:00Z'));
    expect(muteUntilTomorrow(before, 'Mars/Base').until).toBe(Date.parse('2027-03-28T09:00:00Z'));
  });
});

describe('what is due', () => {
  const place = { channel: CHANNEL, filter: FILTER };
  const project = new RuleMatcher().forProject({ project: listed(), filters: [FILTER] });
  const match: FollowMatch = {
    user: USER,
    project: listed().key,
    places: [place],
    at: NOON,
    dueAt: NOON,
  };
  const membership: Membership = { isMember: true, channels: new Set([CHANNEL]) };
  const due = {
    match,
    follower,
    membership,
    project,
    places: [place],
    isCardPending: false,
  };

  it('is sent while the person is in the channel and still follows it', () => {
    expect(decideRelease(due, NOON)).toMatchObject({ kind: 'send', place });
    expect(decideRelease({ ...due, places: [] }, NOON)).toEqual({ kind: 'forget' });
    expect(decideRelease({ ...due, membership: { ...membership, isMember: false } }, NOON)).toEqual({
      kind: 'forget',
    });
    expect(decideRelease({ ...due, project: undefined }, NOON)).toEqual({ kind: 'forget' });
    const others = { ...follower, rules: [{ rules: 'nothing-like-it', at: 0 }] };
    expect(decideRelease({ ...due, follower: others }, NOON)).toEqual({ kind: 'forget' });
  });

  it('waits while Slack does not say, and for the card', () => {
    expect(decideRelease({ ...due, membership: undefined }, NOON).kind).toBe('later');
    expect(decideRelease({ ...due, membership: undefined }, NOON + 25 * 60 * MINUTE).kind).toBe('forget');
    expect(decideRelease({ ...due, isCardPending: true }, NOON).kind).toBe('later');
    expect(decideRelease({ ...due, isCardPending: true }, NOON + MINUTE).kind).toBe('send');
  });

  it('is dropped while the person is muted, even if Slack does not say who they are', () => {
    const muted = { ...follower, muted: {} };
    expect(decideRelease({ ...due, follower: muted, membership: undefined }, NOON)).toEqual({ kind: 'drop' });
  });
});

describe('a rule', () => {
  it('matches what its filter finds, in the channels given; without a filter, what any finds', () => {
    const project = new RuleMatcher().forProject({
      project: listed({ title: 'React shop' }),
      filters: [FILTER],
    });
    const places = [{ channel: CHANNEL, filter: FILTER }];
    const other = [{ channel: CHANNEL, filter: FilterId.parse(8) }];
    expect(project.matchesRule({ filter: FILTER, rules: '' }, places)).toBe(true);
    expect(project.matchesRule({ filter: FILTER, rules: '' }, other)).toBe(false);
    expect(project.matchesRule({ rules: 'react' }, other)).toBe(true);
    expect(project.matchesRule({ rules: 'react' }, [])).toBe(false);
    expect(project.matchesRule({ rules: 'budget:lots' }, places)).toBe(false);
    const late = { rules: [{ rules: 'react', at: 5 }] };
    expect(project.findRule(late, places, 4)).toBeUndefined();
    expect(project.findRule(late, places, 5)?.rules).toBe('react');
  });
});
