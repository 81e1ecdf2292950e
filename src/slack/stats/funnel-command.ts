/** `/gig stats funnel`, its period and its dimension: reads stored projects. */
import { DAY } from '../../clock.ts';
import { listSubscribedChannels } from '../../feed/channels.ts';
import { type FunnelDimension, MOST_FUNNEL_DAYS } from '../../funnel/funnel.ts';
import { type ChannelId, isDirectMessage } from '../../ids.ts';
import type { ActionCall, ActionRoute, CommandCall, Message } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';
import { inputErrorMessage, parseDays } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { DEFAULT_FUNNEL_DAYS, funnelMessage, funnelValueCodec } from './funnel-message.ts';
import { STATS_PRESS_OUTDATED } from './stats-message.ts';

interface FunnelChoice {
  readonly days: number;
  readonly by: FunnelDimension;
}

/** Each costs reads; more hardly fit in a table. */
const MOST_CHANNELS = 50;

interface FunnelScope {
  readonly channels: readonly ChannelId[];
  readonly isLimited: boolean;
}

/** The channels with projects that the person may see. */
async function findScope(context: RequestContext, by: FunnelDimension): Promise<FunnelScope> {
  const { services, channel: here } = context;
  const isHere = !isDirectMessage(here);
  if (by === 'filter' && isHere) return { channels: [here], isLimited: false };
  const { store, team } = services;
  const followed = await store.read((tx) => listSubscribedChannels(tx, team));
  const all = [...new Set([...(isHere ? [here] : []), ...followed])].filter((each) => !isDirectMessage(each));
  const { sees } = await resolveVisibleChannels(context, all);
  const channels = all.filter(sees).slice(0, MOST_CHANNELS);
  return { channels, isLimited: channels.length < all.length };
}

async function renderFunnel(call: ActionCall | CommandCall, { days, by }: FunnelChoice): Promise<Message> {
  const { services, channel } = call;
  // The project that was found at this very moment counts.
  const to = services.clock.now() + 1;
  const { channels, isLimited } = await findScope(call, by);
  const funnel = await services.funnel.readFunnel({ channels, from: to - days * DAY, to, by });
  const isOfOne = by === 'filter' && !isDirectMessage(channel);
  return funnelMessage({ days, by, funnel, isLimited, ...(isOfOne ? { channel } : {}) });
}

const SYNTAX = /^(?<days>.*?)\s*(?:(?:by\s+)?(?<by>filter|channel)s?)?$/iu;

/** `30`, `by channel`, `14 days by filter`; undefined for anything else. */
function parseFunnelChoice(text: string): FunnelChoice | undefined {
  const { days: written = '', by = 'filter' } = SYNTAX.exec(text.trim())?.groups ?? {};
  const days = written === '' ? DEFAULT_FUNNEL_DAYS : parseDays(written, MOST_FUNNEL_DAYS);
  if (days === undefined) return undefined;
  return { days, by: by.toLowerCase() === 'channel' ? 'channel' : 'filter' };
}

/** @param args what was typed after `stats funnel` */
export async function answerFunnel(call: CommandCall, args: string): Promise<void> {
  const choice = parseFunnelChoice(args);
  if (!choice)
    return call.answer(
      inputErrorMessage(
        `${codeText(args, 60)} isn't a period for the funnel. Enter 1 to ${MOST_FUNNEL_DAYS} days, ` +
          'then “by filter” or “by channel” if you like.',
        'stats funnel 14 by channel',
      ),
    );
  await call.answer(await renderFunnel(call, choice));
}

/** Replaces the message with the chosen period or dimension, and current numbers. */
async function showChosen(call: ActionCall): Promise<void> {
  const choice = funnelValueCodec.read(call.value);
  if (!choice) return call.answer(STATS_PRESS_OUTDATED);
  await call.replace(await renderFunnel(call, choice));
}

export const funnelActions: readonly ActionRoute[] = [
  { id: actionIds.statsFunnel, needs: 'viewer', run: showChosen },
  { id: actionIds.statsFunnelDays, needs: 'viewer', run: showChosen },
];
