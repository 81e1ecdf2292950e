import { mayAct } from '../../access/roles.ts';
import type { BudgetState } from '../../credits/book.ts';
import type { Subscription } from '../../feed/records.ts';
import { COMMAND } from '../blocks/ids.ts';
import { poolText } from '../messages/budget.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import { mistakeMessage } from '../messages/mistake.ts';
import { noSuchFilterMessage, subscribedAlreadyMessage, subscribedMessage } from '../messages/subscribed.ts';
import { unreachableMessage } from '../messages/unreachable.ts';
import { severalFiltersMessage } from '../messages/which-filter.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { followProfile } from './follow-profile.ts';
import { readWithFilters } from './learn-names.ts';
import { readSubject, readSubscribe, type Wanted } from './read-subscribe.ts';

async function run(call: CommandCall): Promise<void> {
  const subject = readSubject(call.args);
  if (subject.kind === 'mistake') return call.answer(inputMistake(subject.what, subject.example));
  if (subject.kind === 'profile') return followProfile(call, subject);
  const { text } = subject;
  const { found: wanted, ...names } = await readWithFilters(call.services, text, (known) =>
    readSubscribe(text, known),
  );
  switch (wanted.kind) {
    case 'wanted':
      return subscribeTo(call, wanted);
    case 'mistake':
      return call.answer(inputMistake(wanted.what, wanted.example));
    case 'several':
      return call.answer(severalFiltersMessage(wanted.name, wanted.filters, 'subscribe filter'));
    case 'none':
      // Without the newest names nobody can say that there is no such filter.
      if (names.failure !== undefined) throw names.failure;
      return call.answer(noSuchFilterMessage(wanted.asked, names.known, 'subscribe filter'));
  }
}

/** Nothing is different from before: nothing that a whole channel should read. */
function isUnchanged(before: Subscription | undefined, now: Subscription, backfill: number): boolean {
  return before !== undefined && before.rules === now.rules && backfill === 0 && !before.stopped;
}

async function subscribeTo(call: CommandCall, wanted: Wanted): Promise<void> {
  const { services, channel, person } = call;
  const reach = await services.slack.reach(channel);
  if (reach.kind === 'unreachable') return call.answer(unreachableMessage(reach.error));
  const { rules, backfill, before } = wanted;
  const filter = wanted.filter.id;
  const there = (await services.feed.subscriptions(channel)).find((each) => each.filter.id === filter);
  const isAdmin = mayAct(person.role, 'admin');
  const outcome = await services.feed.subscribe({
    channel,
    filter,
    rules,
    backfill,
    by: person.user,
    isAdmin,
  });
  switch (outcome.kind) {
    case 'subscribed':
    case 'changed': {
      const { kind, subscription, filterName, unconfirmed } = outcome;
      if (isUnchanged(there?.subscription, subscription, backfill))
        return call.answer(subscribedAlreadyMessage(subscription, filterName));
      return call.answer(
        subscribedMessage(
          kind,
          { ...subscription, by: person.user },
          { name: filterName, unconfirmed, pool: poolText(await readBudget(call)) },
        ),
        'channel',
      );
    }
    case 'wrong-rules':
      return call.answer(mistakeMessage(rules, outcome.mistake, `${COMMAND} ${before} `));
    case 'failed':
      throw outcome.error;
  }
}

function readBudget({ services, channel }: CommandCall): Promise<BudgetState> {
  const { store, credits, clock } = services;
  return store.read((tx) => credits.budget(tx, channel, clock.now()));
}

export const subscribe: CommandRoute = {
  word: 'subscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: [
    'subscribe filter <id|name> [backfill <n>] [<rules>]',
    'subscribe invitations <profile id|name> [organization <id|name>]',
    'subscribe outcomes <profile id|name>',
  ],
  summary:
    'Post new projects from a saved filter, or the invitations or outcomes of a profile, in this channel.',
  details: [
    "*Filters.* Each new project costs at most 1 credit of the channel's budget (`/gig budget`). To change the rules, subscribe again.",
    '`backfill &lt;n&gt;` also posts that many past projects.',
    'Use rules to narrow it down: words, "phrases", `-without`, and `budget: type:fixed type:hourly country: rating: spent: hires: hirerate: verified:yes qualified:yes skill: category: questions:`. Compare numbers with `&gt;`, `&gt;=`, `&lt;`, `&lt;=`.',
    '*Profiles.* Invitations and outcomes (viewed, interviewed, hired, withdrawn, outbid on the boost) cost no credits.',
  ].join('\n'),
  examples: [
    'subscribe filter 123',
    'subscribe filter "Node jobs" backfill 20',
    'subscribe filter 123 budget:>500 verified:yes -wordpress',
    'subscribe invitations 301',
    'subscribe outcomes 301',
  ],
  mayWait: true,
  run,
};
