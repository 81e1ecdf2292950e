/** One page of found proposals, for one person; without results: why, and what to try. Pure. */
import type { Button } from '@slack/types';
import { z } from 'zod';
import type { Proposal } from '../../marketplace/schema.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';
import {
  type ProposalSortOrder,
  parseProposalSearch,
  proposalSearchVocabulary,
} from '../../query/proposal-search.ts';
import type { QueryError } from '../../query/query.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  actionsBlocks,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { jsonValueCodec, PageNumber } from '../kit/button-values.ts';
import { messageWithButtons, setUpButton } from '../kit/command-button.ts';
import { queryErrorMessage } from '../kit/command-text.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { pageButtons } from '../kit/paged-list.ts';
import { profileName } from '../kit/words/profiles.ts';
import {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
} from './proposals-coverage.ts';
import { foldedLetters, listSearchWords, openProposalControl, proposalsTable } from './proposals-table.ts';

export const proposalsPageValueCodec = jsonValueCodec(
  z.object({
    /** As the user typed it. Always fits a button's value, since longer queries are invalid. */
    query: z.string().max(MAX_QUERY_LENGTH),
    page: PageNumber,
  }),
);
export type ProposalsPageValue = NonNullable<ReturnType<typeof proposalsPageValueCodec.read>>;

/** Long names of this many proposals fit into a message, in every form of the table. */
export const PROPOSALS_PAGE_SIZE = 10;
const LONGEST_MEANT = 300;
const LONGEST_SHOWN_QUERY = 200;

export interface ProposalSearchFacts {
  /** As the user typed it; valid. */
  readonly query: string;
  /** The number of proposals on earlier pages. */
  readonly offset: number;
  readonly total: number;
  readonly hits: readonly Proposal[];
  readonly meant?: string | undefined;
  readonly coverage: ProposalsCoverage;
  /** Everyday words that the query translates. */
  readonly typed?: string | undefined;
}

const ORDERS: Readonly<Record<ProposalSortOrder, string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  connects: 'most connects first',
  boost: 'highest boost first',
  position: 'best position first',
  relevance: 'best match first',
};

function read(query: string) {
  const found = parseProposalSearch(query);
  return found.kind === 'mistake' ? undefined : found;
}

function orderText(query: string): string {
  return ORDERS[read(query)?.order ?? 'newest'];
}

/** `23 proposals match`, or `1,204 proposals` if the search has no conditions. */
function countText({ query, total }: Pick<ProposalSearchFacts, 'query' | 'total'>): string {
  const proposals = formatCount(total, 'proposal');
  if (query === '') return proposals;
  return `${proposals} ${total === 1 ? 'matches' : 'match'}`;
}

function queryText(query: string): string {
  return query === '' ? '' : ` ${codeText(query, LONGEST_SHOWN_QUERY)}`;
}

function spanText({ offset, total, hits }: ProposalSearchFacts): string | undefined {
  if (total <= PROPOSALS_PAGE_SIZE) return undefined;
  const last = offset + hits.length;
  const first = formatNumber(offset + 1);
  return offset + 1 === last ? `showing ${first}` : `showing ${first} to ${formatNumber(last)}`;
}

function turnButtons({ query, offset, total, hits }: ProposalSearchFacts): Button[] {
  const page = Math.floor(offset / PROPOSALS_PAGE_SIZE) + 1;
  return pageButtons(
    (to: number) => proposalsPageValueCodec.write({ query, page: to }),
    {
      id: actionIds.proposalsBack,
      label: 'Previous',
      to: page > 1 ? page - 1 : undefined,
      accessibilityLabel: `Previous ${PROPOSALS_PAGE_SIZE} proposals`,
    },
    {
      id: actionIds.proposalsPage,
      label: 'Next',
      to: offset + hits.length < total ? page + 1 : undefined,
      accessibilityLabel: `Next ${PROPOSALS_PAGE_SIZE} proposals`,
    },
  );
}

function searchButton(label: string, query: string, accessibilityLabel: string): Button {
  const value = proposalsPageValueCodec.write({ query, page: 1 });
  return buttonElement({ id: actionIds.proposalsTry, label, value, accessibilityLabel });
}

/** For words that were translated: searches for the words themselves, if they are a valid query. */
function exactWordsButton(typed: string | undefined): Button[] {
  if (typed === undefined || !read(typed)) return [];
  return [searchButton('Search Exact Words', typed, `Search for the words ${typed}`)];
}

