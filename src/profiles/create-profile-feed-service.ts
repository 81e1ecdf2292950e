/** Creates the service for followed profiles. */

import { recordAuditEntry } from '../audit/audit.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { TeamId, UserId } from '../ids.ts';
import { type ReadTransaction, type Store, scanCollection } from '../storage/store.ts';
import { checkAndFollowProfile, type ProfileFeedContext } from './follow.ts';
import { listFeedsOfProfile } from './followers.ts';
import type { ProfileFeedService, ProfileFeedStatus } from './profile-feed-service.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from './records.ts';
import { readDirectoryName, readProfileSync } from './syncs.ts';

async function readProfileFeedStatus(tx: ReadTransaction, feed: ProfileFeed): Promise<ProfileFeedStatus> {
  const { team, profile, organization } = feed;
  const sync = await readProfileSync(tx, feed);
  const profileName = await readDirectoryName(tx, team, 'profile', profile);
  const organizationName =
    organization === undefined ? undefined : await readDirectoryName(tx, team, 'organization', organization);
  return {
    feed,
    ...omitUndefined({ profileName, organizationName }),
    ...(sync ? { sync } : {}),
    ...(sync?.readAt === undefined ? {} : { lastGoodAt: sync.readAt }),
  };
}

function listProfileFeedStatuses(
  store: Store,
  prefix: readonly [TeamId, ...string[]],
): Promise<readonly ProfileFeedStatus[]> {
  return store.read(async (tx) => {
    const views: ProfileFeedStatus[] = [];
    for await (const { value } of scanCollection(tx, profileFeeds, { prefix }))
      views.push(await readProfileFeedStatus(tx, value));
    return views;
  });
}

function removeProfileFeed(
  { store, team, clock }: ProfileFeedContext,
  asked: Parameters<ProfileFeedService['unfollowInChannel']>[0],
  by: UserId,
): Promise<ProfileFeed | undefined> {
  return store.transact(async (tx) => {
    const key = profileFeedKey({ ...asked, team });
    const feed = await tx.get(profileFeeds, key);
    if (!feed) return undefined;
    await tx.delete(profileFeeds, key);
    const { kind, profile, organization, channel } = feed;
    const profileName = await readDirectoryName(tx, team, 'profile', profile);
    await recordAuditEntry(tx, {
      team,
      at: clock.now(),
      by,
      channel,
      act: {
        kind: 'unfollowed',
        feed: kind,
        profile,
        ...omitUndefined({ profileName, organization }),
      },
    });
    return feed;
  });
}

export function createProfileFeedService(context: ProfileFeedContext): ProfileFeedService {
  const { store, team } = context;
  const listeners: (() => void)[] = [];
  const tellChange = () => {
    for (const listener of listeners) listener();
  };

  return {
    async followInChannel(request) {
      const outcome = await checkAndFollowProfile(context, request);
      if (outcome.kind === 'followed' || (outcome.kind === 'there' && outcome.recovered)) tellChange();
      return outcome;
    },
    async unfollowInChannel(asked, by) {
      const ended = await removeProfileFeed(context, asked, by);
      if (ended) tellChange();
      return ended;
    },
    listChannelProfileFeeds: (channel) => listProfileFeedStatuses(store, [team, channel]),
    listAllProfileFeeds: () => listProfileFeedStatuses(store, [team]),
    listProfileFollowers: (tx, kind, profile) => listFeedsOfProfile(tx, team, kind, profile),
    onChange: (listener) => void listeners.push(listener),
  };
}
