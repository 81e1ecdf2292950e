/** Makes a channel unfollow a profile, from typed words. */
import { findByNameOrId, withoutQuotes } from '../../directory/find-by-name.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';
import type { CommandCall, Message } from '../core/routes.ts';
import {
  ambiguousProfileMessage,
  notFollowedProfileMessage,
  type RequestedProfileFeed,
  whichOrganizationMessage,
} from '../kit/words/profiles.ts';
import { toProfileFeedName } from './profile-feed-block.ts';
import { profileFeedUnsubscribedMessage } from './profile-feed-subscription.ts';

interface Place {
  readonly id: number;
  readonly name: string;
}

/** Distinct entries with a name. */
function placesIn(
  named: readonly { readonly id?: number | undefined; readonly name?: string | undefined }[],
) {
  const places = new Map<number, Place>();
  for (const { id, name } of named) if (id !== undefined && name !== undefined) places.set(id, { id, name });
  return [...places.values()];
}

/** The feeds that match; several if it's unclear which one. */
function chooseFeeds(
  views: readonly ProfileFeedStatus[],
  { profile, organization }: RequestedProfileFeed,
):
  | { readonly kind: 'feeds'; readonly feeds: readonly ProfileFeedStatus[] }
  | { readonly kind: 'unclear'; readonly message: Message } {
  const [any] = views;
  const command = `unsubscribe ${any?.feed.kind ?? 'invitations'}`;
  const profiles = placesIn(views.map(({ feed, profileName }) => ({ id: feed.profile, name: profileName })));
  const one = findByNameOrId(profiles, profile);
  if (one.kind === 'several') {
    const asked = { kind: 'profile', words: withoutQuotes(profile), command } as const;
    return { kind: 'unclear', message: ambiguousProfileMessage(asked, one.entries) };
  }
  const own = one.kind === 'found' ? views.filter(({ feed }) => feed.profile === one.id) : [];
  if (organization === undefined) {
    const whole = own.filter(({ feed }) => feed.organization === undefined);
    return { kind: 'feeds', feeds: whole.length > 0 ? whole : own };
  }
  const places = placesIn(
    own.map(({ feed, organizationName }) => ({ id: feed.organization, name: organizationName })),
  );
  const place = findByNameOrId(places, organization);
  const narrowed = place.kind === 'found' ? own.filter(({ feed }) => feed.organization === place.id) : [];
  if (place.kind === 'several') {
    const ids = new Set(place.entries.map(({ id }) => id));
    return {
      kind: 'feeds',
      feeds: own.filter(({ feed }) => feed.organization && ids.has(feed.organization)),
    };
  }
  return { kind: 'feeds', feeds: narrowed };
}

export async function unfollowProfile(call: CommandCall, wanted: RequestedProfileFeed): Promise<void> {
  const { services, channel, person } = call;
  const all = await services.profiles.listChannelProfileFeeds(channel);
  const chosen = chooseFeeds(
    all.filter(({ feed }) => feed.kind === wanted.feed),
    wanted,
  );
  if (chosen.kind === 'unclear') return call.answer(chosen.message);
  const [view, more] = chosen.feeds;
  if (more) return call.answer(whichOrganizationMessage(chosen.feeds.map(toProfileFeedName)));
  const ended = view && (await services.profiles.unfollowInChannel(view.feed, person.user));
  if (!ended) {
    const { feed, profile, organization } = wanted;
    // With an organization, keep the quotes: they show where each name ends.
    const words = organization ? `${profile} organization ${organization}` : withoutQuotes(profile);
    return call.answer(notFollowedProfileMessage(feed, words, all.map(toProfileFeedName)));
  }
  await call.answer(profileFeedUnsubscribedMessage(toProfileFeedName(view), person.user), 'channel');
}