function typedText(typed: string | undefined): string | undefined {
  return typed === undefined ? undefined : `You typed ${codeText(typed, LONGEST_SHOWN_QUERY)}.`;
}

/** Ephemeral: its own buttons update it. */
export function proposalsMessage(facts: ProposalSearchFacts): Message {
  const { query, hits, coverage, meant, typed } = facts;
  const sought = listSearchWords(read(query)?.filter ?? { terms: [] }, meant);
  return {
    text: `${countText(facts)}${queryText(query)}`,
    blocks: [
      sectionBlock(
        joinLines(
          joinFacts(`*${countText(facts)}*${queryText(query)}`, spanText(facts), orderText(query)),
          typedText(typed),
          meant && `No exact match. Showing results for “${safeLine(meant, LONGEST_MEANT)}”.`,
        ),
      ),
      proposalsTable(`Proposals, ${orderText(query)}`, hits),
      foldedLetters(hits, sought),
      actionsBlock([openProposalControl(hits), ...turnButtons(facts), ...exactWordsButton(typed)]),
      contextBlock(proposalsCoverageText(coverage)),
    ],
  };
}

const MOST_KNOWN = 5;

const SEARCH_HELP = codeText(`${SLASH_COMMAND} help proposals`);
const HINTS =
  'Gigdesk looked for these words in titles, letters and answers. ' +
  `To search by result or date, such as ${codeText('is:hired after:30d')}, see ${SEARCH_HELP}.`;

/** @param coverage covers at least one followed profile. */
export function noProposalsFoundMessage(
  query: string,
  facts: Pick<ProposalSearchFacts, 'coverage' | 'typed'> & {
    /** Other searches that have results. */
    readonly instead: readonly { readonly query: string; readonly total: number }[];
  },
): Message {
  const { instead, coverage, typed } = facts;
  const soFar = isStillCopyingProposals(coverage) ? ' among those copied so far' : '';
  const none = query === '' ? 'There are no proposals yet' : `No proposals match ${codeText(query, 200)}`;
  const what = `${none}${soFar}.`;
  const next = instead.length > 0 ? 'Try one of these searches:' : query && HINTS;
  return {
    text: what,
    blocks: [
      sectionBlock(joinLines(`*${what}*`, typedText(typed), next)),
      ...instead.map((other) =>
        sectionBlock(
          `${codeText(other.query, 300)} · ${formatCount(other.total, 'proposal')}`,
          searchButton('Show', other.query, `Show results for ${other.query}`),
        ),
      ),
      contextBlock(proposalsCoverageText(coverage)),
      ...actionsBlocks(exactWordsButton(typed)),
    ],
  };
}

/** The mistake, and a button that runs the corrected query, if it is close to what was typed. */
export function proposalQueryErrorMessage(query: string, mistake: QueryError): Message {
  const { text } = queryErrorMessage(query, mistake, `${SLASH_COMMAND} proposals `);
  const isClose = mistake.example !== proposalSearchVocabulary.example;
  const button = searchButton('Run Correction', mistake.example, `Search for ${mistake.example}`);
  return isClose ? messageWithButtons(text, button) : { text };
}

/** @param known profiles whose names we know */
export function noFollowedProfilesMessage(
  known: readonly { readonly id: number; readonly name?: string }[],
  what: 'search' | 'count' = 'search',
): Message {
  const [first] = known;
  const names = known.slice(0, MOST_KNOWN).map(profileName).join(', ');
  const text = joinLines(
    `There's nothing to ${what} yet, because no channel follows a profile. ` +
      'Gigdesk copies the proposals of followed profiles at no credit cost.',
    'Set up a channel with proposal updates, or type ' +
      `${codeText(`${SLASH_COMMAND} subscribe outcomes ${first?.id ?? '<profile id or name>'}`)}. ` +
      'Copying starts right away.',
    names && `Known profiles: ${names}`,
  );
  return messageWithButtons(text, setUpButton('Set Up Channel', { opens: 'add' }));
}

export const PROPOSALS_STILL_LOADING: Message = {
  text:
    ':hourglass_flowing_sand: Gigdesk just started and is still loading proposals. ' +
    'Try again in a few seconds.',
};
