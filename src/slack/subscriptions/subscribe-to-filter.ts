/** Subscribes a channel to a filter, and says what changed: the results of subscribing and unsubscribing. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import { findByNameOrId } from '../../directory/find-by-name.ts';
import type { NamedFilter, Subscription } from '../../feed/feed.ts';
import type { FilterId, UserId } from '../../ids.ts';
import { sharedBudgetText } from '../budgets/budgets.ts';
import type { CommandCall, Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText, formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import {
  type FilterMatch,
  filterList,
  filterName,
  severalFiltersMessage,
  unknownCountriesText,
} from '../kit/words/filters.ts';

/** `all new projects from “Node work” (12)`, or `new projects from … with the rules …`. mrkdwn. */
export function wantedText(filter: string, rules: string, longest?: number): string {
  return rules
    ? `new projects from ${filter} with the rules ${codeText(rules, longest)}`
    : `all new projects from ${filter}`;
}

/** A filter without results may be new, or may not exist. mrkdwn. */
function noResultsText(filter: NamedFilter): string {
  const name = filterName(filter);
  return `The marketplace shows no results for ${name}: the ID may be wrong, or nothing was found yet.`;
}

export function filterSubscriptionSavedMessage(
  kind: 'subscribed' | 'changed',
  subscription: Subscription,
  facts: {
    readonly name?: string | undefined;
    /** Nothing confirms that the filter exists. */
    readonly unconfirmed?: 'no-results' | 'unchecked' | undefined;
    /** For an unconfirmed channel: the text about its shared budget. */
    readonly pool?: string | undefined;
  },
): Message {
  const who = formatMention(subscription.by);
  const filter = filterName({ id: subscription.filter, name: facts.name });
  const wanted = wantedText(filter, subscription.rules);
  const what =
    kind === 'subscribed'
      ? `${who} subscribed this channel to ${wanted}.`
      : `${who} changed a subscription: this channel now gets ${wanted}.`;
  const past = subscription.backfill
    ? `Up to ${formatCount(subscription.backfill.left, 'past project')} come first. ` +
      `Gigdesk reads at least ${MIN_PROJECTS_PAGE_SIZE} at a time, ` +
      'and each one it reads may cost 1 credit.'
    : undefined;
  const id = { id: subscription.filter };
  const doubt =
    facts.unconfirmed &&
    joinLines(
      facts.unconfirmed === 'unchecked'
        ? "Couldn't check the filter's ID with the marketplace. If it doesn't exist, Gigdesk says so here."
        : `${noResultsText(id)} Check the ID in the marketplace's dashboard.`,
      `Wrong ID? Press Unsubscribe in ${codeText(`${SLASH_COMMAND} list ${id.id}`)}, ` +
        `then ${codeText(`${SLASH_COMMAND} subscribe filter <id>`)} with the right one.`,
    );
  return { text: joinLines(what, past, facts.pool, doubt, unknownCountriesText(subscription.rules)) };
}

function filterAlreadySubscribedMessage(subscription: Subscription, name: string | undefined): Message {
  const filter = filterName({ id: subscription.filter, name });
  const { rules } = subscription;
  const there = `This channel already gets ${wantedText(filter, rules)}. Nothing was changed.`;
  return { text: joinLines(there, unknownCountriesText(rules)) };
}

/** @param rules those that ended; empty: all projects */
export function filterUnsubscribedMessage(filter: NamedFilter, rules: string, by: UserId): Message {
  const which = rules ? `, which had the rules ${codeText(rules)}` : '';
  const ended = `${formatMention(by)} unsubscribed this channel from ${filterName(filter)}${which}.`;
  return { text: `${ended} Existing cards stay.` };
}

/** For the user: the marketplace answered 404 when asked for the results of `filter`. */
export function filterResultsNotFoundMessage(filter: NamedFilter, known: readonly NamedFilter[]): Message {
  const others = filter.name === undefined ? known : [];
  return {
    text: joinLines(
      `${noResultsText(filter)} If you expected some, check the ID in the filter's dashboard URL.`,
      others.length > 0 ? `Known filters: ${filterList(others)}` : undefined,
    ),
  };
}

function closestFilters(asked: string, known: readonly NamedFilter[]): readonly NamedFilter[] {
  const named = known.flatMap(({ id, name }) => (name === undefined ? [] : [{ id, name }]));
  const found = findByNameOrId(named, asked);
  if (found.kind === 'found') return known.filter(({ id }) => id === found.id);
  return found.kind === 'several' ? found.entries : found.known;
}

/**
 * For the user: what was typed names several filters, or none.
 * @param command its start, for example `subscribe filter`
 * @throws names.failure: without the newest names, the filter may still exist
 */
export function unclearFilterMessage(
  match: Exclude<FilterMatch, { readonly kind: 'found' }>,
  names: { readonly known: readonly NamedFilter[]; readonly failure?: unknown },
  command: string,
): Message {
  if (match.kind === 'several') return severalFiltersMessage(match.name, match.filters, command);
  if (names.failure !== undefined) throw names.failure;
  const closest = closestFilters(match.asked, names.known);
  const shown = closest.length > 0 ? closest : names.known;
  const asked = codeText(match.asked, 100);
  return {
    text: joinLines(
      `There's no filter called ${asked}. You can find a filter's ID in its dashboard URL.`,
      shown.length > 0
        ? `${closest.length > 0 ? 'Closest matches' : 'Known filters'}: ${filterList(shown)}`
        : undefined,
      `For example: ${codeText(`/gig ${command} ${shown[0]?.id ?? 123}`)}`,
    ),
  };
}

interface FilterSubscriptionFacts {
  readonly filter: FilterId;
  /** In the query language, as typed. */
  readonly rules: string;
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
      const { kind, subscription, filterName: name, unconfirmed } = outcome;
      const { rules: rulesBefore, stopped } = there?.subscription ?? {};
      // Nothing changed: nothing that a whole channel should read.
      if (rulesBefore === subscription.rules && backfill === 0 && !stopped) {
        await call.answer(filterAlreadySubscribedMessage(subscription, name));
        return true;
      }
      const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
      const facts = { name, unconfirmed, pool: sharedBudgetText(budget) };
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
