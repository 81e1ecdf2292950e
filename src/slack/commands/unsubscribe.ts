import { inputMistake } from '../messages/input-mistake.ts';
import { unsubscribedMessage } from '../messages/subscribed.ts';
import { notFollowedMessage, severalFiltersMessage } from '../messages/which-filter.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { listChannel } from './list.ts';
import { takeFilter } from './read-filter.ts';

const SAY_ONE = inputMistake('Say the id or the name of one filter.', 'unsubscribe filter 123');

async function run(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  if (call.args === '') return listChannel(call);
  const asked = call.args.replace(/^filter(?:\s+|$)/iu, '');
  if (asked === '') return call.answer(SAY_ONE);
  const followed = (await services.feed.subscriptions(channel)).map((view) => view.filter);
  const taken = takeFilter(asked, followed);
  if (taken.kind === 'several')
    return call.answer(severalFiltersMessage(taken.name, taken.filters, 'unsubscribe filter'));
  if (taken.kind === 'none') return call.answer(notFollowedMessage(asked, followed));
  if (taken.rest !== '') return call.answer(SAY_ONE);
  const ended = await services.feed.unsubscribe(channel, taken.filter.id, person.user);
  if (!ended) return call.answer(notFollowedMessage(asked, followed));
  await call.answer(unsubscribedMessage(taken.filter, person.user), 'channel');
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
