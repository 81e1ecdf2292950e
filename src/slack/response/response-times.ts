/** Shows a channel's response times to one person: `/gig stats response`, and the menu below its answer. */
import { DAY } from '../../clock.ts';
import { readChannelSettings } from '../../feed/channels.ts';
import { resolveTimezone } from '../../feed/quiet-hours.ts';
import { type ChannelId, FilterId } from '../../ids.ts';
import { medianTimes, type ResponseDimension } from '../../response/measure.ts';
import type { ActionCall, ActionRoute, Message, Services } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { medianTimesText } from './response-text.ts';
import {
  DEFAULT_RESPONSE_DAYS,
  RESPONSE_TIMES_OUTDATED,
  responseTimesMenu,
  responseTimesMessage,
} from './response-times-message.ts';

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
      if (!asked) return call.answer(RESPONSE_TIMES_OUTDATED);
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
