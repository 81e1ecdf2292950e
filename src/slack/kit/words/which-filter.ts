/** A filter name that matches several filters, or one that the channel does not follow. Pure. */
import type { NamedFilter } from '../../../feed/feed.ts';
import type { Message } from '../../core/routes.ts';
import { joinLines } from '../block-builders.ts';
import { SLASH_COMMAND } from '../ids.ts';
import { formatCount } from '../numbers.ts';
import { codeText } from '../query-error.ts';
import { filterName } from './filter-name.ts';
import { type ProfileFeedName, profileFeedListText, unsubscribeCommandText } from './profile-name.ts';

const MOST = 15;

function nameAll(filters: readonly NamedFilter[]): string {
  return filters
    .slice(0, MOST)
    .map((each) => filterName(each))
    .join(', ');
}

/** @param command the start of the command, for example `subscribe filter`. */
export function severalFiltersMessage(
  name: string,
  filters: readonly NamedFilter[],
  command: string,
): Message {
  return {
    text: joinLines(
      `${codeText(name, 100)} matches ${formatCount(filters.length, 'filter')}: ${nameAll(filters)}. ` +
        'Use the ID.',
      `For example: ${codeText(`${SLASH_COMMAND} ${command} ${filters[0]?.id ?? 123}`)}`,
    ),
  };
}

/**
 * @param followed the channel's filters.
 * @param profiles the channel's profile feeds.
 */
export function filterNotFollowedMessage(
  asked: string,
  followed: readonly NamedFilter[],
  profiles: readonly ProfileFeedName[],
): Message {
  const [first] = followed;
  const [profile] = profiles;
  const list = codeText(`${SLASH_COMMAND} list`);
  if (!first && !profile)
    return {
      text: `This channel isn't subscribed to ${codeText(asked, 100)} or anything else. See ${list}.`,
    };
  const other = profile ? unsubscribeCommandText(profile) : 'unsubscribe';
  const ending = first ? `unsubscribe filter ${first.id}` : other;
  const names = [nameAll(followed), profileFeedListText(profiles)].filter((each) => each !== '').join(', ');
  return {
    text: joinLines(
      `This channel isn't subscribed to ${codeText(asked, 100)}. It's subscribed to: ${names}. ` +
        `See their status with ${list}.`,
      `For example: ${codeText(`${SLASH_COMMAND} ${ending}`)}`,
    ),
  };
}
