/** `/gig status` as a whole: its content and order, and that many feeds keep within the limits. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChannelId, ProfileId } from '../../../src/ids.ts';
import type { ProfileFeedStatus } from '../../../src/profiles/profiles.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { allFeedsStoppedText, statusMessage } from '../../../src/slack/status/status-message.ts';
import { anyFilters } from '../arbitraries.ts';
import { ACCOUNT, aBudget } from '../budgets/budget-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, CHANNEL, NODE, NOW, REACT, TEAM } from '../samples.ts';

const DAY = 86_400_000;

describe('status', () => {
  const gate = { limitPerMinute: 30, used: 7, waiting: 0 };
  const profile = ProfileId.parse(301);
  const followed = {
    feed: {
      team: TEAM,
      channel: CHANNEL,
      kind: 'invitations',
      profile,
      by: BEN,
      createdAt: NOW - DAY,
      startsAt: NOW - DAY,
    },
    profileName: 'Ana Larsen',
    lastGoodAt: NOW - 60_000,
  } as const;
  const facts = {
    version: '0.1.0',
    startedAt: NOW - DAY,
    at: NOW,
    gate,
    account: ACCOUNT,
    budgets: [aBudget()],
    profiles: [],
    sees: () => true,
  };
  const health = { channels: [CHANNEL], lastGoodAt: NOW, perHour: 6, gaps: 0 };

  it('shows the last good poll of every feed, requests, credits and version', async () => {
    const feed = {
      filters: [
        { ...health, filter: REACT },
        { ...health, filter: NODE, perHour: 0.2, gaps: 2 },
      ],
    };
    await expect(asText(statusMessage({ ...facts, feed }))).toMatchFileSnapshot('__snapshots__/status.txt');
  });

  it('begins with the trouble, where there is some', async () => {
    const trouble = { code: 'unauthorised', since: NOW - DAY, retryAt: NOW + 60_000 };
    const feed = {
      trouble,
      filters: [
        { ...health, filter: REACT },
        { ...health, filter: NODE, trouble },
      ],
    };
    await expect(asText(statusMessage({ ...facts, feed }))).toMatchFileSnapshot(
      '__snapshots__/status-trouble.txt',
    );
  });

  it('tells how what is followed of profiles stands, once for all channels, trouble first', async () => {
    const other = { ...followed.feed, channel: ChannelId.parse('C2') };
    const stopped = { ...other, stopped: { at: NOW, error: 'is_archived' } };
    const trouble = { code: 'not-found', since: NOW - DAY, failures: 9, retryAt: NOW + 60_000 };
    const outcomes = { ...followed.feed, kind: 'outcomes', profile: ProfileId.parse(302) } as const;
    const sync = { team: TEAM, of: 'proposals', profile: outcomes.profile, trouble } as const;
    const profiles = [
      followed,
      { ...followed, feed: other },
      { feed: { ...stopped, profile: ProfileId.parse(303) } },
      { feed: outcomes, sync },
      { feed: { ...outcomes, profile: ProfileId.parse(304), stopped: stopped.stopped } },
      {
        feed: { ...followed.feed, profile: outcomes.profile },
        sync: { ...sync, of: 'invitations' as const },
      },
    ];
    const feed = { filters: [{ ...health, filter: REACT }] };
    const message = statusMessage({ ...facts, feed, profiles });
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/status-profiles.txt');
    expectHarmless(message);
    const { text } = statusMessage({ ...facts, feed: { filters: [] }, profiles: [followed] });
    expect(text).toMatch(/^:white_check_mark: .*\b1\b/u);
    expect(text).toMatchSnapshot();
  });

  it('tells once why the proposals of a profile can not be read', () => {
    const trouble = { code: 'server', since: NOW - DAY, failures: 9, retryAt: NOW + 60_000 };
    const outcomes = { ...followed.feed, kind: 'outcomes' } as const;
    const sync = { team: TEAM, of: 'proposals', profile, trouble } as const;
    const proposals = {
      profiles: [{ profile, held: 1_240, state: 'complete', readAt: NOW - DAY, trouble } as const],
      isLoaded: true,
      behind: 0,
    };
    const told = (profiles: ProfileFeedStatus[]) =>
      asText(statusMessage({ ...facts, feed: { filters: [] }, profiles, proposals }));
    const text = told([{ feed: outcomes, sync }]);
    const { what } = describeMarketplaceFailure('server');
    expect(text.split(what)).toHaveLength(2);
    expect(text).toMatch(/^:warning: profile 301 .*\b1,240\b/mu);
    expect(text).toMatchSnapshot();
    expect(told([followed]).split(what)).toHaveLength(2);
    expect(told([followed])).toMatchSnapshot();
  });

  it('begins with what stopped the feed last: the credits, where an earlier fault is forgotten', () => {
    const trouble = { code: 'server', since: NOW - DAY, retryAt: NOW };
    const feed = { trouble, filters: [{ ...health, filter: REACT }] };
    const account = { ...ACCOUNT, spentSince: NOW };
    const text = asText(statusMessage({ ...facts, feed, account }));
    expect(text).toContain(allFeedsStoppedText({ feed: {}, account }));
    expect(text).not.toContain(':red_circle:');
    expect(text).toMatchSnapshot();
    expect(text).not.toContain(':large_green_circle:');
  });

  it('of a hundred feeds keeps within the limits', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const feed = { filters: filters.map((filter) => ({ ...health, filter })) };
        const profiles = filters.map(({ id, name }) => ({
          ...followed,
          feed: { ...followed.feed, profile: ProfileId.parse(id) },
          ...(name === undefined ? {} : { profileName: name }),
        }));
        expectHarmless(statusMessage({ ...facts, feed, profiles }));
      }),
      { numRuns: 20 },
    );
  });
});
