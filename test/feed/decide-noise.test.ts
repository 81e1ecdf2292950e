import { describe, expect, it } from 'vitest';
import { extractPreferences } from '../../src/feed/channels.ts';
import { decideNewsPlace, type NewsKind } from '../../src/feed/decide-noise.ts';
import { ChannelSettings, NoiseLevel } from '../../src/feed/records.ts';

const LEVELS = NoiseLevel.options;

describe('where a channel gets news', () => {
  it('is its own message for a hire, at every level and also where there is a thread', () => {
    for (const level of LEVELS)
      for (const hasThread of [true, false])
        expect(decideNewsPlace('hired', level, hasThread)).toBe('message');
  });

  it.each<NewsKind>(['interviewed', 'failure'])('is the same at every level: %s', (kind) => {
    for (const level of LEVELS) {
      expect(decideNewsPlace(kind, level, true)).toBe('thread');
      expect(decideNewsPlace(kind, level, false)).toBe('message');
    }
  });

  it.each<NewsKind>(['viewed', 'withdrawn', 'outbid', 'invitation-status'])(
    'depends on the level for a small change: %s',
    (kind) => {
      const places = (hasThread: boolean) => LEVELS.map((level) => decideNewsPlace(kind, level, hasThread));
      expect(places(true)).toEqual(['nothing', 'thread', 'thread']);
      expect(places(false)).toEqual(['nothing', 'hourly', 'message']);
    },
  );

  it('is a message for an invitation, which is grouped only where there are many', () => {
    for (const level of LEVELS) expect(decideNewsPlace('invitation', level, false)).toBe('message');
  });
});

it('settings that were stored before levels existed are read as normal', () => {
  const stored = ChannelSettings.parse({ team: 'T1', channel: 'C1', density: 'full', mutes: [] });
  expect(extractPreferences(stored).level).toBe('normal');
});
