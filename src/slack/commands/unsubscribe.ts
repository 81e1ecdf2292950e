import { inputMistake } from '../messages/input-mistake.ts';
import { feedNameOf } from '../messages/profile-feed-block.ts';
import { unsubscribedMessage } from '../messages/subscribed.ts';
import { notFollowedMessage, severalFiltersMessage } from '../messages/which-filter.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { listChannel } from './list.ts';
import { takeFilter } from './read-filter.ts';
import { readFeedKind, readProfile } from './read-profile.ts';
import { unfollowProfile } from './unfollow-profile.ts';
import { takeWord } from './words.ts';

const SAY_ONE = inputMistake('Which filter? Enter one ID or name.', 'unsubscribe filter 123');

async function run(call: CommandCall): Promise<void> {
  if (call.args === '') return listChannel(call);
  const { word, rest } = takeWord(call.args);
  const feed = readFeedKind(word);
  if (!feed) return endFilter(call, call.args.replace(/^filter(?:\s+|$)/iu, ''));
  const wanted = readProfile('unsubscribe', feed, rest);
  if (wanted.kind === 'mistake') return call.answer(inputMistake(wanted.what, wanted.example));
  return unfollowProfile(call, wanted);
}

async function endFilter(call: CommandCall, asked: string): Promise<void> {
  const { services, channel, person } = call;
  if (asked === '') return call.answer(SAY_ONE);
  const followed = (await services.feed.subscriptions(channel)).map((view) => view.filter);
  const notFollowed = async () => {
    const profiles = await services.profiles.feeds(channel);
    return call.answer(notFollowedMessage(asked, followed, profiles.map(feedNameOf)));
  };
  const taken = takeFilter(asked, followed);
  if (taken.kind === 'several')
    return call.answer(severalFiltersMessage(taken.name, taken.filters, 'unsubscribe filter'));
  if (taken.kind === 'none') return notFollowed();
  if (taken.rest !== '') return call.answer(SAY_ONE);
  const ended = await services.feed.unsubscribe(channel, taken.filter.id, person.user);
  if (!ended) return notFollowed();
  await call.answer(unsubscribedMessage(taken.filter, person.user), 'channel');
}

export const unsubscribe: CommandRoute = {
  word: 'unsubscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: [
    'unsubscribe [filter <id|name>]',
    'unsubscribe invitations <profile id|name> [organization <id|name>]',
    'unsubscribe outcomes <profile id|name>',
  ],
  summary: 'Unsubscribe this channel. Leave it blank to choose from a list.',
  examples: [
    'unsubscribe',
    'unsubscribe filter 123',
    'unsubscribe filter "Node jobs"',
    'unsubscribe invitations 301',
  ],
  run,
};
