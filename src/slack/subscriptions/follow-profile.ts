/** Makes a channel follow a profile, from typed words. */
import { withoutQuotes } from '../../directory/find-by-name.ts';
import type { NoiseLevel } from '../../feed/feed.ts';
import { OrganizationId, ProfileId, type UserId } from '../../ids.ts';
import type { FollowProfileRequest } from '../../profiles/profiles.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import type { CommandCall, Message, Services } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { findDirectoryEntryWithRefresh } from '../kit/words/filters.ts';
import {
  ambiguousProfileMessage,
  noSuchProfileMessage,
  type ProfileFeedName,
  type ProfileOrOrganization,
  profileFeedPhrase,
  profileNotFoundMessage,
  type RequestedProfileFeed,
} from '../kit/words/profiles.ts';
import { toProfileFeedName } from './profile-feeds.ts';

const UPDATES: Readonly<Record<NoiseLevel, string>> = {
  quiet:
    'Interviews and hires appear here from now on. This channel is quiet, so views and smaller changes ' +
    "don't.",
  normal:
    'Interviews and hires appear here from now on. Views and smaller changes go in threads, or in one ' +
    'summary an hour.',
  everything: 'Views, interviews, hires and smaller changes appear here from now on.',
};

/** @param nothingYet whether the marketplace has no data for it yet; a wrong ID would explain that, too. */
function profileFeedSubscribedMessage(
  it: ProfileFeedName,
  by: UserId,
  { nothingYet, level }: { readonly nothingYet: boolean; readonly level: NoiseLevel },
): Message {
  const what = it.feed === 'invitations' ? 'New invitations appear here from now on.' : UPDATES[level];
  const things = it.feed === 'invitations' ? 'invitations' : 'proposals';
  const hint = it.organization ? 'the profile and organization IDs' : 'the profile ID';
  return {
    text: joinLines(
      `${formatMention(by)} subscribed this channel to ${profileFeedPhrase(it)}.`,
      `${what} They cost no credits.`,
      nothingYet
        ? `The marketplace has no ${things} there yet. If that looks wrong, check ${hint}.`
        : undefined,
    ),
  };
}

export function profileFeedUnsubscribedMessage(it: ProfileFeedName, by: UserId): Message {
  return {
    text:
      `${formatMention(by)} unsubscribed this channel from ${profileFeedPhrase(it)}. ` +
      'Existing messages stay.',
  };
}

const MOST_KNOWN = 15;

async function readId(
  services: Services,
  kind: ProfileOrOrganization,
  words: string,
  command: string,
): Promise<number | Message> {
  const asked = { kind, words: withoutQuotes(words), command };
  const found = await findDirectoryEntryWithRefresh(services, kind, words);
  if (found.kind === 'found') return found.id;
  if (found.kind === 'several') return ambiguousProfileMessage(asked, found.entries);
  const known = await services.directory.listEntries(kind, MOST_KNOWN);
  return noSuchProfileMessage(asked, found.known, known);
}

type Target = Pick<FollowProfileRequest, 'kind' | 'profile' | 'organization'>;

async function readTarget(
  services: Services,
  { feed: kind, profile, organization }: RequestedProfileFeed,
): Promise<Target | Message> {
  const id = await readId(services, 'profile', profile, `subscribe ${kind}`);
  if (typeof id !== 'number') return id;
  const target = { kind, profile: ProfileId.parse(id) };
  if (organization === undefined) return target;
  const place = await readId(services, 'organization', organization, `subscribe ${kind} ${id} organization`);
  return typeof place === 'number' ? { ...target, organization: OrganizationId.parse(place) } : place;
}

async function nameFeed({ directory }: Services, feed: Target): Promise<ProfileFeedName> {
  const { profile, organization = 0 } = feed;
  const profiles = await directory.readEntryNames('profile', [profile]);
  const organizations = await directory.readEntryNames('organization', [organization]);
  return toProfileFeedName({
    feed,
    profileName: profiles.get(profile),
    organizationName: organizations.get(organization),
  });
}

export async function followProfile(
  call: Pick<CommandCall, 'services' | 'channel' | 'person' | 'answer'>,
  wanted: RequestedProfileFeed,
): Promise<void> {
  const { services, channel, person } = call;
  const reach = await services.slack.checkReachability(channel);
  if (reach.kind === 'unreachable') return call.answer(channelUnreachableMessage(reach.error));
  const target = await readTarget(services, wanted);
  if ('text' in target) return call.answer(target);
  const outcome = await services.profiles.followInChannel({ ...target, channel, by: person.user });
  const name = await nameFeed(services, target);
  switch (outcome.kind) {
    case 'followed': {
      const { level = 'normal' } = await services.feed.readChannelSettings(channel);
      const facts = { nothingYet: outcome.nothingYet === true, level };
      return call.answer(profileFeedSubscribedMessage(name, person.user, facts), 'channel');
    }
    case 'there': {
      const more = outcome.recovered ? 'It works again, and updates continue now' : 'Nothing changed';
      return call.answer({ text: `This channel already gets ${profileFeedPhrase(name)}. ${more}.` });
    }
    case 'no-such-profile':
      return call.answer(profileNotFoundMessage(name, outcome.known));
    case 'failed':
      throw outcome.error;
  }
}
