/** What a card's clock does at one moment: sends a stage, waits, or begins again. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { type ChannelSettings, defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId, UserId } from '../../src/ids.ts';
import { type Post, PostId } from '../../src/outbox/posts.ts';
import { createClockRules, followCard, newClock, phaseOf, stepClock } from '../../src/response/clocks.ts';
import type { ResponseClock } from '../../src/response/records.ts';
import { DEFAULT_RESPONSE_PLAN } from '../../src/response/response.ts';
import { FREE } from '../../src/response/stages.ts';
import { findPostedAt, type WatchedCard } from '../../src/response/watched-cards.ts';

const NOW = Date.parse('2026-03-23T10:00:00Z');
const channel = ChannelId.parse('C1');
const ben = UserId.parse('UBEN');
const post = PostId.parse('card:C1:~01');
const PLAN = { ...DEFAULT_RESPONSE_PLAN, isOn: true, days: [1, 2, 3, 4, 5, 6, 7], hours: undefined };

const card = (change: Partial<WatchedCard> = {}): WatchedCard => ({
  of: 'project',
  post: { id: post } as Post,
  title: 'A shop',
  wasClaimed: false,
  startsAt: NOW,
  state: 'open',
  isBidding: false,
  release: () => Promise.resolve(),
  ...change,
});
const claim = { by: ben, at: NOW };
const CLAIMED = phaseOf({ claim });
const running = (change: Partial<ResponseClock> = {}): ResponseClock => ({
  ...newClock(channel, post, NOW),
  phase: FREE,
  ...change,
});

/** What the clock does after some minutes. */
function step(
  clock: ResponseClock,
  now: WatchedCard | undefined,
  minutes: number,
  settings: Partial<ChannelSettings> = {},
) {
  const all = { ...defaultChannelSettings(channel), ...settings };
  return stepClock(clock, now, createClockRules(PLAN, all, 'UTC', NOW + minutes * MINUTE));
}

describe('a clock', () => {
  it('marks what it sends, so that it is sent once', () => {
    const first = step(running(), card(), 10);
    expect(first).toMatchObject({ kind: 'due', stage: 'nudge', clock: { sent: ['nudge'] } });
    expect(step(first.clock, card(), 10)).toMatchObject({
      kind: 'rest',
      clock: { dueAt: NOW + 20 * MINUTE },
    });
  });

  it.each([
    ['a card that is gone', undefined],
    ['a card that was dealt with', card({ state: 'ended' })],
  ])('stops for %s', (_, now) => {
    expect(step(running({ dueAt: NOW }), now, 30)).toStrictEqual({ kind: 'rest', clock: running() });
  });

  it('passes what is days late, for good', () => {
    const passed = running({ sent: ['nudge', 'lead'] });
    expect(step(running(), card(), 3 * 24 * 60)).toStrictEqual({ kind: 'rest', clock: passed });
  });

  it.each([
    ['a pause without an end', { paused: { by: ben, at: NOW } }, 20],
    ['a pause that ends soon', { paused: { by: ben, at: NOW, until: NOW + 13 * MINUTE } }, 13],
    ['quiet hours', { quiet: { from: 600, to: 612, weekends: false } }, 12],
    ['long quiet hours', { quiet: { from: 600, to: 700, weekends: false } }, 20],
  ])('looks again later in %s', (_, settings, minutes) => {
    expect(step(running(), card(), 10, settings)).toMatchObject({
      kind: 'rest',
      clock: { dueAt: NOW + minutes * MINUTE },
    });
  });

  it('begins once its message can be seen, and sends nothing while a bid is on its way', () => {
    const unseen = step(newClock(channel, post, NOW), card({ state: 'pending' }), 30);
    expect(unseen).toMatchObject({ kind: 'rest', clock: { phase: '', dueAt: NOW + 31 * MINUTE } });
    expect(step(running(), card({ state: 'pending' }), 30)).toMatchObject({
      kind: 'rest',
      clock: { dueAt: NOW + 31 * MINUTE },
    });
    expect(step(running(), card({ state: 'pending' }), 5)).toMatchObject({
      clock: { dueAt: NOW + 10 * MINUTE },
    });
  });

  it('gives a claim its whole time again while its bid is on its way, with one more warning', () => {
    const bidding = card({ claim, state: 'pending', isBidding: true });
    const warned = running({ phase: CLAIMED, sent: ['nudge', `warning:${CLAIMED}:0`] });
    const restarted = step(warned, bidding, 55);
    expect(restarted).toMatchObject({
      kind: 'rest',
      clock: { since: NOW + 55 * MINUTE, extended: 1, dueAt: NOW + 56 * MINUTE },
    });
    expect(step(restarted.clock, bidding, 56)).toMatchObject({ clock: { extended: 1 } });
    const again = step(restarted.clock, card({ claim }), 105);
    expect(again).toMatchObject({ kind: 'due', stage: 'warning' });
    expect(step(again.clock, bidding, 110)).toMatchObject({ clock: { extended: 2 } });
    // Its card shows the new end.
    expect(step(running({ phase: CLAIMED }), bidding, 5)).toMatchObject({ clock: { extended: 1 } });
  });
});

