/** Subscribes a channel to a filter, and says there what changed. */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { FilterId } from '../../ids.ts';
import { sharedBudgetText } from '../budgets/budgets.ts';
import type { CommandCall } from '../core/routes.ts';
import { queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { filterAlreadySubscribedMessage, filterSubscriptionSavedMessage } from './subscribed.ts';

interface FilterSubscriptionFacts {
  readonly filter: FilterId;
  /** In the query language, as typed. */
  readonly rules: string;
  /** How many past projects to post, too. */
  readonly backfill?: number;
  /** The command's start, for the example after invalid rules. */
  readonly before?: string;
}

/**
 * Subscribes the call's channel, which Gigdesk can reach, and announces it there; the person alone reads what
 * is wrong. @returns whether the channel has the subscription with these rules
 * @throws MarketplaceError if the filter couldn't be checked; nothing is stored then
 */
export async function subscribeToFilter(
  call: Pick<CommandCall, 'services' | 'channel' | 'person' | 'answer'>,
  wanted: FilterSubscriptionFacts,
): Promise<boolean> {
  const { services, channel, person } = call;
  const { store, credits, clock, feed } = services;
  const { filter, rules, backfill = 0, before = `subscribe filter ${filter}` } = wanted;
  const there = (await feed.listSubscriptions(channel)).find((each) => each.filter.id === filter);
  const isAdmin = hasRoleAtLeast(person.role, 'admin');
  const outcome = await feed.subscribe({ channel, filter, rules, backfill, by: person.user, isAdmin });
  switch (outcome.kind) {
    case 'subscribed':
    case 'changed': {
      const { kind, subscription, filterName, unconfirmed } = outcome;
      const { rules: rulesBefore, stopped } = there?.subscription ?? {};
      // Nothing changed: nothing that a whole channel should read.
      if (rulesBefore === subscription.rules && backfill === 0 && !stopped) {
        await call.answer(filterAlreadySubscribedMessage(subscription, filterName));
        return true;
      }
      const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
      const facts = { name: filterName, unconfirmed, pool: sharedBudgetText(budget) };
      const saved = { ...subscription, by: person.user };
      await call.answer(filterSubscriptionSavedMessage(kind, saved, facts), 'channel');
      return true;
    }
    case 'wrong-rules':
      await call.answer(queryErrorMessage(rules, outcome.mistake, `${SLASH_COMMAND} ${before} `));
      return false;
    case 'failed':
      throw outcome.error;
  }
}
