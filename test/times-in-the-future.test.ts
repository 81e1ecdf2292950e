/** A clock that was ahead stored a future time: it counts as unset. */
import { expect, it } from 'vitest';
import { DAY, HOUR, isRecent, MINUTE } from '../src/clock.ts';
import { findPauseEnd, isChannelPaused } from '../src/feed/channels.ts';
import { defaultChannelSettings } from '../src/feed/records.ts';
import { ChannelId, UserId } from '../src/ids.ts';
import { escalateFailure, shouldNotifyFailure } from '../src/sources/failure-rules.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const AHEAD = 410 * DAY;

it('nothing in the future was recent', () => {
  expect(isRecent(NOW - MINUTE, HOUR, NOW)).toBe(true);
  expect(isRecent(NOW - HOUR, HOUR, NOW)).toBe(false);
  expect(isRecent(NOW + 1, HOUR, NOW)).toBe(false);
  expect(isRecent(undefined, HOUR, NOW)).toBe(false);
});

it('a pause for two hours that was made by such a clock is over; one without an end is not', () => {
  const settings = defaultChannelSettings(ChannelId.parse('C1'));
  const by = UserId.parse('U1');
  const wrong = { ...settings, paused: { by, at: NOW + AHEAD, until: NOW + AHEAD + 2 * HOUR } };
  expect(isChannelPaused(wrong, NOW)).toBe(false);
  expect(findPauseEnd(wrong, NOW)).toBeUndefined();
  const right = { ...settings, paused: { by, at: NOW - HOUR, until: NOW + HOUR } };
  expect(isChannelPaused(right, NOW)).toBe(true);
  expect(isChannelPaused({ ...settings, paused: { by, at: NOW + AHEAD } }, NOW)).toBe(true);
});

it('trouble that began by such a clock began now, so that channels hear of it if it stays', () => {
  const before = { code: 'network', since: NOW + AHEAD, failures: 1, retryAt: NOW + AHEAD };
  const trouble = escalateFailure(before, 'network', NOW);
  expect(shouldNotifyFailure(trouble, NOW + DAY)).toBe(true);
});
