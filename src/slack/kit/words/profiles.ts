/** Profiles and organizations: their names, which are strangers' text, and which one is meant. Pure. */
import { ProfileFeedKind } from '../../../profiles/profiles.ts';
import type { Message } from '../../core/routes.ts';
import { capitalize, joinLines } from '../block-builders.ts';
import { splitFirstWord } from '../command-text.ts';
import { SLASH_COMMAND } from '../ids.ts';
import { cleanLine, codeText, safeLine } from '../mrkdwn.ts';
import { formatCount } from '../numbers.ts';

interface Named {
  readonly id: number;
  readonly name?: string | undefined;
}

export interface ProfileFeedName {
  readonly feed: ProfileFeedKind;
  readonly profile: Named;
  readonly organization?: Named | undefined;
}

function named(what: string, { id, name }: Named): string {
  return name ? `“${safeLine(name, 80)}” (${id})` : `${what} ${id}`;
}

/** `“Ana's profile” (301)`, or `profile 301` while its name is unknown. mrkdwn. */
export function profileName(profile: Named): string {
  return named('profile', profile);
}

/** Like `profileName`, for an organization. mrkdwn. */
export function organizationName(organization: Named): string {
  return named('organization', organization);
}

/** `“Ana” (301) at “Web team” (401)`. mrkdwn. */
export function profileWithOrganizationText(it: Omit<ProfileFeedName, 'feed'>): string {
  const { profile, organization } = it;
  return organization ? `${profileName(profile)} at ${organizationName(organization)}` : profileName(profile);
}

/** What a profile's feed delivers, for use within a sentence. */
export function feedKindText(feed: ProfileFeedKind): string {
  return feed === 'invitations' ? 'invitations' : 'proposal updates';
}

/** `invitations for “Ana” (301)`, `proposal updates for profile 302`: within a sentence. mrkdwn. */
export function profileFeedPhrase(it: ProfileFeedName): string {
  return `${feedKindText(it.feed)} for ${profileWithOrganizationText(it)}`;
}

/** Like `profileFeedPhrase`, for the start of a sentence. mrkdwn. */
export function profileFeedText(it: ProfileFeedName): string {
  return capitalize(profileFeedPhrase(it));
}

/** The command that subscribes or retries, without `/gig`: `subscribe invitations 301`. */
export function subscribeCommandText({ feed, profile, organization }: ProfileFeedName): string {
  const narrowed = organization ? ` organization ${organization.id}` : '';
  return `subscribe ${feed} ${profile.id}${narrowed}`;
}

/** `what` is a sentence, `example` a command without `/gig`. */
interface Mistake {
  readonly kind: 'mistake';
  readonly what: string;
  readonly example: string;
}

/** IDs or names as typed, for the directory to find. */
export interface RequestedProfileFeed {
  readonly kind: 'profile';
  readonly feed: ProfileFeedKind;
  readonly profile: string;
  readonly organization?: string;
}

/** The profile feed of a word, singular or plural; undefined for other words. */
export function parseProfileFeedKind(word: string): ProfileFeedKind | undefined {
  const lower = word.toLowerCase();
  return ProfileFeedKind.options.find((kind) => kind === lower || kind === `${lower}s`);
}

/** Quoted text, to skip; or the word that narrows a profile to an organization. */
const NARROWING = /["“”„«][^"“”„»]*["“”„»]?|(?<!\S)(?:organi[sz]ation|org)(?:\s*[:=]\s*|\s+|$)/giu;

function split(text: string): { readonly profile: string; readonly organization?: string } {
  for (const { 0: found, index } of text.matchAll(NARROWING)) {
    const isWord = /^org/iu.test(found);
    if (isWord && index > 0)
      return { profile: text.slice(0, index).trim(), organization: text.slice(index + found.length).trim() };
  }
  return { profile: text };
}

const IS_ID = /^#?\d+$/u;

/** The error for digits that aren't a valid ID; undefined for everything else. */
function wrongId(word: string, what: string): string | undefined {
  if (!IS_ID.test(word) || /^#?0*[1-9]\d{0,14}$/u.test(word)) return undefined;
  return `${codeText(word, 60)} isn't a valid ${what} ID. Enter a whole number above 0.`;
}

/** `<profile id|name> [organization <id|name>]`, after the feed's word of `/gig subscribe`. */
export function parseProfileArguments(feed: ProfileFeedKind, text: string): RequestedProfileFeed | Mistake {
  const begin = `subscribe ${feed}`;
  const mistake = (what: string, example = `${begin} 301`): Mistake => ({ kind: 'mistake', what, example });
  const { profile, organization } = split(text.trim());
  if (profile === '') return mistake("Add the profile's ID or name.");
  const { word, rest } = splitFirstWord(profile);
  const wrong = wrongId(word, 'profile') ?? wrongId(organization ?? '', 'organization');
  if (wrong) return mistake(wrong);
  if (IS_ID.test(word) && rest !== '')
    return mistake(
      `${codeText(rest, 60)} can't follow a profile's ID. ` +
        'If the name starts with a number, put it in quotes.',
      `${begin} ${word}`,
    );
  if (organization === undefined) return { kind: 'profile', feed, profile };
  if (feed === 'outcomes')
    return mistake(
      "Outcomes cover a whole profile, so you can't choose an organization.",
      cleanLine(`${begin} ${profile}`),
    );
  if (organization === '')
    return mistake("Add the organization's ID or name.", cleanLine(`${begin} ${profile} organization 401`));
  return { kind: 'profile', feed, profile, organization };
}

export type ProfileOrOrganization = 'profile' | 'organization';

function nameAll(kind: ProfileOrOrganization, places: readonly Named[]): string {
  const name = kind === 'profile' ? profileName : organizationName;
  return places.slice(0, 15).map(name).join(', ');
}

/** A command without the ID at its end: `subscribe invitations`. */
interface Asked {
  readonly kind: ProfileOrOrganization;
  readonly words: string;
  readonly command: string;
}

function example(command: string, place: Named | undefined, otherwise: number): string {
  return `For example: ${codeText(`${SLASH_COMMAND} ${command} ${place?.id ?? otherwise}`)}`;
}

const OTHERWISE: Readonly<Record<ProfileOrOrganization, number>> = { profile: 301, organization: 401 };

/** @param near nearest first; @param known all known names, shown if nothing is near. */
export function noSuchProfileMessage(
  { kind, words, command }: Asked,
  near: readonly Named[],
  known: readonly Named[],
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

export function ambiguousProfileMessage({ kind, words, command }: Asked, places: readonly Named[]): Message {
  return {
    text: joinLines(
      `${codeText(words, 100)} matches ${formatCount(places.length, kind)}: ${nameAll(kind, places)}. ` +
        'Use the ID.',
      example(command, places[0], OTHERWISE[kind]),
    ),
  };
}

/** The marketplace doesn't find it. */
export function profileNotFoundMessage(asked: ProfileFeedName, known: readonly Named[]): Message {
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
