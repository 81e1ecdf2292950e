import { COMMAND } from '../blocks/ids.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import { mistakeMessage } from '../messages/mistake.ts';
import { noSuchFilterMessage, subscribedMessage } from '../messages/subscribed.ts';
import { unreachableMessage } from '../messages/unreachable.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { readSubscribe } from './read-subscribe.ts';

async function run(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  const wanted = readSubscribe(call.args);
  if (wanted.kind === 'mistake') return call.answer(inputMistake(wanted.what, wanted.example));
  const reach = await services.slack.reach(channel);
  if (reach.kind === 'unreachable') return call.answer(unreachableMessage(reach.error));
  const { filter, rules, backfill, before } = wanted;
  const outcome = await services.feed.subscribe({ channel, filter, rules, backfill, by: person.user });
  switch (outcome.kind) {
    case 'subscribed':
    case 'changed':
      return call.answer(
        subscribedMessage(outcome.kind, outcome.subscription, outcome.filterName),
        'channel',
      );
    case 'wrong-rules':
      return call.answer(mistakeMessage(rules, outcome.mistake, `${COMMAND} ${before} `));
    case 'no-such-filter':
      return call.answer(noSuchFilterMessage(String(filter), outcome.known, 'subscribe filter'));
    case 'failed':
      throw outcome.error;
  }
}

export const subscribe: CommandRoute = {
  word: 'subscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: ['subscribe filter <id|name> [backfill <n>] [<rules>]'],
  summary: 'New projects of a saved filter come to this channel.',
  details: [
    'Each new project costs a credit of the channel’s budget (`/gig budget`). Subscribing again changes the rules.',
    '`backfill &lt;n&gt;` brings that many past projects, too.',
    'Rules narrow it down: words, "phrases", `-without`, and `budget: type:fixed type:hourly country: rating: spent: hires: hirerate: verified:yes qualified:yes skill: category: questions:`; numbers compare with `&gt;`, `&gt;=`, `&lt;`, `&lt;=`.',
  ].join('\n'),
  examples: [
    'subscribe filter 123',
    'subscribe filter "Node jobs" backfill 20',
    'subscribe filter 123 budget:>500 verified:yes -wordpress',
  ],
  run,
};
