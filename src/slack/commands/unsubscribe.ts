import { inputMistake } from '../messages/input-mistake.ts';
import { noSuchFilterMessage, unsubscribedMessage } from '../messages/subscribed.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { listChannel } from './list.ts';
import { findFilter } from './read-filter.ts';
import { takeWord } from './words.ts';

async function run(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  if (call.args === '') return listChannel(call);
  const first = takeWord(call.args);
  const asked = first.word.toLowerCase() === 'filter' ? takeWord(first.rest) : first;
  if (asked.word === '' || asked.rest !== '')
    return call.answer(inputMistake('Say the id or the name of one filter.', 'unsubscribe filter 123'));
  const known = (await services.feed.subscriptions(channel)).map((view) => view.filter);
  const filter = findFilter(asked.word, known);
  const ended = filter && (await services.feed.unsubscribe(channel, filter.id));
  if (!(filter && ended)) return call.answer(noSuchFilterMessage(asked.word, known, 'unsubscribe filter'));
  await call.answer(unsubscribedMessage(filter, person.user), 'channel');
}

export const unsubscribe: CommandRoute = {
  word: 'unsubscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: ['unsubscribe [filter <id|name>]'],
  summary: 'Ends a subscription of this channel; without a filter, a list with buttons.',
  examples: ['unsubscribe', 'unsubscribe filter 123', 'unsubscribe filter "Node jobs"'],
  run,
};
