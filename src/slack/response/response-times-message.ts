/** How fast a channel was, for one person: a summary, and one dimension. Pure. */
import type { KnownBlock } from '@slack/types';
import {
  groupTimes,
  RESPONSE_DIMENSIONS,
  type ResponseDimension,
  type ResponseGroup,
  type ResponseSummary,
  type ResponseTimes,
  type SpanSummary,
  summarizeTimes,
} from '../../response/measure.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, capitalize, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { createCompareMenu } from '../kit/compare-menu.ts';
import { actionIds } from '../kit/ids.ts';
import { formatCount, formatDuration, formatLastDays } from '../kit/numbers.ts';
import { dataTableBlock, numberCell, personCell, type TableCell, textCell } from '../kit/rich-blocks.ts';

/** The longest period: cards are kept this long. */
export const MOST_RESPONSE_DAYS = 90;
export const DEFAULT_RESPONSE_DAYS = 30;

interface ResponseTimesFacts {
  readonly days: number;
  readonly dimension: ResponseDimension;
  readonly times: ResponseTimes;
  /** IANA name. */
  readonly timezone: string;
  /** Plain; strangers' text. */
  readonly filterLabel: (filter: number) => string;
}

function spanLine(what: string, span: SpanSummary | undefined): string | undefined {
  if (!span) return undefined;
  const { medianMs, p90Ms, count } = span;
  const most = count > 1 ? `, 90% within ${formatDuration(p90Ms)}` : '';
  return `${what}: *${formatDuration(medianMs)}*${most} (${formatCount(count, 'card')})`;
}

function summaryLines({ card, claim, bid, claimToBid }: ResponseSummary): string {
  return joinLines(
    spanLine('Publication to card', card),
    spanLine('Card to claim', claim),
    spanLine('Claim to bid', claimToBid),
    spanLine('Publication to bid', bid),
  );
}

const DIMENSION_LABELS: Readonly<Record<ResponseDimension, string>> = {
  person: 'person',
  filter: 'filter',
  hour: 'hour of publication',
};

/** The menu below response times: by what to compare. */
export const responseTimesMenu = createCompareMenu(
  actionIds.responseDimension,
  RESPONSE_DIMENSIONS,
  DIMENSION_LABELS,
  MOST_RESPONSE_DAYS,
);

const MOST_ROWS = 30;

function keyCell({ key }: ResponseGroup, { filterLabel }: ResponseTimesFacts): TableCell {
  switch (key.dimension) {
    case 'person':
      return personCell(key.user);
    case 'filter':
      return textCell(filterLabel(key.filter));
    case 'hour':
      return textCell(`${String(key.hour).padStart(2, '0')}:00`);
  }
}

/** `6 minutes (90%: 20 minutes)`, which sorts by the median. */
function spanCell(span: SpanSummary | undefined): TableCell {
  if (!span) return numberCell(-1, '–');
  const most = span.count > 1 ? ` (90%: ${formatDuration(span.p90Ms)})` : '';
  return numberCell(span.medianMs, `${formatDuration(span.medianMs)}${most}`);
}

function groupBlocks(facts: ResponseTimesFacts): KnownBlock[] {
  const { times, dimension, timezone } = facts;
  const groups = groupTimes(times.samples, dimension, timezone).slice(0, MOST_ROWS);
  const title = `By ${DIMENSION_LABELS[dimension]}${dimension === 'hour' ? ` (${timezone})` : ''}`;
  if (groups.length === 0) return [contextBlock(`${title}: nothing to show yet.`)];
  return [
    dataTableBlock({
      caption: title,
      columns: [
        capitalize(DIMENSION_LABELS[dimension]),
        dimension === 'person' ? 'Projects' : 'Cards',
        'Card to claim',
        'Claim to bid',
        'Publication to bid',
      ],
      rows: groups.map((group) => [
        keyCell(group, facts),
        numberCell(group.count),
        spanCell(group.summary.claim),
        spanCell(group.summary.claimToBid),
        spanCell(group.summary.bid),
      ]),
    }),
  ];
}

export function responseTimesMessage(facts: ResponseTimesFacts): Message {
  const { times, days } = facts;
  const head = `Response times in this channel, ${formatLastDays(days)}`;
  const lines = summaryLines(summarizeTimes(times.samples));
  if (!lines)
    return {
      text: `${head}: no cards yet.`,
      blocks: [sectionBlock(`*${head}*\nNo cards with known times yet.`)],
    };
  const partial = times.isPartial
    ? `Based on the newest ${formatCount(times.samples.length, 'card')}.`
    : undefined;
  return {
    text: head,
    blocks: [
      sectionBlock(joinLines(`*${head}* (median)`, lines)),
      ...(partial ? [contextBlock(partial)] : []),
      ...groupBlocks(facts),
      actionsBlock([responseTimesMenu.draw(facts)]),
    ],
  };
}

export const RESPONSE_TIMES_OUTDATED: Message = {
  text: 'This button is out of date. Run `/gig stats response` again.',
};
