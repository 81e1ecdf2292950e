/** `/gig results`: a filter's monitoring results, and the projects of one result. */
import type { KnownBlock } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import type { FilterId, MonitoringResultId } from '../../ids.ts';
import type { RecordPage } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import type { MonitoringResult, Paging } from '../../marketplace/schema.ts';
import { findCachedListing } from '../../projects/lookup-cache.ts';
import type { ResultProjectsOutcome } from '../../projects/projects.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { openBidModal, readBidProjectInfo, toCallOrigin } from '../bids/bids.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Message,
  Services,
} from '../core/routes.ts';
import {
  DETAILS_REQUEST_LABEL,
  NEXT_REQUEST_LABEL,
  PREVIOUS_REQUEST_LABEL,
  PROJECTS_REQUEST_LABEL,
} from '../core/slow-reply.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { resultProjectsValueCodec, resultsPageValueCodec } from '../kit/button-values.ts';
import { inputErrorMessage, parseWholeNumberInRange } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { pageButtons, pageText } from '../kit/paged-list.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { projectRowsWithButtons } from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { filterName, matchLeadingFilter, parseWithFilterNames } from '../kit/words/filters.ts';
import { filterResultsNotFoundMessage, unclearFilterMessage } from '../subscriptions/subscriptions.ts';
import { lookUpAndDescribeProject } from './lookup.ts';

/** Each is one section; the limits leave room for the rest. */
const MOST_RESULTS = 40;
const MOST_PROJECTS = 20;

/** `title, page 2 of 3`; only the title if there is one page. */
function headline(title: string, page: number, paging: Paging): string {
  return page === 1 && (paging.pages ?? 0) === 1 ? title : `${title}, ${pageText(page, paging.pages)}`;
}

function emptyText(what: string, page: number, { pages }: Paging): string {
  if (page === 1) return `No ${what} yet.`;
  return pages === undefined
    ? `No ${what} on this page.`
    : `There's no page ${formatNumber(page)}. The last page is ${formatNumber(Math.max(1, pages))}.`;
}

/** @param missing what the page should list, if it lists nothing */
function headBlock(title: string, page: number, paging: Paging, missing: string | undefined) {
  const empty = missing === undefined ? undefined : emptyText(missing, page, paging);
  return sectionBlock(joinLines(headline(`*${title}*`, page, paging), empty));
}

function wayBack(page: number, { pages }: Paging, items: number): { label: string; to: number | undefined } {
  if (page === 1) return { label: 'Previous Page', to: undefined };
  if (pages !== undefined && page > pages) return { label: 'Last Page', to: Math.max(1, pages) };
  if (pages === undefined && items === 0) return { label: 'First Page', to: 1 };
  return { label: 'Previous Page', to: page - 1 };
}

function turnButtons(
  page: number,
  paging: Paging,
  items: number,
  [back, forth]: readonly [string, string],
  value: (page: number) => string,
): KnownBlock[] {
  const hasNext = paging.pages === undefined ? items > 0 : page < paging.pages;
  const previous = { id: back, ...wayBack(page, paging, items) };
  const next = { id: forth, label: 'Next Page', to: hasNext ? page + 1 : undefined };
  return actionsBlocks(pageButtons(value, previous, next));
}

function resultBlock(result: MonitoringResult): KnownBlock {
  const facts = joinFacts(
    `*Result ${result.id}*`,
    result.createdAt === undefined ? undefined : formatDate(result.createdAt),
    result.totalProjects === undefined ? undefined : formatCount(result.totalProjects, 'project'),
  );
  if (result.totalProjects === 0) return sectionBlock(facts);
  return sectionBlock(
    facts,
    buttonElement({
      id: actionIds.resultProjects,
      label: 'Projects',
      value: resultProjectsValueCodec.write({ result: result.id, page: 1, turn: false }),
      accessibilityLabel: `Show the projects in result ${result.id}`,
    }),
  );
}

const COSTS =
  'This list is free. Showing a result costs 1 credit for each of its projects that Gigdesk has ' +
  'not read in this billing period.';

function monitoringResultsMessage(
  filter: NamedFilter,
  page: number,
  { items, unreadable, paging }: RecordPage<MonitoringResult>,
): Message {
  const title = `Monitoring results for ${filterName(filter)}`;
  const lost = unreadable > 0 ? `${formatCount(unreadable, 'result')} couldn't be read.` : undefined;
  const foot = joinLines(lost, items.length > 0 ? COSTS : undefined);
  return {
    text: headline(title, page, paging),
    blocks: [
      headBlock(title, page, paging, items.length === 0 && !lost ? 'results' : undefined),
      ...items.slice(0, MOST_RESULTS).map(resultBlock),
      ...(foot ? [contextBlock(foot)] : []),
      ...turnButtons(page, paging, items.length, [actionIds.resultsBack, actionIds.resultsPage], (to) =>
        resultsPageValueCodec.write({ filter: filter.id, page: to }),
      ),
    ],
  };
}

