/** The first lines of `/gig status`, and how feeds are counted in every message. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { ChannelId, FilterId, ProfileId, toCredits } from '../../../src/ids.ts';
import type { GateStatus } from '../../../src/marketplace/gate/gate.ts';
import type { ProfileFeedStatus } from '../../../src/profiles/profiles.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { type StatusFacts, statusMessage } from '../../../src/slack/status/status-message.ts';
import { requestUsageText } from '../../../src/slack/status/status-parts.ts';
import { countFeeds } from '../../../src/slack/subscriptions/profile-feeds.ts';
import { aBudget } from '../budgets/budget-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, CHANNEL, NODE, NOW, REACT, TEAM } from '../samples.ts';

const MINUTE = 60_000;
const OTHER = ChannelId.parse('C2');

function followed(kind: 'invitations' | 'outcomes', channel = CHANNEL, profile = 301): ProfileFeedStatus {
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

function facts(change: { gate?: Partial<GateStatus>; profiles?: ProfileFeedStatus[] } = {}): StatusFacts {
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

/** The first lines when everything works. */
const WELL = 'text: :white_check_mark:';

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
  expect(text.split(describeMarketplaceFailure('not-found').what)).toHaveLength(16);
  expect(text).toMatch(/^….*\b3\b/mu);
});

describe('where the budget of a channel is short', () => {
  const budget = aBudget({ channel: CHANNEL, limit: toCredits(20), settled: 17, reserved: 0, available: 3 });

  it('nobody reads that all is well, and each feed says how many of its channels wait', () => {
    const text = asText(statusMessage({ ...facts(), budgets: [budget] }));
    expect(text).toMatch(new RegExp(`^text: :octagonal_sign: .*<#${CHANNEL}>`, 'u'));
    expect(text).not.toContain(WELL);
    const [, waits = ''] = / · ([^·\n]*\b1\b[^·\n]*)$/mu.exec(text) ?? [];
    expect(text.split(waits)).toHaveLength(3);
    expect(text).toMatchSnapshot();
  });

  it('a channel that follows no filter is of no concern', () => {
    const elsewhere = { ...budget, channel: ChannelId.parse('C9') };
    expect(asText(statusMessage({ ...facts(), budgets: [elsewhere] }))).toContain(WELL);
  });
});

describe('while the gate holds requests back', () => {
  it('a pause is told with its reason and for how long, and nobody reads that all is well', () => {
    const text = told({ pausedUntil: NOW + 19_500 });
    expect(text).toMatch(/^text: :hourglass_flowing_sand: .*\b20\b/u);
    expect(text).not.toContain(WELL);
    expect(text).toMatchSnapshot();
  });

  it('a longer pause is told by the clock', () => {
    expect(told({ pausedUntil: NOW + 8 * MINUTE })).toMatch(
      /^text: :hourglass_flowing_sand: .*<!date\^\d+\^.*\{time\}/u,
    );
  });

  it('a moment that has passed is not told', () => {
    const text = told({ pausedUntil: NOW, lowered: { from: 30, until: NOW - SECOND } });
    expect(text).toBe(told({}));
    expect(text).toContain(WELL);
  });

  it('a limit well below what it was is told with both numbers', () => {
    const text = told({ limitPerMinute: 12, lowered: { from: 30, until: NOW + 90 * SECOND } });
    expect(text).toMatch(/^text: :hourglass_flowing_sand: .*\b90\b.*\b12\b.*\b30\b/u);
    expect(text).toMatchSnapshot();
  });

  it('a record that cannot be saved is told, since the feed waits for it', () => {
    expect(told({ recordFails: true })).toMatch(/^text: :warning: /u);
    expect(told({ recordFails: true })).toMatchSnapshot();
  });

  it('trouble of a feed goes before it', () => {
    const { feed, ...rest } = facts({ gate: { pausedUntil: NOW + MINUTE } });
    const trouble = { code: 'unauthorised', since: NOW - MINUTE, retryAt: NOW + MINUTE };
    const text = asText(statusMessage({ ...rest, feed: { ...feed, trouble } }));
    expect(text).toMatch(/^text: :red_circle: /u);
    expect(text).toContain(describeMarketplaceFailure('unauthorised').what);
    expect(text).toMatch(/\b60\b/u);
    expect(text).toMatchSnapshot();
  });
});

it.each([
  [24, 23, ['23']],
  [23, 23, ['23']],
  [22, 23, ['22', '23']],
])('%i requests with a limit of %i read as %j', (used, limitPerMinute, numbers) => {
  const [, words = ''] = requestUsageText({ limitPerMinute, used, waiting: 0 }, NOW).split('\n');
  expect(told({ used, limitPerMinute })).toContain(words);
  expect(words.match(/\d+/gu)).toEqual(numbers);
  expect(words).toMatchSnapshot();
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
    expect(text).toMatch(new RegExp(`^${WELL} .*\\b5\\b`, 'u'));
    expect(text.match(/:large_green_circle:/gu)).toHaveLength(5);
  });

  it('count the same wherever they are told', () => {
    expect(countFeeds({ filters: [REACT.id, NODE.id, REACT.id], profiles })).toBe(5);
    expect(countFeeds({ filters: [], profiles: [] })).toBe(0);
  });
});
