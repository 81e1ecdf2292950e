/** A name that no profile or organization bears, or that several do; and a profile that the channel does not follow. */
import { COMMAND } from '../blocks/ids.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';
import {
  endingCommand,
  feedList,
  organizationName,
  type ProfileFeedName,
  profileName,
} from './profile-name.ts';

const MOST = 15;

export type PlaceKind = 'profile' | 'organization';

interface Place {
  readonly id: number;
  readonly name?: string;
}

function nameAll(kind: PlaceKind, places: readonly Place[]): string {
  const name = kind === 'profile' ? profileName : organizationName;
  return places.slice(0, MOST).map(name).join(', ');
}

/** A command as it should begin, which lacks only the id at its end: `subscribe invitations`. */
interface Asked {
  readonly kind: PlaceKind;
  readonly words: string;
  readonly command: string;
}

function example(command: string, place: Place | undefined, otherwise: number): string {
  return `For example: ${codeText(`${COMMAND} ${command} ${place?.id ?? otherwise}`)}`;
}

const OTHERWISE: Readonly<Record<PlaceKind, number>> = { profile: 301, organization: 401 };

/** @param near nearest first; @param known everything that we know, to be shown where nothing is near. */
export function noSuchPlaceMessage(
  { kind, words, command }: Asked,
  near: readonly Place[],
  known: readonly Place[],
): Message {
  const shown = near.length > 0 ? near : known;
  const which = near.length > 0 ? 'The nearest that I know' : 'I know';
  return {
    text: lines(
      `I know no ${kind} by the name ${codeText(words, 100)}. Its id always works; names are learned from proposals and invitations.`,
      shown.length > 0 ? `${which}: ${nameAll(kind, shown)}` : undefined,
      example(command, shown[0], OTHERWISE[kind]),
    ),
  };
}

export function severalPlacesMessage({ kind, words, command }: Asked, places: readonly Place[]): Message {
  return {
    text: lines(
      `${codeText(words, 100)} fits ${count(places.length, kind)}: ${nameAll(kind, places)}. Say which by its id.`,
      example(command, places[0], OTHERWISE[kind]),
    ),
  };
}

/** The marketplace itself denies it. */
export function deniedProfileMessage(asked: ProfileFeedName, known: readonly Place[]): Message {
  const { feed, profile, organization } = asked;
  const knows = `${profile.name ? 'does not know' : 'knows no'} ${profileName(profile)}`;
  const what = organization ? `${knows} with ${organizationName(organization)}` : knows;
  return {
    text: lines(
      `The marketplace ${what}, or it is not connected to our team: the dashboard connects it. Nothing was changed.`,
      known.length > 0 ? `I know: ${nameAll('profile', known)}` : undefined,
      example(`subscribe ${feed}`, known[0], OTHERWISE.profile),
    ),
  };
}

/** @param followed what the channel does follow of profiles. */
export function notFollowedProfileMessage(
  feed: ProfileFeedName['feed'],
  words: string,
  followed: readonly ProfileFeedName[],
): Message {
  const list = codeText(`${COMMAND} list`);
  const asked = `the ${feed} of ${codeText(words, 100)}`;
  const [first] = followed;
  if (!first)
    return { text: `This channel does not get ${asked}, nor anything of another profile; see ${list}.` };
  return {
    text: lines(
      `This channel does not get ${asked}. It gets: ${feedList(followed)}; ${list} shows how each stands.`,
      `For example: ${codeText(`${COMMAND} ${endingCommand(first)}`)}`,
    ),
  };
}

/** The profile is followed for several of its organizations: @param feeds these. */
export function whichOrganizationMessage(feeds: readonly ProfileFeedName[]): Message {
  const [first] = feeds;
  return {
    text: lines(
      `This channel gets more than that: ${feedList(feeds)}. Say which organization.`,
      first ? `For example: ${codeText(`${COMMAND} ${endingCommand(first)}`)}` : undefined,
    ),
  };
}