function resultProjectsMessage(
  result: MonitoringResultId,
  page: number,
  found: Extract<ResultProjectsOutcome, { kind: 'found' }>,
): Message {
  const { projects, unreadable, paging } = found;
  const title = `Projects in result ${result}`;
  const lost = unreadable > 0 ? `${formatCount(unreadable, 'project')} couldn't be read.` : undefined;
  const hidden = projects.length - MOST_PROJECTS;
  const ids = [actionIds.resultProjectsBack, actionIds.resultProjects] as const;
  return {
    text: headline(title, page, paging),
    blocks: [
      headBlock(title, page, paging, projects.length === 0 && !lost ? 'projects' : undefined),
      ...projectRowsWithButtons(projects.slice(0, MOST_PROJECTS)),
      contextBlock(
        joinLines(
          hidden > 0 ? `…and ${formatNumber(hidden)} more on this page` : undefined,
          lost,
          chargedCreditsText(found),
        ),
      ),
      ...turnButtons(page, paging, projects.length, ids, (to) =>
        resultProjectsValueCodec.write({ result, page: to, turn: true }),
      ),
    ],
  };
}

const EXAMPLE = 'results 123';

/** A page of a filter's results. @throws MarketplaceError, except for missing results. */
async function renderResultsPage(services: Services, id: FilterId, page: number): Promise<Message> {
  const known = (await services.feed.readFeedStatus()).filters.map((each) => each.filter);
  const filter = known.find((each) => each.id === id) ?? { id };
  const outcome = await services.projects.listFilterResults(id, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return filterResultsNotFoundMessage(filter, known);
    throw outcome.error;
  }
  return monitoringResultsMessage(filter, page, outcome.page);
}

async function runResults(call: CommandCall): Promise<void> {
  const asked = call.args.replace(/^filter(?:\s+|$)/iu, '');
  if (asked === '') return call.answer(inputErrorMessage('Which filter? Enter its ID or name.', EXAMPLE));
  const { found: taken, ...names } = await parseWithFilterNames(call.services, asked, (known) =>
    matchLeadingFilter(asked, known),
  );
  if (taken.kind !== 'found') return call.answer(unclearFilterMessage(taken, names, 'results'));
  const page =
    taken.rest === '' ? 1 : parseWholeNumberInRange(taken.rest.replace(/^page\s+/iu, ''), 1, 100_000);
  const mistake =
    `${codeText(taken.rest, 60)} isn't a valid page number. Enter 1 or higher. ` +
    'If the name has several words, put it in quotes.';
  if (page === undefined) return call.answer(inputErrorMessage(mistake, `${EXAMPLE} 2`));
  await call.answer(await renderResultsPage(call.services, taken.filter.id, page));
}

export const resultsCommand: CommandRoute = {
  word: 'results',
  topic: 'projects',
  needs: 'viewer',
  usage: ['results <filter> [page]'],
  summary: "List a filter's monitoring results. A button shows a result's projects, which may cost credits.",
  details:
    "The list is free. Showing a result's projects needs at least 10 credits of budget and costs 1 " +
    'credit for each new project.',
  examples: ['results 123', 'results "Node jobs" 2'],
  isSlow: true,
  run: runResults,
};

const ASK_AGAIN: Message = {
  text: `This list is out of date. Use ${codeText('/gig results <filter>')} to get a new one.`,
};

async function showProjects(call: ActionCall): Promise<void> {
  const asked = resultProjectsValueCodec.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  const { services, channel, person } = call;
  const { result, page, turn } = asked;
  const outcome = await services.projects.buyResultProjects({ channel, user: person.user }, result, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(ASK_AGAIN);
    throw outcome.error;
  }
  if (outcome.kind !== 'found') return call.answer({ text: insufficientCreditsText(outcome) });
  const message = resultProjectsMessage(result, page, outcome);
  await (turn ? call.replace(message) : call.answer(message));
}

async function turnPage(call: ActionCall): Promise<void> {
  const asked = resultsPageValueCodec.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  await call.replace(await renderResultsPage(call.services, asked.filter, asked.page));
}

/** The cached listing that a row's button names; the value can name nothing else. */
function findListing(tx: ReadTransaction, { services, value }: ActionCall) {
  return findCachedListing(tx, value, services.clock.now());
}

async function bidOnRow(call: ActionCall): Promise<void> {
  const isOpen = await openBidModal(call, async (tx) => {
    const listing = await findListing(tx, call);
    return listing && readBidProjectInfo(tx, toCallOrigin(call), { project: listing.key });
  });
  if (!isOpen) await call.answer(ASK_AGAIN);
}

async function showRow(call: ActionCall): Promise<void> {
  const listing = await call.services.store.read((tx) => findListing(tx, call));
  if (!listing) return call.answer(ASK_AGAIN);
  const known = (foot: string) => projectDetailsMessage({ ...listing, description: '' }, foot);
  const reference = parseProjectReference(listing.url);
  if (!reference) return call.answer(known("Couldn't look up this project: its link has no `~ID`."));
  await call.answer(await lookUpAndDescribeProject(call, reference, { verdict: listing.verdict }));
}

/** Each button's value names its target page. */
export const resultActions: readonly ActionRoute[] = [
  { id: actionIds.resultProjects, needs: 'viewer', pendingLabel: PROJECTS_REQUEST_LABEL, run: showProjects },
  {
    id: actionIds.resultProjectsBack,
    needs: 'viewer',
    pendingLabel: PREVIOUS_REQUEST_LABEL,
    run: showProjects,
  },
  { id: actionIds.resultsPage, needs: 'viewer', pendingLabel: NEXT_REQUEST_LABEL, run: turnPage },
  { id: actionIds.resultsBack, needs: 'viewer', pendingLabel: PREVIOUS_REQUEST_LABEL, run: turnPage },
  { id: actionIds.resultBid, needs: 'bidder', run: bidOnRow },
  { id: actionIds.resultDetails, needs: 'viewer', pendingLabel: DETAILS_REQUEST_LABEL, run: showRow },
];
