/** When a person gets what they follow. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { decideRelease } from '../../src/follows/decide-release.ts';
import type { Membership } from '../../src/follows/follows.ts';
import { RuleMatcher } from '../../src/follows/match-rules.ts';
import type { Follower, FollowMatch } from '../../src/follows/records.ts';
import { muteUntilTomorrow, scheduleMatch, takesMentions } from '../../src/follows/schedule.ts';
import { ChannelId, FilterId, UserId } from '../../src/ids.ts';
import { listed, TEAM } from '../slack/samples.ts';

const NOON = Date.parse('2027-01-20T12:00:00Z');
const NIGHT = Date.parse('2027-01-20T22:00:00Z');
const CHANNEL = ChannelId.parse('C00000001');
const FILTER = FilterId.parse(7);
const USER = UserId.parse('U00000001');

const follower: Follower = {
  team: TEAM,
  user: USER,
  rules: [{ rules: '', filter: FILTER, at: 0 }],
  by: 'message',
  revision: 1,
  checkedAt: 0,
};
const quiet = { from: 20 * 60, to: 8 * 60, weekends: false };

describe('the schedule', () => {
  it('is soon, after quiet hours, at the daily time, or never', () => {
    expect(scheduleMatch(follower, 'UTC', NOON)).toMatchObject({ state: 'due', timing: 'now' });
    expect(scheduleMatch({ ...follower, quiet }, 'UTC', NOON)).toMatchObject({ timing: 'now' });
    expect(scheduleMatch({ ...follower, quiet }, 'UTC', NIGHT)).toEqual({
      state: 'due',
      timing: 'quiet',
      dueAt: Date.parse('2027-01-21T08:00:00Z'),
    });
    expect(scheduleMatch({ ...follower, quiet, dailyAt: 9 * 60 }, 'UTC', NIGHT)).toEqual({
      state: 'due',
      timing: 'daily',
      dueAt: Date.parse('2027-01-21T09:00:00Z'),
    });
    expect(scheduleMatch({ ...follower, muted: {} }, 'UTC', NOON).state).toBe('dropped');
    expect(scheduleMatch({ ...follower, muted: { until: NOON } }, 'UTC', NOON).state).toBe('due');
  });

  it.each([
    ['forward', '2027-03-27T22:00:00Z', '2027-03-28T06:00:00Z'],
    ['back', '2027-10-30T22:00:00Z', '2027-10-31T07:00:00Z'],
  ])('follows the wall clock where the person is, when clocks are set %s', (_, night, end) => {
    const there = { ...follower, quiet, timezone: 'Europe/Berlin' };
    expect(scheduleMatch(there, 'UTC', Date.parse(night)).dueAt).toBe(Date.parse(end));
    const daily = { ...there, dailyAt: 8 * 60 };
    expect(scheduleMatch(daily, 'UTC', Date.parse(night)).dueAt).toBe(Date.parse(end));
  });

  it('uses the default for a time zone that this machine does not know', () => {
    const lost = { ...follower, quiet, timezone: 'Mars/Base' };
    expect(scheduleMatch(lost, 'UTC', NIGHT).dueAt).toBe(Date.parse('2027-01-21T08:00:00Z'));
  });

  it('takes a mention only if it would reach the person now', () => {
    const by = 'mention' as const;
    expect(takesMentions({ ...follower, by }, 'UTC', NOON)).toBe(true);
    expect(takesMentions(follower, 'UTC', NOON)).toBe(false);
    expect(takesMentions({ ...follower, by, quiet }, 'UTC', NIGHT)).toBe(false);
    expect(takesMentions({ ...follower, by, muted: {} }, 'UTC', NOON)).toBe(false);
  });

  it('mutes until 9:00 of the next day, also over a change of clocks', () => {
    const before = Date.parse('2027-03-27T10:00:00Z');
    expect(muteUntilTomorrow(before, 'Europe/Berlin').until).toBe(Date.parse('2027-03-28T07:00:00Z'));
    expect(muteUntilTomorrow(before, 'Mars/Base').until).toBe(Date.parse('2027-03-28T09:00:00Z'));
  });
});

describe('what is due', () => {
  const place = { channel: CHANNEL, filter: FILTER };
  const project = new RuleMatcher().forProject({ project: listed(), filters: [FILTER] });
  const match: FollowMatch = {
    team: TEAM,
    user: USER,
    project: listed().key,
    places: [place],
    at: NOON,
    state: 'due',
    timing: 'now',
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
    timezone: 'UTC',
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

  it('waits while Slack does not say, for the card, and for quiet hours that began meanwhile', () => {
    expect(decideRelease({ ...due, membership: undefined }, NOON).kind).toBe('later');
    expect(decideRelease({ ...due, membership: undefined }, NOON + 25 * 60 * MINUTE).kind).toBe('forget');
    expect(decideRelease({ ...due, isCardPending: true }, NOON).kind).toBe('later');
    expect(decideRelease({ ...due, isCardPending: true }, NOON + MINUTE).kind).toBe('send');
    const asleep = { ...follower, quiet };
    expect(decideRelease({ ...due, follower: asleep }, NIGHT)).toMatchObject({
      kind: 'later',
      timing: 'quiet',
    });
    const daily = { ...match, timing: 'daily' as const };
    expect(decideRelease({ ...due, follower: asleep, match: daily }, NIGHT).kind).toBe('send');
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
