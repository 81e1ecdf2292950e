/** One page of found proposals: for one person, and shared with the channel. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import { type ProposalSortOrder, parseProposalSearch } from '../../query/proposal-search.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlocks, contextBlock, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { pageButtons } from '../kit/paged-list.ts';
import { codeText } from '../kit/query-error.ts';
import { formatTimeAgo } from '../kit/time-ago.ts';
import { SHARED_NOTE, shareToChannelButton } from '../sharing/sharing.ts';
import { type ProposalsCoverage, proposalsCoverageText } from './proposals-coverage.ts';
import { listSearchWords } from './proposals-excerpt.ts';
import { proposalRow } from './proposals-row.ts';
import { proposalsPageValueCodec } from './proposals-values.ts';

export const PROPOSALS_PAGE_SIZE = 5;
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
  /** The key for sharing the page; missing: it can't be shared. */
  readonly share?: string;
  /** The user has shared it. */
  readonly isShared?: boolean;
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

function meantText(meant: string | undefined): string | undefined {
  return meant ? `No exact match. Showing results for “${safeLine(meant, LONGEST_MEANT)}”.` : undefined;
}

function rows({ query, hits, meant }: ProposalSearchFacts, opens: boolean): KnownBlock[] {
  const filter = read(query)?.filter ?? { terms: [] };
  const sought = listSearchWords(filter, meant);
  return hits.flatMap((hit) => proposalRow(hit, { sought, opens }));
}

function turnButtons({ query, offset, total, hits }: ProposalSearchFacts): Button[] {
  const page = Math.floor(offset / PROPOSALS_PAGE_SIZE) + 1;
  return pageButtons(
    (to: number) => proposalsPageValueCodec.write({ query, page: to }),
    {
      id: actionIds.proposalsBack,
      label: 'Previous',
      to: page > 1 ? page - 1 : undefined,
      accessibilityLabel: 'Previous five proposals',
    },
    {
      id: actionIds.proposalsPage,
      label: 'Next',
      to: offset + hits.length < total ? page + 1 : undefined,
      accessibilityLabel: 'Next five proposals',
    },
  );
}

/** Ephemeral: its own buttons update it. */
export function proposalsMessage(facts: ProposalSearchFacts): Message {
  const { query, share, isShared, coverage, meant } = facts;
  const buttons = [
    ...turnButtons(facts),
    ...(share !== undefined && !isShared ? [shareToChannelButton(share, 'these proposals')] : []),
  ];
  return {
    text: `${countText(facts)}${queryText(query)}`,
    blocks: [
      sectionBlock(
        joinLines(
          joinFacts(`*${countText(facts)}*${queryText(query)}`, spanText(facts), orderText(query)),
          meantText(meant),
        ),
      ),
      ...rows(facts, true),
      contextBlock(proposalsCoverageText(coverage)),
      ...(isShared ? [contextBlock(SHARED_NOTE)] : []),
      ...actionsBlocks(buttons),
    ],
  };
}

/** For the channel: without buttons, since they would act for the user who shared it. */
export function sharedProposalsMessage(facts: ProposalSearchFacts, by: UserId, at: Instant): Message {
  const { query, meant } = facts;
  const [first] = facts.hits;
  const head = query === '' ? 'shared proposals' : 'shared a proposal search';
  return {
    text: `${formatMention(by)} ${head}: ${countText(facts)}${queryText(query)}`,
    blocks: [
      sectionBlock(
        joinLines(
          `${formatMention(by)} ${head}:`,
          joinFacts(`*${countText(facts)}*${queryText(query)}`, spanText(facts), orderText(query)),
          meantText(meant),
        ),
      ),
      ...rows(facts, false),
      contextBlock(
        joinFacts(
          `As of ${formatTimeAgo(at)}`,
          first && `see one in full with ${codeText(`${SLASH_COMMAND} proposal ${first.id}`)}`,
        ),
      ),
    ],
  };
}