describe('a clock that follows its card', () => {
  const follow = (clock: ResponseClock, now: WatchedCard, minutes = 5) =>
    followCard(clock, now, NOW + minutes * MINUTE);

  it('begins with the card, or with its claim', () => {
    const fresh = newClock(channel, post, NOW + HOUR);
    expect(follow(fresh, card({ startsAt: NOW - MINUTE }))).toMatchObject({
      phase: FREE,
      since: NOW - MINUTE,
    });
    expect(follow(fresh, card({ wasClaimed: true }))).toMatchObject({ since: NOW + 5 * MINUTE });
    expect(follow(fresh, card({ claim }))).toMatchObject({ phase: CLAIMED, since: NOW });
    expect(follow(fresh, card({ startsAt: NOW + HOUR }))).toMatchObject({ since: NOW + 5 * MINUTE });
  });

  it('begins again after a release, without a snooze', () => {
    const snoozed = running({ phase: CLAIMED, extended: 2, snoozedUntil: NOW + HOUR });
    const freed = follow(snoozed, card({ wasClaimed: true }));
    expect(freed).toMatchObject({ phase: FREE, since: NOW + 5 * MINUTE, extended: 0 });
    expect(freed).not.toHaveProperty('snoozedUntil');
  });

  it('stays as it is while nothing changes, but for moments of a wrong clock', () => {
    expect(follow(running(), card())).toEqual(running());
    const minuteAhead = running({ since: NOW + 6 * MINUTE });
    expect(follow(minuteAhead, card())).toEqual(minuteAhead);
    expect(follow(running({ since: NOW + HOUR }), card())).toMatchObject({ since: NOW + 5 * MINUTE });
  });

  it('forgets what was sent for earlier claims, not what is sent once', () => {
    const old = running({ phase: CLAIMED, sent: ['nudge', 'warning:claim UOLD 1:0'] });
    const warned = step(old, card({ claim }), 50).clock;
    expect(warned.sent).toEqual(['nudge', `warning:${CLAIMED}:0`]);
    expect(step(warned, card({ claim }), 60).clock.sent).toEqual([...warned.sent, `expiry:${CLAIMED}:0`]);
  });
});

it('an invitation, or a card after quiet hours, has its place in the channel from when it was sent', () => {
  const of = (kind: string, released = false) => ({ content: { kind }, order: NOW, released }) as Post;
  expect(findPostedAt(of('invitation'), NOW - HOUR)).toBe(NOW);
  expect(findPostedAt(of('card', true), NOW - HOUR)).toBe(NOW);
  expect(findPostedAt(of('card'), NOW - HOUR)).toBe(NOW - HOUR);
});
