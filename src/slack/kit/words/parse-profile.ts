/** Parses which profile, and which of its organizations, a person means. Pure. */
import type { ProfileFeedKind } from '../../../profiles/records.ts';
import { cleanLine } from '../clean-text.ts';
import { codeText } from '../query-error.ts';
import { splitFirstWord } from './parse-words.ts';

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

const FEEDS: Readonly<Record<string, ProfileFeedKind>> = {
  invitation: 'invitations',
  invitations: 'invitations',
  outcome: 'outcomes',
  outcomes: 'outcomes',
};

/** The profile feed of a word, singular or plural; undefined for other words. */
export function parseProfileFeedKind(word: string): ProfileFeedKind | undefined {
  const lower = word.toLowerCase();
  return Object.hasOwn(FEEDS, lower) ? FEEDS[lower] : undefined;
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

/**
 * `<profile id|name> [organization <id|name>]`
 * @param verb the command: `subscribe` or `unsubscribe`.
 */
export function parseProfileArguments(
  verb: 'subscribe' | 'unsubscribe',
  feed: ProfileFeedKind,
  text: string,
): RequestedProfileFeed | Mistake {
  const begin = `${verb} ${feed}`;
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
