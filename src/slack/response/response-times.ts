/** Shows a channel's response times to one person: `/gig stats response`, and the menu below its answer. */
import { DAY } from '../../clock.ts';
import { readChannelSettings } from '../../feed/channels.ts';
import { resolveTimezone } from '../../feed/quiet-hours.ts';
import { FilterId } from '../../ids.ts';
import { type ResponseDimension, summarizeTimes } from '../../response/measure.ts';
import type { ActionCall, ActionRoute, Message, Services } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { responseSummaryText } from './response-lines.ts';
import {
  DEFAULT_RESPONSE_DAYS,
  RESPONSE_TIMES_OUTDATED,
  responseTimesCodec,
  responseTimesMessage,
} from './response-times-message.ts';

/** Of the call's own channel, whose records everyone there may see. */
export async function renderResponseTimes(
  { services, channel }: Pick<ActionCall, 'services' | 'channel'>,
  { days, dimension = 'person' }: { readonly days: number; readonly dimension?: ResponseDimension },
): Promise<Message> {
  const { response, clock, store, team, feed } = services;
  const now = clock.now();
  const times = await response.readTimes(channel, { from: now - days * DAY, to: now });
  const settings = await store.read((tx) => readChannelSettings(tx, team, channel));
  const filters = new Map((await feed.listStoredFilters()).map(({ id, name }) => [id, name]));
  return responseTimesMessage({
    days,
    dimension,
    times,
    timezone: resolveTimezone(settings, services.timezone),
    filterLabel: (filter) => filters.get(FilterId.parse(filter)) ?? `filter ${filter}`,
  });
}

/** Replaces the message. */
async function showDimension(call: ActionCall): Promise<void> {
  const asked = responseTimesCodec.read(call.value);
  if (!asked) return call.answer(RESPONSE_TIMES_OUTDATED);
  await call.replace(await renderResponseTimes(call, asked));
}

/** Below `/gig stats`. */
async function showTimes(call: ActionCall): Promise<void> {
  await call.answer(await renderResponseTimes(call, { days: DEFAULT_RESPONSE_DAYS }));
}

export const responseTimesActions: readonly ActionRoute[] = [
  { id: actionIds.responseDimension, needs: 'viewer', run: showDimension },
  { id: actionIds.responseTimes, needs: 'viewer', run: showTimes },
];

const HOME_DAYS = 7;
/** The newest are enough for one line. */
const HOME_CARDS = 100;

/** One line for a channel whose clock is on; undefined if there is nothing to say. */
export async function readResponseLine(
  { response, clock }: Pick<Services, 'response' | 'clock'>,
  channel: Parameters<Services['response']['readTimes']>[0],
): Promise<string | undefined> {
  if (!(await response.readSettings(channel))?.isOn) return undefined;
  const to = clock.now();
  const { samples } = await response.readTimes(channel, { from: to - HOME_DAYS * DAY, to, most: HOME_CARDS });
  const text = responseSummaryText(summarizeTimes(samples));
  return text === undefined ? undefined : `:alarm_clock: Median response this week: ${text}`;
}
