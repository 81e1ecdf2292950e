/** Following profiles, put together. */
import { addAudit } from '../audit/audit.ts';
import type { TeamId, UserId } from '../ids.ts';
import { type ReadTransaction, type Store, scan } from '../storage/store.ts';
import { follow, type ProfilesContext } from './follow.ts';
import { followersOf } from './followers.ts';
import type { ProfileFeedView, Profiles } from './profiles.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from './records.ts';
import { nameOf, readSync } from './syncs.ts';

async function view(tx: ReadTransaction, feed: ProfileFeed): Promise<ProfileFeedView> {
  const { team, profile, organization } = feed;
  const sync = await readSync(tx, feed);
  const profileName = await nameOf(tx, team, 'profile', profile);
  const organizationName =
    organization === undefined ? undefined : await nameOf(tx, team, 'organization', organization);
  return {
    feed,
    ...(profileName === undefined ? {} : { profileName }),
    ...(organizationName === undefined ? {} : { organizationName }),
    ...(sync ? { sync } : {}),
    ...(sync?.readAt === undefined ? {} : { lastGoodAt: sync.readAt }),
  };
}

function viewAll(store: Store, prefix: readonly [TeamId, ...string[]]): Promise<readonly ProfileFeedView[]> {
  return store.read(async (tx) => {
    const views: ProfileFeedView[] = [];
    for await (const { value } of scan(tx, profileFeeds, { prefix })) views.push(await view(tx, value));
    return views;
  });
}

function unfollow(
  { store, team, clock }: ProfilesContext,
  asked: Parameters<Profiles['unfollow']>[0],
  by: UserId,
): Promise<ProfileFeed | undefined> {
  return store.transact(async (tx) => {
    const key = profileFeedKey({ ...asked, team });
    const feed = await tx.get(profileFeeds, key);
    if (!feed) return undefined;
    await tx.delete(profileFeeds, key);
    const { kind, profile, organization, channel } = feed;
    const profileName = await nameOf(tx, team, 'profile', profile);
    await addAudit(tx, {
      team,
      at: clock.now(),
      by,
      channel,
      act: {
        kind: 'unfollowed',
        feed: kind,
        profile,
        ...(profileName === undefined ? {} : { profileName }),
        ...(organization === undefined ? {} : { organization }),
      },
    });
    return feed;
  });
}

export function createProfiles(context: ProfilesContext): Profiles {
  const { store, team } = context;
  const listeners: (() => void)[] = [];
  const tellChange = () => {
    for (const listener of listeners) listener();
  };

  return {
    async follow(request) {
      const outcome = await follow(context, request);
      if (outcome.kind === 'followed' || (outcome.kind === 'there' && outcome.recovered)) tellChange();
      return outcome;
    },
    async unfollow(asked, by) {
      const ended = await unfollow(context, asked, by);
      if (ended) tellChange();
      return ended;
    },
    feeds: (channel) => viewAll(store, [team, channel]),
    all: () => viewAll(store, [team]),
    followers: (tx, kind, profile) => followersOf(tx, team, kind, profile),
    onChange: (listener) => void listeners.push(listener),
  };
}
