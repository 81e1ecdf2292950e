import type { NamedFilter } from '../../feed/feed.ts';
import type { FilterId } from '../../ids.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import { codeText } from '../messages/mistake.ts';
import { resultsMessage } from '../messages/results.ts';
import { noSuchFilterMessage } from '../messages/subscribed.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../routes.ts';
import { findFilter, readFilterId } from './read-filter.ts';
import { readWhole, takeWord } from './words.ts';

const EXAMPLE = 'results 123';

async function knownFilters(services: Services): Promise<readonly NamedFilter[]> {
  return (await services.feed.status()).filters.map((each) => each.filter);
}

/** A page of a filter's results. @throws MarketplaceError, but for a filter that is not there. */
export async function drawResults(services: Services, id: FilterId, page: number): Promise<Message> {
  const known = await knownFilters(services);
  const outcome = await services.projects.results(id, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return noSuchFilterMessage(String(id), known, 'results');
    throw outcome.error;
  }
  return resultsMessage({
    filter: known.find((each) => each.id === id) ?? { id },
    page,
    ...outcome.page,
  });
}

async function run(call: CommandCall): Promise<void> {
  const asked = takeWord(call.args.replace(/^filter\s+/iu, ''));
  if (asked.word === '') return call.answer(inputMistake('Say which filter, by its id or name.', EXAMPLE));
  const page = asked.rest === '' ? 1 : readWhole(asked.rest.replace(/^page\s+/iu, ''), 1, 100_000);
  if (page === undefined)
    return call.answer(
      inputMistake(
        `${codeText(asked.rest, 60)} is no page: that is a number from 1. A name of several words needs quotes.`,
        `${EXAMPLE} 2`,
      ),
    );
  const known = await knownFilters(call.services);
  const id = readFilterId(asked.word) ?? findFilter(asked.word, known)?.id;
  if (id === undefined) return call.answer(noSuchFilterMessage(asked.word, known, 'results'));
  await call.answer(await drawResults(call.services, id, page));
}

export const results: CommandRoute = {
  word: 'results',
  topic: 'projects',
  needs: 'viewer',
  usage: ['results <filter> [page]'],
  summary: "A filter's monitoring results; a button lists the projects of one.",
  details:
    'The list is free. Showing the projects of a result needs 10 credits of budget and costs those that are new.',
  examples: ['results 123', 'results "Node jobs" 2'],
  run,
};
