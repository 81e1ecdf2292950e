/** How fast a channel was, for one person: `/gig stats response`, and the menu below its answer. */
import type { KnownBlock } from '@slack/types';
import { DAY } from '../../clock.ts';
import { readChannelSettings } from '../../feed/channels.ts';
import { resolveTimezone } from '../../feed/quiet-hours.ts';
import { type ChannelId, FilterId } from '../../ids.ts';
import {
  groupTimes,
  medianTimes,
  RESPONSE_DIMENSIONS,
  type ResponseDimension,
  type ResponseGroup,
  type ResponseTimes,
  type SpanSummary,
  summarizeTimes,
} from '../../response/measure.ts';
import type { ActionCall, ActionRoute, Message, Services } from '../core/routes.ts';
import { actionsBlock, capitalize, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { createCompareMenu } from '../kit/compare-menu.ts';
import { actionIds } from '../kit/ids.ts';
import { formatCount, formatDuration, formatLastDays } from '../kit/numbers.ts';
import { dataTableBlock, numberCell, personCell, type TableCell, textCell } from '../kit/rich-blocks.ts';
import { medianTimesText } from './response-text.ts';

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

const DIMENSION_LABELS: Readonly<Record<ResponseDimension, string>> = {
  person: 'person',
  filter: 'filter',
  hour: 'hour of publication',
};

const responseTimesMenu = createCompareMenu(
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

function responseTimesMessage(facts: ResponseTimesFacts): Message {
  const { times, days } = facts;
  const head = `Response times in this channel, ${formatLastDays(days)}`;
  const { card, claim, bid, claimToBid } = summarizeTimes(times.samples);
  const lines = joinLines(
    spanLine('Publication to card', card),
    spanLine('Card to claim', claim),
    spanLine('Claim to bid', claimToBid),
    spanLine('Publication to bid', bid),
  );
  if (!lines)
    return {
      text: `${head}: no cards yet.`,
      blocks: [sectionBlock(`*${head}*\nNo cards with known times yet.`)],
    };
  const partial = `Based on the newest ${formatCount(times.samples.length, 'card')}.`;
  return {
    text: head,
    blocks: [
      sectionBlock(joinLines(`*${head}* (median)`, lines)),
      ...(times.isPartial ? [contextBlock(partial)] : []),
      ...groupBlocks(facts),
      actionsBlock([responseTimesMenu.draw(facts)]),
    ],
  };
}

const OUTDATED = 'This button is out of date. Run `/gig stats response` again.';

/** Of the call's own channel, whose records everyone there may see. */
export async function renderResponseTimes(
  { services, channel }: Pick<ActionCall, 'services' | 'channel'>,
  { days, dimension = 'person' }: { readonly days: number; readonly dimension?: ResponseDimension },
): Promise<Message> {
  const { response, clock, store, feed } = services;
  const now = clock.now();
  const times = await response.readTimes(channel, { from: now - days * DAY, to: now });
  const settings = await store.read((tx) => readChannelSettings(tx, channel));
  const filters = new Map((await feed.listStoredFilters()).map(({ id, name }) => [id, name]));
  return responseTimesMessage({
    days,
    dimension,
    times,
    timezone: resolveTimezone(settings, services.timezone),
    filterLabel: (filter) => filters.get(FilterId.parse(filter)) ?? `filter ${filter}`,
  });
}

export const responseTimesActions: readonly ActionRoute[] = [
  {
    id: actionIds.responseDimension,
    needs: 'viewer',
    async run(call) {
      const asked = responseTimesMenu.read(call.value);
      if (!asked) return call.answer({ text: OUTDATED });
      await call.replace(await renderResponseTimes(call, asked));
    },
  },
  /** Below `/gig stats`. */
  {
    id: actionIds.responseTimes,
    needs: 'viewer',
    run: async (call) => call.answer(await renderResponseTimes(call, { days: DEFAULT_RESPONSE_DAYS })),
  },
];

const HOME_DAYS = 7;
/** The newest are enough for one line. */
const HOME_CARDS = 100;

/** One line for a channel whose clock is on; undefined if there is nothing to say. */
export async function readResponseLine(
  { response, clock }: Pick<Services, 'response' | 'clock'>,
  channel: ChannelId,
): Promise<string | undefined> {
  if (!(await response.readSettings(channel))?.isOn) return undefined;
  const to = clock.now();
  const { samples } = await response.readTimes(channel, { from: to - HOME_DAYS * DAY, to, most: HOME_CARDS });
  const medians = medianTimes(samples);
  return medians && `:alarm_clock: Median response this week: ${medianTimesText(medians)}`;
}
