/** A channel begins to follow a profile, by what somebody typed. */
import { withoutQuotes } from '../../directory/find-name.ts';
import { OrganizationId, ProfileId } from '../../ids.ts';
import type { FollowRequest } from '../../profiles/profiles.ts';
import { followedAlreadyMessage, followedMessage } from '../messages/followed.ts';
import type { ProfileFeedName } from '../messages/profile-name.ts';
import { unreachableMessage } from '../messages/unreachable.ts';
import {
  deniedProfileMessage,
  noSuchPlaceMessage,
  type PlaceKind,
  severalPlacesMessage,
} from '../messages/which-profile.ts';
import type { CommandCall, Message, Services } from '../routes.ts';
import { findNamed } from './learn-names.ts';
import type { WantedProfile } from './read-profile.ts';

const MOST_KNOWN = 15;

type Meant =
  | { readonly kind: 'found'; readonly id: number }
  | { readonly kind: 'unclear'; readonly message: Message };

async function meant(services: Services, kind: PlaceKind, words: string, command: string): Promise<Meant> {
  const asked = { kind, words: withoutQuotes(words), command };
  const found = await findNamed(services, kind, words);
  switch (found.kind) {
    case 'found':
      return found;
    case 'several':
      return { kind: 'unclear', message: severalPlacesMessage(asked, found.entries) };
    case 'none': {
      const known = await services.directory.list(kind, MOST_KNOWN);
      return { kind: 'unclear', message: noSuchPlaceMessage(asked, found.known, known) };
    }
  }
}

type Target = Pick<FollowRequest, 'kind' | 'profile' | 'organization'>;

/** The ids that somebody means, or what to answer. */
async function readTarget(
  services: Services,
  { feed: kind, profile, organization }: WantedProfile,
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

/** With the names that are known by now. */
async function nameFeed(
  { directory }: Services,
  { kind, profile, organization }: Target,
): Promise<ProfileFeedName> {
  const profiles = await directory.names('profile', [profile]);
  const named = { feed: kind, profile: { id: profile, name: profiles.get(profile) } };
  if (organization === undefined) return named;
  const organizations = await directory.names('organization', [organization]);
  return { ...named, organization: { id: organization, name: organizations.get(organization) } };
}

export async function followProfile(call: CommandCall, wanted: WantedProfile): Promise<void> {
  const { services, channel, person } = call;
  const reach = await services.slack.reach(channel);
  if (reach.kind === 'unreachable') return call.answer(unreachableMessage(reach.error));
  const read = await readTarget(services, wanted);
  if (read.kind === 'unclear') return call.answer(read.message);
  const { target } = read;
  const outcome = await services.profiles.follow({ ...target, channel, by: person.user });
  const name = await nameFeed(services, target);
  switch (outcome.kind) {
    case 'followed':
      return call.answer(followedMessage(name, person.user, outcome.nothingYet === true), 'channel');
    case 'there':
      return call.answer(followedAlreadyMessage(name, outcome.recovered === true));
    case 'no-such-profile':
      return call.answer(deniedProfileMessage(name, outcome.known));
    case 'failed':
      throw outcome.error;
  }
}
