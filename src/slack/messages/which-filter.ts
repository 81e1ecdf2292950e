/** A filter's name that fits several, or one that the channel does not follow. */
import type { NamedFilter } from '../../feed/feed.ts';
import { COMMAND } from '../blocks/ids.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { filterName } from './filter-name.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';
import { endingCommand, feedList, type ProfileFeedName } from './profile-name.ts';

const MOST = 15;

function nameAll(filters: readonly NamedFilter[]): string {
  return filters
    .slice(0, MOST)
    .map((each) => filterName(each))
    .join(', ');
}

/** @param command how it should begin, for example `subscribe filter`. */
export function severalFiltersMessage(
  name: string,
  filters: readonly NamedFilter[],
  command: string,
): Message {
  return {
    text: lines(
      `${codeText(name, 100)} fits ${count(filters.length, 'filter')}: ${nameAll(filters)}. Say which by its id.`,
      `For example: ${codeText(`${COMMAND} ${command} ${filters[0]?.id ?? 123}`)}`,
    ),
  };
}

/**
 * @param followed filters that the channel does follow.
 * @param profiles what it follows of profiles.
 */
export function notFollowedMessage(
  asked: string,
  followed: readonly NamedFilter[],
  profiles: readonly ProfileFeedName[],
): Message {
  const [first] = followed;
  const [profile] = profiles;
  const list = codeText(`${COMMAND} list`);
  if (!first && !profile)
    return { text: `This channel does not follow ${codeText(asked, 100)}, nor anything else; see ${list}.` };
  const other = profile ? endingCommand(profile) : 'unsubscribe';
  const ending = first ? `unsubscribe filter ${first.id}` : other;
  const names = [nameAll(followed), feedList(profiles)].filter((each) => each !== '').join(', ');
  return {
    text: lines(
      `This channel does not follow ${codeText(asked, 100)}. It follows: ${names}; ${list} shows how each stands.`,
      `For example: ${codeText(`${COMMAND} ${ending}`)}`,
    ),
  };
}
