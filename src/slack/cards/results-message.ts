/** A filter's monitoring results, and the projects of one result. Pure. */
import type { KnownBlock } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import type { MonitoringResultId } from '../../ids.ts';
import type { RecordPage } from '../../marketplace/client.ts';
import type { MonitoringResult, Paging } from '../../marketplace/schema.ts';
import type { ResultProjectsOutcome } from '../../projects/projects.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { resultProjectsValueCodec, resultsPageValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { pageButtons, pageText } from '../kit/paged-list.ts';
import { projectRowsWithButtons } from '../kit/project/project-lines.ts';
import { chargedCreditsText } from '../kit/words/credits-text.ts';
import { filterName } from '../kit/words/filters.ts';

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

/** The button back: to the page before, or to an existing page for a user beyond the end. */
function wayBack(page: number, { pages }: Paging, items: number): { label: string; to: number | undefined } {
  if (page === 1) return { label: 'Previous Page', to: undefined };
  if (pages !== undefined && page > pages) return { label: 'Last Page', to: Math.max(1, pages) };
  if (pages === undefined && items === 0) return { label: 'First Page', to: 1 };
  return { label: 'Previous Page', to: page - 1 };
}

function turnButtons(
  page: number,
  { items, paging }: { readonly items: number; readonly paging: Paging },
  ids: { readonly back: string; readonly forth: string },
  value: (page: number) => string,
): KnownBlock[] {
  const hasNext = paging.pages === undefined ? items > 0 : page < paging.pages;
  return actionsBlocks(
    pageButtons(
      value,
      { id: ids.back, ...wayBack(page, paging, items) },
      { id: ids.forth, label: 'Next Page', to: hasNext ? page + 1 : undefined },
    ),
  );
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

interface MonitoringResultsFacts extends RecordPage<MonitoringResult> {
  readonly filter: NamedFilter;
  readonly page: number;
}

export function monitoringResultsMessage(facts: MonitoringResultsFacts): Message {
  const { filter, page, items, unreadable, paging } = facts;
  const title = `Monitoring results for ${filterName(filter)}`;
  const lost = unreadable > 0 ? `${formatCount(unreadable, 'result')} couldn't be read.` : undefined;
  const foot = joinLines(
    lost,
    items.length > 0
      ? 'This list is free. Showing a result costs 1 credit for each of its projects that Gigdesk has ' +
          'not read in this billing period.'
      : undefined,
  );
  return {
    text: headline(title, page, paging),
    blocks: [
      sectionBlock(
        joinLines(
          headline(`*${title}*`, page, paging),
          items.length === 0 && !lost ? emptyText('results', page, paging) : undefined,
        ),
      ),
      ...items.slice(0, MOST_RESULTS).map(resultBlock),
      ...(foot ? [contextBlock(foot)] : []),
      ...turnButtons(
        page,
        { items: items.length, paging },
        { back: actionIds.resultsBack, forth: actionIds.resultsPage },
        (to) => resultsPageValueCodec.write({ filter: filter.id, page: to }),
      ),
    ],
  };
}

interface ResultProjectsFacts extends Omit<Extract<ResultProjectsOutcome, { kind: 'found' }>, 'kind'> {
  readonly result: MonitoringResultId;
  readonly page: number;
}

export function resultProjectsMessage(facts: ResultProjectsFacts): Message {
  const { result, page, projects, unreadable, paging } = facts;
  const title = `Projects in result ${result}`;
  const lost = unreadable > 0 ? `${formatCount(unreadable, 'project')} couldn't be read.` : undefined;
  const hidden = projects.length - MOST_PROJECTS;
  return {
    text: headline(title, page, paging),
    blocks: [
      sectionBlock(
        joinLines(
          headline(`*${title}*`, page, paging),
          projects.length === 0 && !lost ? emptyText('projects', page, paging) : undefined,
        ),
      ),
      ...projectRowsWithButtons(projects.slice(0, MOST_PROJECTS)),
      contextBlock(
        joinLines(
          hidden > 0 ? `…and ${formatNumber(hidden)} more on this page` : undefined,
          lost,
          chargedCreditsText(facts),
        ),
      ),
      ...turnButtons(
        page,
        { items: projects.length, paging },
        { back: actionIds.resultProjectsBack, forth: actionIds.resultProjects },
        (to) => resultProjectsValueCodec.write({ result, page: to, turn: true }),
      ),
    ],
  };
}
