/** What a digest says of the feeds: what is wrong now, and what failed meanwhile and works again. */
import { describe, expect, it } from 'vitest';
import {
  type FailureNotice,
  findRecoveredFailureNotices,
  listFeedProblems,
} from '../../src/digests/list-feed-problems.ts';
import { FilterId, ProfileId } from '../../src/ids.ts';
import type { ChannelNotice } from '../../src/outbox/posts.ts';

type States = Parameters<typeof listFeedProblems>[0];

const SINCE = 1_000;
const paused = { by: 'U1', at: SINCE } as States['paused'];
const failing = { kind: 'failing', code: 'server', since: SINCE } as const;

/** The state of a filter's subscription. */
function filter(id: number, state: object): States['subscriptions'][number] {
  return { subscription: {}, filter: { id: FilterId.parse(id) }, state } as States['subscriptions'][number];
}

function profile(kind: 'invitations' | 'outcomes', change: object = {}): States['profiles'][number] {
  const feed = { kind, profile: ProfileId.parse(31), ...change };
  return { feed } as States['profiles'][number];
}

function problems(now: Partial<States>, failures: readonly FailureNotice[] = []) {
  return listFeedProblems({ subscriptions: [], profiles: [], ...now }, failures);
}

function filtersFailing(...ids: readonly number[]): FailureNotice {
  const filters = ids.map((id) => ({ id: FilterId.parse(id) }));
  return { about: 'feed-failing', code: 'server', since: SINCE, filters };
}

const ofProfile = {
  feed: 'outcomes',
  profile: { id: ProfileId.parse(31) },
  code: 'server',
  since: SINCE,
} as const;
const profileFailing: ChannelNotice = { about: 'profile-failing', ...ofProfile };
const profileWell: ChannelNotice = { about: 'profile-recovered', ...ofProfile };

describe('feeds', () => {
  it('that work are not listed', () => {
    expect(
      problems({ subscriptions: [filter(1, { kind: 'live' })], profiles: [profile('outcomes')] }),
    ).toEqual([]);
  });

  it('that fail alike since the same time are one problem, others one each', () => {
    const [one, two] = [filter(1, failing), filter(2, failing)];
    const all = { feed: 'all', state: 'failing', code: 'server', since: SINCE };
    expect(problems({ subscriptions: [one, two] })).toEqual([all]);
    const both = [
      { ...all, feed: 'filter', id: 1 },
      { ...all, feed: 'filter', id: 2 },
    ];
    expect(problems({ subscriptions: [one, two, filter(3, { kind: 'live' })] })).toEqual(both);
    expect(problems({ subscriptions: [one, filter(2, { ...failing, code: 'timeout' })] })).toHaveLength(2);
  });

  it('that Slack refuses say since when', () => {
    const stopped = { at: SINCE, error: 'is_archived' };
    expect(problems({ profiles: [profile('outcomes', { stopped })] })).toEqual([
      { feed: 'outcomes', id: 31, state: 'stopped', code: 'is_archived', since: SINCE },
    ]);
  });

  it('whose pause holds anything up say so once, with other problems', () => {
    const row = { feed: 'all', state: 'paused', since: SINCE };
    const held = [filter(1, { kind: 'paused' }), filter(2, { kind: 'paused' })];
    expect(problems({ paused, subscriptions: held })).toEqual([row]);
    expect(problems({ paused, profiles: [profile('invitations')] })).toEqual([row]);
    expect(problems({ paused, profiles: [profile('outcomes')] })).toEqual([]);
    const failed = { feed: 'all', state: 'failed', code: 'server', since: SINCE };
    expect(problems({ paused, profiles: [profile('invitations')] }, [filtersFailing()])).toEqual([
      row,
      failed,
    ]);
  });

  it('that failed and fail now are listed as failing alone', () => {
    expect(problems({ subscriptions: [filter(1, failing)] }, [filtersFailing(1, 2)])).toEqual([
      { feed: 'filter', id: 1, state: 'failing', code: 'server', since: SINCE },
      { feed: 'filter', id: 2, state: 'failed', code: 'server', since: SINCE },
    ]);
  });
});

describe('a failure', () => {
  const well = (...ids: readonly number[]): ChannelNotice => {
    const filters = ids.map((id) => ({ id: FilterId.parse(id) }));
    return { about: 'feed-recovered', since: SINCE, filters };
  };

  it('is over with the news that it is, of the same feed', () => {
    expect(findRecoveredFailureNotices([filtersFailing(1), well(1), filtersFailing(2)])).toEqual([
      filtersFailing(1),
    ]);
    expect(findRecoveredFailureNotices([filtersFailing(), well()])).toEqual([filtersFailing()]);
    expect(findRecoveredFailureNotices([filtersFailing(1), profileWell])).toEqual([]);
    expect(findRecoveredFailureNotices([profileFailing, profileWell])).toEqual([profileFailing]);
  });

  it('is not over when it came back', () => {
    expect(findRecoveredFailureNotices([profileFailing, profileWell, profileFailing])).toEqual([]);
  });
});
