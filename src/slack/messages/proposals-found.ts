/** What a search of proposals found, a page of it: for the person alone, and as it is shared. */
import type { Button, KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import { type ProposalOrder, readProposalSearch } from '../../query/proposal-search.ts';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import { mention, safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { actions, button, context, line, lines, section } from './parts.ts';
import { type Coverage, coverageText } from './proposals-coverage.ts';
import { soughtWords } from './proposals-excerpt.ts';
import { proposalRow } from './proposals-row.ts';
import { SHARED_NOTE, shareButton } from './proposals-share.ts';
import { proposalsPageValue } from './proposals-values.ts';
import { ago } from './when.ts';

export const PROPOSALS_PAGE = 5;
const LONGEST_MEANT = 300;
const LONGEST_SHOWN_QUERY = 200;

export interface FoundFacts {
  /** As it was typed; right. */
  readonly query: string;
  /** How many stand before the first. */
  readonly offset: number;
  readonly total: number;
  readonly hits: readonly Proposal[];
  readonly meant?: string | undefined;
  readonly coverage: Coverage;
  /** By which the page can be shared; missing: it can't be. */
  readonly share?: string;
  /** The person has shared it. */
  readonly isShared?: boolean;
}

const ORDERS: Readonly<Record<ProposalOrder, string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  connects: 'most connects first',
  boost: 'highest boost first',
  position: 'best position first',
  relevance: 'best match first',
};

function read(query: string) {
  const found = readProposalSearch(query);
  return found.kind === 'mistake' ? undefined : found;
}

function orderText(query: string): string {
  return ORDERS[read(query)?.order ?? 'newest'];
}

/** `23 proposals match`, or `1,204 proposals` where everything was asked for. */
function countText({ query, total }: Pick<FoundFacts, 'query' | 'total'>): string {
  const proposals = count(total, 'proposal');
  if (query === '') return proposals;
  return `${proposals} ${total === 1 ? 'matches' : 'match'}`;
}

function queryText(query: string): string {
  return query === '' ? '' : ` ${codeText(query, LONGEST_SHOWN_QUERY)}`;
}

function spanText({ offset, total, hits }: FoundFacts): string | undefined {
  if (total <= PROPOSALS_PAGE) return undefined;
  const last = offset + hits.length;
  const first = number(offset + 1);
  return offset + 1 === last ? `showing ${first}` : `showing ${first} to ${number(last)}`;
}

function meantText(meant: string | undefined): string | undefined {
  return meant ? `No exact match. Showing results for “${safeLine(meant, LONGEST_MEANT)}”.` : undefined;
}

function rows({ query, hits, meant }: FoundFacts, opens: boolean): KnownBlock[] {
  const filter = read(query)?.filter ?? { terms: [] };
  const sought = soughtWords(filter, meant);
  return hits.flatMap((hit) => proposalRow(hit, { sought, opens }));
}

function turnButtons({ query, offset, total, hits }: FoundFacts): Button[] {
  const page = Math.floor(offset / PROPOSALS_PAGE) + 1;
  const to = (next: number) => proposalsPageValue.write({ query, page: next });
  const back = button({
    id: actionIds.proposalsBack,
    label: 'Previous',
    value: to(Math.max(1, page - 1)),
    spoken: 'Previous five proposals',
  });
  const forth = button({
    id: actionIds.proposalsPage,
    label: 'Next',
    value: to(page + 1),
    spoken: 'Next five proposals',
  });
  return [...(page > 1 ? [back] : []), ...(offset + hits.length < total ? [forth] : [])];
}

/** Ephemeral: its own buttons draw it anew. */
export function proposalsMessage(facts: FoundFacts): Message {
  const { query, share, isShared, coverage, meant } = facts;
  const buttons = [
    ...turnButtons(facts),
    ...(share !== undefined && !isShared ? [shareButton(share, 'these proposals')] : []),
  ];
  return {
    text: `${countText(facts)}${queryText(query)}`,
    blocks: [
      section(
        lines(
          line(`*${countText(facts)}*${queryText(query)}`, spanText(facts), orderText(query)),
          meantText(meant),
        ),
      ),
      ...rows(facts, true),
      context(coverageText(coverage)),
      ...(isShared ? [context(SHARED_NOTE)] : []),
      ...(buttons.length > 0 ? [actions(buttons)] : []),
    ],
  };
}

/** For the channel: what stood there, without buttons, since they would be those of whoever shared it. */
export function sharedProposalsMessage(facts: FoundFacts, by: UserId, at: Instant): Message {
  const { query, meant } = facts;
  const [first] = facts.hits;
  const head = query === '' ? 'shared proposals' : 'shared a proposal search';
  return {
    text: `${mention(by)} ${head}: ${countText(facts)}${queryText(query)}`,
    blocks: [
      section(
        lines(
          `${mention(by)} ${head}:`,
          line(`*${countText(facts)}*${queryText(query)}`, spanText(facts), orderText(query)),
          meantText(meant),
        ),
      ),
      ...rows(facts, false),
      context(
        line(
          `As of ${ago(at)}`,
          first && `see one in full with ${codeText(`${COMMAND} proposal ${first.id}`)}`,
        ),
      ),
    ],
  };
}
