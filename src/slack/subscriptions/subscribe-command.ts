import { hasRoleAtLeast } from '../../access/roles.ts';
import type { BudgetState } from '../../credits/credits-service.ts';
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits-service.ts';
import type { Subscription } from '../../feed/records.ts';
import { sharedBudgetText } from '../budgets/budgets.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { queryErrorMessage } from '../kit/query-error.ts';
import { parseWithFilterNames } from '../kit/words/find-name-with-refresh.ts';
import { severalFiltersMessage } from '../kit/words/which-filter.ts';
import { followProfile } from './follow-profile-command.ts';
import {
  type FilterSubscriptionRequest,
  parseFilterSubscription,
  parseSubscribeTarget,
} from './parse-subscribe.ts';
import {
  filterAlreadySubscribedMessage,
  filterSubscriptionSavedMessage,
  noSuchFilterMessage,
} from './subscribed.ts';

async function run(call: CommandCall): Promise<void> {
  const subject = parseSubscribeTarget(call.args);
  if (subject.kind === 'mistake') return call.answer(inputErrorMessage(subject.what, subject.example));
  if (subject.kind === 'profile') return followProfile(call, subject);
  const { text } = subject;
  const { found: wanted, ...names } = await parseWithFilterNames(call.services, text, (known) =>
    parseFilterSubscription(text, known),
  );
  switch (wanted.kind) {
    case 'wanted':
      return subscribeTo(call, wanted);
    case 'mistake':
      return call.answer(inputErrorMessage(wanted.what, wanted.example));
    case 'several':
      return call.answer(severalFiltersMessage(wanted.name, wanted.filters, 'subscribe filter'));
    case 'none':
      // Without the newest names, the filter may still exist.
      if (names.failure !== undefined) throw names.failure;
      return call.answer(noSuchFilterMessage(wanted.asked, names.known, 'subscribe filter'));
  }
}

/** Nothing changed: nothing that a whole channel should read. */
function isUnchanged(before: Subscription | undefined, now: Subscription, backfill: number): boolean {
  return before !== undefined && before.rules === now.rules && backfill === 0 && !before.stopped;
}

async function subscribeTo(call: CommandCall, wanted: FilterSubscriptionRequest): Promise<void> {
  const { services, channel, person } = call;
  const reach = await services.slack.checkReachability(channel);
  if (reach.kind === 'unreachable') return call.answer(channelUnreachableMessage(reach.error));
  const { rules, backfill, before } = wanted;
  const filter = wanted.filter.id;
  const there = (await services.feed.listSubscriptions(channel)).find((each) => each.filter.id === filter);
  const isAdmin = hasRoleAtLeast(person.role, 'admin');
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
        return call.answer(filterAlreadySubscribedMessage(subscription, filterName));
      return call.answer(
        filterSubscriptionSavedMessage(
          kind,
          { ...subscription, by: person.user },
          { name: filterName, unconfirmed, pool: sharedBudgetText(await readBudget(call)) },
        ),
        'channel',
      );
    }
    case 'wrong-rules':
      return call.answer(queryErrorMessage(rules, outcome.mistake, `${SLASH_COMMAND} ${before} `));
    case 'failed':
      throw outcome.error;
  }
}

function readBudget({ services, channel }: CommandCall): Promise<BudgetState> {
  const { store, credits, clock } = services;
  return store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
}

export const subscribeCommand: CommandRoute = {
  word: 'subscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: [
    'subscribe filter <id|name> [backfill <n>] [<rules>]',
    'subscribe invitations <profile id|name> [organization <id|name>]',
    'subscribe outcomes <profile id|name>',
  ],
  summary:
    "Post a saved filter's new projects, or a profile's invitations or proposal updates, in this channel.",
  details: [
    "*Filters.* Each new project costs at most 1 credit of the channel's budget (`/gig budget`). " +
      'To change the rules, subscribe again.',
    '`backfill &lt;n&gt;` also posts that many past projects. ' +
      `Gigdesk reads at least ${MIN_PROJECTS_PAGE_SIZE} at a time, ` +
      'and each one it reads may cost 1 credit.',
    'Use rules to narrow it down: words, "phrases", `-word` to exclude a word, and `budget: ' +
      'type:fixed type:hourly country: rating: spent: hires: hirerate: verified:yes qualified:yes skill: ' +
      'category: questions:`. Compare numbers with `&gt;`, `&gt;=`, `&lt;`, `&lt;=`.',
    '*Profiles.* `outcomes` are proposal updates: viewed, interviewed, hired, withdrawn, ' +
      'or the boost outbid. Invitations and proposal updates cost no credits.',
  ].join('\n'),
  examples: [
    'subscribe filter 123',
    'subscribe filter "Node jobs" backfill 20',
    'subscribe filter 123 budget:>500 verified:yes -wordpress',
    'subscribe invitations 301',
    'subscribe outcomes 301',
  ],
  isSlow: true,
  run,
};
