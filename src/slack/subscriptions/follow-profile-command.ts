/** Makes a channel follow a profile, from typed words. */
import { withoutQuotes } from '../../directory/find-by-name.ts';
import { OrganizationId, ProfileId } from '../../ids.ts';
import type { FollowProfileRequest } from '../../profiles/profile-feed-service.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import type { CommandCall, Message, Services } from '../core/routes.ts';
import { findDirectoryEntryWithRefresh } from '../kit/words/find-name-with-refresh.ts';
import type { RequestedProfileFeed } from '../kit/words/parse-profile.ts';
import type { ProfileFeedName } from '../kit/words/profile-name.ts';
import {
  ambiguousProfileMessage,
  noSuchProfileMessage,
  type ProfileOrOrganization,
  profileNotFoundMessage,
} from '../kit/words/which-profile.ts';
import {
  profileFeedAlreadySubscribedMessage,
  profileFeedSubscribedMessage,
} from './profile-feed-subscription.ts';

const MOST_KNOWN = 15;

type Meant =
  | { readonly kind: 'found'; readonly id: number }
  | { readonly kind: 'unclear'; readonly message: Message };

async function meant(
  services: Services,
  kind: ProfileOrOrganization,
  words: string,
  command: string,
): Promise<Meant> {
  const asked = { kind, words: withoutQuotes(words), command };
  const found = await findDirectoryEntryWithRefresh(services, kind, words);
  switch (found.kind) {
    case 'found':
      return found;
    case 'several':
      return { kind: 'unclear', message: ambiguousProfileMessage(asked, found.entries) };
    case 'none': {
      const known = await services.directory.listEntries(kind, MOST_KNOWN);
      return { kind: 'unclear', message: noSuchProfileMessage(asked, found.known, known) };
    }
  }
}

type Target = Pick<FollowProfileRequest, 'kind' | 'profile' | 'organization'>;

/** The typed IDs, or the reply if unclear. */
async function readTarget(
  services: Services,
  { feed: kind, profile, organization }: RequestedProfileFeed,
): Promise<{ readonly kind: 'target'; readonly target: Target } | Extract<Meant, { kind: 'unclear' }>> {
  const one = await meant(services, 'profile', profile, `subscribe ${kind}`);
  if (one.kind === 'unclear') return one;
  const id = ProfileId.parse(one.id);
  if (organization === undefined) return { kind: 'target', target: { kind, profile: id } };
  const command = `subscribe ${kind} ${id} organization`;
  const place = await meant(services, 'organization', organization, command);
  if (place.kind === 'unclear') return place;
  return {
    kind: 'target',
    target: { kind, profile: id, organization: OrganizationId.parse(place.id) },
  };
}

/** Adds the known names. */
async function nameFeed(
  { directory }: Services,
  { kind, profile, organization }: Target,
): Promise<ProfileFeedName> {
  const profiles = await directory.readEntryNames('profile', [profile]);
  const named = { feed: kind, profile: { id: profile, name: profiles.get(profile) } };
  if (organization === undefined) return named;
  const organizations = await directory.readEntryNames('organization', [organization]);
  return { ...named, organization: { id: organization, name: organizations.get(organization) } };
}

export async function followProfile(call: CommandCall, wanted: RequestedProfileFeed): Promise<void> {
  const { services, channel, person } = call;
  const reach = await services.slack.checkReachability(channel);
  if (reach.kind === 'unreachable') return call.answer(channelUnreachableMessage(reach.error));
  const read = await readTarget(services, wanted);
  if (read.kind === 'unclear') return call.answer(read.message);
  const { target } = read;
  const outcome = await services.profiles.followInChannel({ ...target, channel, by: person.user });
  const name = await nameFeed(services, target);
  switch (outcome.kind) {
    case 'followed':
      return call.answer(
        profileFeedSubscribedMessage(name, person.user, outcome.nothingYet === true),
        'channel',
      );
    case 'there':
      return call.answer(profileFeedAlreadySubscribedMessage(name, outcome.recovered === true));
    case 'no-such-profile':
      return call.answer(profileNotFoundMessage(name, outcome.known));
    case 'failed':
      throw outcome.error;
  }
}
