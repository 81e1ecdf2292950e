/** What `/gig status` begins with, and how feeds are counted wherever they are told. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { ChannelId, credits, FilterId, ProfileId } from '../../../src/ids.ts';
import type { GateStatus } from '../../../src/marketplace/gate.ts';
import type { ProfileFeedView } from '../../../src/profiles/profiles.ts';
import { countFeeds } from '../../../src/slack/messages/feed-count.ts';
import { type StatusFacts, statusMessage } from '../../../src/slack/messages/status.ts';
import { expectHarmless } from '../harmless.ts';
import { BEN, CHANNEL, NODE, NOW, REACT, TEAM } from '../samples.ts';
import { asText } from './as-text.ts';
import { aBudget } from './budget-samples.ts';

const MINUTE = 60_000;
const OTHER = ChannelId.parse('C2');

function followed(kind: 'invitations' | 'outcomes', channel = CHANNEL, profile = 301): ProfileFeedView {
  return {
    feed: {
      team: TEAM,
      channel,
      kind,
      profile: ProfileId.parse(profile),
      by: BEN,
      createdAt: NOW,
      startsAt: NOW,
    },
    profileName: 'Ana Larsen',
    lastGoodAt: NOW,
  };
}

function facts(change: { gate?: Partial<GateStatus>; profiles?: ProfileFeedView[] } = {}): StatusFacts {
  const health = { channels: [CHANNEL, OTHER], lastGoodAt: NOW, perHour: 6, gaps: 0 };
  return {
    version: '0.1.0',
    startedAt: NOW - MINUTE,
    at: NOW,
    feed: {
      filters: [
        { ...health, filter: REACT },
        { ...health, filter: NODE },
      ],
    },
    gate: { limitPerMinute: 30, used: 7, waiting: 0, ...change.gate },
    account: { remaining: 8_200, resetsAt: NOW + MINUTE, confirmed: true, byChannels: 0, outside: 0 },
    budgets: [],
    profiles: change.profiles ?? [],
    sees: () => true,
  };
}

function told(gate: Partial<GateStatus>): string {
  const message = statusMessage(facts({ gate }));
  expectHarmless(message);
  return asText(message);
}

it('tells of each feed in full and how many more there are, also where they fill more than one block', () => {
  const trouble = { code: 'not-found', since: NOW, retryAt: NOW + MINUTE } as const;
  const health = { channels: [CHANNEL], lastGoodAt: NOW, perHour: 6, gaps: 0, trouble };
  const filters = Array.from({ length: 18 }, (_, at) => ({
    ...health,
    filter: { id: FilterId.parse(100 + at), name: 'n'.repeat(80) },
  }));
  const message = statusMessage({ ...facts(), feed: { filters } });
  expectHarmless(message);
  const text = asText(message);
  expect(text.match(/next try/gu)).toHaveLength(15);
  expect(text).toContain('…and 3 more');
});

describe('where the budget of a channel is short', () => {
  const budget = aBudget({ channel: CHANNEL, limit: credits(20), settled: 17, reserved: 0, available: 3 });

  it('nobody reads that all is well, and each feed says how many of its channels wait', () => {
    const text = asText(statusMessage({ ...facts(), budgets: [budget] }));
    expect(text).toContain(`The budget is short in <#${CHANNEL}>*: new projects wait there`);
    expect(text).not.toContain('All is well');
    expect(text.match(/1 of them waits for the budget/gu)).toHaveLength(2);
  });

  it('a channel that follows no filter is of no concern', () => {
    const elsewhere = { ...budget, channel: ChannelId.parse('C9') };
    expect(asText(statusMessage({ ...facts(), budgets: [elsewhere] }))).toContain('All is well');
  });
});

describe('while the gate holds requests back', () => {
  it('a pause is told with its reason and for how long, and nobody reads that all is well', () => {
    const text = told({ pausedUntil: NOW + 19_500 });
    expect(text).toContain(
      '*Requests wait for another 20 seconds*: the marketplace says that they come too fast.',
    );
    expect(text).not.toContain('All is well');
  });

  it('a longer pause is told by the clock', () => {
    expect(told({ pausedUntil: NOW + 8 * MINUTE })).toMatch(/\*Requests wait until <!date\^\d+\^.*\{time\}/u);
  });

  it('a moment that has passed is not told', () => {
    const text = told({ pausedUntil: NOW, lowered: { from: 30, until: NOW - SECOND } });
    expect(text).toContain('All is well');
    expect(text).not.toMatch(/held back|wait|slower/u);
  });

  it('a limit well below what it was is told with both numbers', () => {
    const text = told({ limitPerMinute: 12, lowered: { from: 30, until: NOW + 90 * SECOND } });
    expect(text).toContain('*Requests go slower for another 90 seconds*');
    expect(text).toContain('12 a minute go out instead of 30');
  });

  it('a record that cannot be saved is told, since the feed waits for it', () => {
    expect(told({ recordFails: true })).toContain('*The feed waits*');
  });

  it('trouble of a feed goes before it', () => {
    const { feed, ...rest } = facts({ gate: { pausedUntil: NOW + MINUTE } });
    const trouble = { code: 'unauthorised', since: NOW - MINUTE, retryAt: NOW + MINUTE };
    const text = asText(statusMessage({ ...rest, feed: { ...feed, trouble } }));
    expect(text).toContain('The feed stands still');
    expect(text).toContain('held back for another 60 seconds');
  });
});

it.each([
  [24, 23, 'all 23 used in the last minute'],
  [23, 23, 'all 23 used in the last minute'],
  [22, 23, '22 of 23 used in the last minute'],
])('%i requests with a limit of %i read as “%s”', (used, limitPerMinute, words) => {
  expect(told({ used, limitPerMinute })).toContain(words);
});

describe('feeds', () => {
  const profiles = [
    followed('invitations'),
    followed('outcomes'),
    followed('outcomes', OTHER),
    followed('invitations', OTHER, 302),
  ];

  it('are counted once for all channels, and each that is counted is shown', () => {
    const text = asText(statusMessage(facts({ profiles })));
    expect(text).toContain('All is well: 5 feeds live');
    expect(text.match(/:large_green_circle:/gu)).toHaveLength(5);
  });

  it('count the same wherever they are told', () => {
    expect(countFeeds({ filters: [REACT.id, NODE.id, REACT.id], profiles })).toBe(5);
    expect(countFeeds({ filters: [], profiles: [] })).toBe(0);
  });
});
