import type { NamedFilter } from '../../feed/feed.ts';
import type { FilterId } from '../../ids.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { codeText } from '../kit/query-error.ts';
import { matchLeadingFilter, severalFiltersMessage } from '../kit/words/filters.ts';
import { parseWithFilterNames } from '../kit/words/find-name-with-refresh.ts';
import { parseWholeNumberInRange } from '../kit/words/parse-words.ts';
import { filterResultsNotFoundMessage, noSuchFilterMessage } from '../subscriptions/subscriptions.ts';
import { monitoringResultsMessage } from './results-message.ts';

const EXAMPLE = 'results 123';

async function knownFilters(services: Services): Promise<readonly NamedFilter[]> {
  return (await services.feed.readFeedStatus()).filters.map((each) => each.filter);
}

/** A page of a filter's results. @throws MarketplaceError, except for missing results. */
export async function renderResultsPage(services: Services, id: FilterId, page: number): Promise<Message> {
  const known = await knownFilters(services);
  const filter = known.find((each) => each.id === id) ?? { id };
  const outcome = await services.projects.listFilterResults(id, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return filterResultsNotFoundMessage(filter, known);
    throw outcome.error;
  }
  return monitoringResultsMessage({
    filter,
    page,
    ...outcome.page,
  });
}

async function run(call: CommandCall): Promise<void> {
  const asked = call.args.replace(/^filter(?:\s+|$)/iu, '');
  if (asked === '') return call.answer(inputErrorMessage('Which filter? Enter its ID or name.', EXAMPLE));
  const { found: taken, ...names } = await parseWithFilterNames(call.services, asked, (known) =>
    matchLeadingFilter(asked, known),
  );
  if (taken.kind === 'several')
    return call.answer(severalFiltersMessage(taken.name, taken.filters, 'results'));
  if (taken.kind === 'none') {
    // Without the newest names, the filter may still exist.
    if (names.failure !== undefined) throw names.failure;
    return call.answer(noSuchFilterMessage(taken.asked, names.known, 'results'));
  }
  const page =
    taken.rest === '' ? 1 : parseWholeNumberInRange(taken.rest.replace(/^page\s+/iu, ''), 1, 100_000);
  if (page === undefined)
    return call.answer(
      inputErrorMessage(
        `${codeText(taken.rest, 60)} isn't a valid page number. Enter 1 or higher. ` +
          'If the name has several words, put it in quotes.',
        `${EXAMPLE} 2`,
      ),
    );
  await call.answer(await renderResultsPage(call.services, taken.filter.id, page));
}

export const resultsCommand: CommandRoute = {
  word: 'results',
  topic: 'projects',
  needs: 'viewer',
  usage: ['results <filter> [page]'],
  summary:
    "List a filter's monitoring results. Each has a button that shows its projects, which may cost credits.",
  details:
    "The list is free. Showing a result's projects needs at least 10 credits of budget and costs 1 " +
    'credit for each new project.',
  examples: ['results 123', 'results "Node jobs" 2'],
  isSlow: true,
  run,
};
