/**
 * A name that matches no profile or organization, or several; and a profile that the channel doesn't follow.
 * Pure.
 */

import type { Message } from '../../core/routes.ts';
import { joinLines } from '../block-builders.ts';
import { SLASH_COMMAND } from '../ids.ts';
import { formatCount } from '../numbers.ts';
import { codeText } from '../query-error.ts';
import {
  feedKindText,
  organizationName,
  type ProfileFeedName,
  profileFeedListText,
  profileName,
  unsubscribeCommandText,
} from './profile-name.ts';

const MOST = 15;

export type ProfileOrOrganization = 'profile' | 'organization';

interface Place {
  readonly id: number;
  readonly name?: string;
}

function nameAll(kind: ProfileOrOrganization, places: readonly Place[]): string {
  const name = kind === 'profile' ? profileName : organizationName;
  return places.slice(0, MOST).map(name).join(', ');
}

/** A command without the ID at its end: `subscribe invitations`. */
interface Asked {
  readonly kind: ProfileOrOrganization;
  readonly words: string;
  readonly command: string;
}

function example(command: string, place: Place | undefined, otherwise: number): string {
  return `For example: ${codeText(`${SLASH_COMMAND} ${command} ${place?.id ?? otherwise}`)}`;
}

const OTHERWISE: Readonly<Record<ProfileOrOrganization, number>> = { profile: 301, organization: 401 };

/** @param near nearest first; @param known all known names, shown if nothing is near. */
export function noSuchProfileMessage(
  { kind, words, command }: Asked,
  near: readonly Place[],
  known: readonly Place[],
): Message {
  const shown = near.length > 0 ? near : known;
  const which = near.length > 0 ? 'Closest matches' : `Known ${kind}s`;
  return {
    text: joinLines(
      `There's no known ${kind} called ${codeText(words, 100)}. IDs always work. ` +
        'Gigdesk learns names from proposals and invitations.',
      shown.length > 0 ? `${which}: ${nameAll(kind, shown)}` : undefined,
      example(command, shown[0], OTHERWISE[kind]),
    ),
  };
}

export function ambiguousProfileMessage({ kind, words, command }: Asked, places: readonly Place[]): Message {
  return {
    text: joinLines(
      `${codeText(words, 100)} matches ${formatCount(places.length, kind)}: ${nameAll(kind, places)}. ` +
        'Use the ID.',
      example(command, places[0], OTHERWISE[kind]),
    ),
  };
}

/** The marketplace doesn't find it. */
export function profileNotFoundMessage(asked: ProfileFeedName, known: readonly Place[]): Message {
  const { feed, profile, organization } = asked;
  const which = profileName(profile);
  const what = organization ? `${which} with ${organizationName(organization)}` : which;
  return {
    text: joinLines(
      `Couldn't find ${what} in the marketplace. It may not be connected to your team. ` +
        'Connect it in the dashboard. Nothing was changed.',
      known.length > 0 ? `Known profiles: ${nameAll('profile', known)}` : undefined,
      example(`subscribe ${feed}`, known[0], OTHERWISE.profile),
    ),
  };
}

/** @param followed the channel's profile feeds. */
export function notFollowedProfileMessage(
  feed: ProfileFeedName['feed'],
  words: string,
  followed: readonly ProfileFeedName[],
): Message {
  const list = codeText(`${SLASH_COMMAND} list`);
  const asked = `${feedKindText(feed)} for ${codeText(words, 100)}`;
  const [first] = followed;
  if (!first) return { text: `This channel isn't subscribed to ${asked} or any other profile. See ${list}.` };
  return {
    text: joinLines(
      `This channel isn't subscribed to ${asked}. ` +
        `It's subscribed to: ${profileFeedListText(followed)}. See their status with ${list}.`,
      `For example: ${codeText(`${SLASH_COMMAND} ${unsubscribeCommandText(first)}`)}`,
    ),
  };
}

/** The channel follows the profile in several organizations. @param feeds one for each */
export function whichOrganizationMessage(feeds: readonly ProfileFeedName[]): Message {
  const [first] = feeds;
  return {
    text: joinLines(
      `That matches several subscriptions: ${profileFeedListText(feeds)}. Add the organization.`,
      first ? `For example: ${codeText(`${SLASH_COMMAND} ${unsubscribeCommandText(first)}`)}` : undefined,
    ),
  };
}
