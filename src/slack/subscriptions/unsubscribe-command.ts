/** `/gig unsubscribe`: ends the subscription that a person names; without a name, it shows the list. */
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage, splitFirstWord } from '../kit/command-text.ts';
import { filterNotFollowedMessage, matchLeadingFilter, severalFiltersMessage } from '../kit/words/filters.ts';
import { parseProfileArguments, parseProfileFeedKind } from '../kit/words/profiles.ts';
import { unfollowProfile } from './follow-profile.ts';
import { replyWithSubscriptionList } from './list-command.ts';
import { toProfileFeedName } from './profile-feeds.ts';
import { filterUnsubscribedMessage } from './subscribed.ts';
import { confirmUnsubscribeMessage } from './subscription-list.ts';

const SAY_ONE = inputErrorMessage('Which filter? Enter one ID or name.', 'unsubscribe filter 123');

async function runUnsubscribe(call: CommandCall): Promise<void> {
  if (call.args === '') return replyWithSubscriptionList(call);
  const { word, rest } = splitFirstWord(call.args);
  const feed = parseProfileFeedKind(word);
  if (!feed) return endFilter(call, call.args.replace(/^filter(?:\s+|$)/iu, ''));
  const wanted = parseProfileArguments('unsubscribe', feed, rest);
  if (wanted.kind === 'mistake') return call.answer(inputErrorMessage(wanted.what, wanted.example));
  return unfollowProfile(call, wanted);
}

async function endFilter(call: CommandCall, asked: string): Promise<void> {
  const { services, channel, person } = call;
  if (asked === '') return call.answer(SAY_ONE);
  const views = await services.feed.listSubscriptions(channel);
  const followed = views.map((view) => view.filter);
  const notFollowed = async () => {
    const profiles = await services.profiles.listChannelProfileFeeds(channel);
    return call.answer(filterNotFollowedMessage(asked, followed, profiles.map(toProfileFeedName)));
  };
  const taken = matchLeadingFilter(asked, followed);
  if (taken.kind === 'several')
    return call.answer(severalFiltersMessage(taken.name, taken.filters, 'unsubscribe filter'));
  if (taken.kind === 'none') return notFollowed();
  if (taken.rest !== '') return call.answer(SAY_ONE);
  const view = views.find(({ filter }) => filter.id === taken.filter.id);
  if (view && taken.isPartial) return call.answer(confirmUnsubscribeMessage(asked, view));
  const ended = view && (await services.feed.unsubscribe(channel, view.filter.id, person.user));
  if (!ended) return notFollowed();
  await call.answer(filterUnsubscribedMessage(view.filter, ended.rules, person.user), 'channel');
}

export const unsubscribeCommand: CommandRoute = {
  word: 'unsubscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: [
    'unsubscribe [filter <id|name>]',
    'unsubscribe invitations <profile id|name> [organization <id|name>]',
    'unsubscribe outcomes <profile id|name>',
  ],
  summary: 'Unsubscribe this channel. Without a subscription, you choose from a list.',
  details: 'If you type only the start of a name, Gigdesk asks first.',
  examples: [
    'unsubscribe',
    'unsubscribe filter 123',
    'unsubscribe filter "Node jobs"',
    'unsubscribe invitations 301',
  ],
  run: runUnsubscribe,
};
