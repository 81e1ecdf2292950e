/** `/gig stats` and its menu, from memory; `/gig stats funnel`, from stored projects. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY } from '../../clock.ts';
import { listSubscribedChannels } from '../../feed/channels.ts';
import { type FunnelDimension, MOST_FUNNEL_DAYS } from '../../funnel/funnel.ts';
import { isDirectMessage } from '../../ids.ts';
import { isTimezone } from '../../schedule/local-time.ts';
import type { GroupDimension } from '../../statistics/groups.ts';
import { calculateStatistics } from '../../statistics/statistics.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';
import { inputErrorMessage, invalidDaysMessage, parseDays, splitFirstWord } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { noProposalsReason, readProposalsCoverage } from '../proposals/proposals.ts';
import { DEFAULT_RESPONSE_DAYS, MOST_RESPONSE_DAYS, renderResponseTimes } from '../response/response.ts';
import { DEFAULT_FUNNEL_DAYS, type FunnelChoice, funnelMessage, funnelValueCodec } from './funnel-message.ts';
import { MOST_STATS_DAYS, statsMenu } from './stats-groups.ts';
import { DEFAULT_STATS_DAYS, STATS_PRESS_OUTDATED, statsMessage } from './stats-message.ts';

/** Each costs reads; more hardly fit in a table. */
const MOST_CHANNELS = 50;

async function findScope(context: RequestContext, by: FunnelDimension) {
  const { services, channel: here } = context;
  const isHere = !isDirectMessage(here);
  if (by === 'filter' && isHere) return { channels: [here], isLimited: false };
  const { store } = services;
  const followed = await store.read((tx) => listSubscribedChannels(tx));
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
  return funnelMessage({ days, by, funnel, isLimited, channel: isOfOne ? channel : undefined });
}

const SYNTAX = /^(?<days>.*?)\s*(?:(?:by\s+)?(?<by>filter|channel)s?)?$/iu;

/** `30`, `by channel`, `14 days by filter`; undefined for anything else. */
function parseFunnelChoice(text: string): FunnelChoice | undefined {
  const { days: written = '', by = 'filter' } = SYNTAX.exec(text.trim())?.groups ?? {};
  const days = written === '' ? DEFAULT_FUNNEL_DAYS : parseDays(written, MOST_FUNNEL_DAYS);
  if (days === undefined) return undefined;
  return { days, by: by.toLowerCase() === 'channel' ? 'channel' : 'filter' };
}

async function answerFunnel(call: CommandCall, args: string): Promise<void> {
  const choice = parseFunnelChoice(args);
  const mistake =
    `${codeText(args, 60)} isn't a period for the funnel. Enter 1 to ${MOST_FUNNEL_DAYS} days, ` +
    'then “by filter” or “by channel” if you like.';
  if (!choice) return call.answer(inputErrorMessage(mistake, 'stats funnel 14 by channel'));
  await call.answer(await renderFunnel(call, choice));
}

async function showChosen(call: ActionCall): Promise<void> {
  const choice = funnelValueCodec.read(call.value);
  if (!choice) return call.answer(STATS_PRESS_OUTDATED);
  await call.replace(await renderFunnel(call, choice));
}

export const funnelActions: readonly ActionRoute[] = [
  { id: actionIds.statsFunnel, needs: 'viewer', run: showChosen },
  { id: actionIds.statsFunnelDays, needs: 'viewer', run: showChosen },
];

/** Without a dimension: the clearest one. */
async function renderStatsMessage(
  { services, person }: Pick<ActionCall | CommandCall, 'services' | 'person'>,
  { days, dimension }: { readonly days: number; readonly dimension?: GroupDimension },
): Promise<Message> {
  const nothing = await noProposalsReason(services, 'count');
  if (nothing) return nothing;
  // Slack's time zone of a person is untrusted input.
  const timezone = person.timezone && isTimezone(person.timezone) ? person.timezone : services.timezone;
  const to = services.clock.now();
  const statistics = await calculateStatistics(
    services.proposals.mirror.listNewestFirst(),
    { from: to - days * DAY, to, timezone },
    () => nextTurn(),
  );
  const coverage = await readProposalsCoverage(services);
  return statsMessage({ days, statistics, coverage, dimension: dimension ?? statistics.clearestDimension });
}

export const statsCommand: CommandRoute = {
  word: 'stats',
  topic: 'reports',
  needs: 'viewer',
  usage: ['stats [<days>]', 'stats funnel [<days>] [by filter|channel]', 'stats response [<days>]'],
  summary:
    'Show what your proposals lead to. See how many are viewed, interviewed and hired, what that costs, ' +
    'and what makes a difference.',
  details: [
    `Covers the last ${DEFAULT_STATS_DAYS} days by default, up to ${MOST_STATS_DAYS}. ` +
      'Only you see it. It costs no credits, and covers profiles that any channel follows ' +
      '(`/gig subscribe outcomes`).',
    '`/gig stats response` shows how fast this channel claims and bids, by person, filter and hour.',
    'Compare by template, letter, boost, position, profile or weekday. ' +
      'Proposals from the last 7 days and replies to invitations are counted separately.',
    "`/gig stats funnel` follows this channel's projects from found to hired, and says why each step " +
      'loses some: by filter, or by channel for the channels you can see.',
  ].join('\n'),
  examples: ['stats', 'stats 90', 'stats funnel 14 by channel', 'stats response'],
  async run(call) {
    const { word, rest } = splitFirstWord(call.args);
    if (word.toLowerCase() === 'funnel') return answerFunnel(call, rest);
    if (word.toLowerCase() === 'response') return showResponseTimes(call, rest);
    const days = call.args === '' ? DEFAULT_STATS_DAYS : parseDays(call.args, MOST_STATS_DAYS);
    const limits = { usual: DEFAULT_STATS_DAYS, most: MOST_STATS_DAYS };
    if (days === undefined) return call.answer(invalidDaysMessage(call.args, limits, 'stats 90'));
    await call.answer(await renderStatsMessage(call, { days }));
  },
};

async function showResponseTimes(call: CommandCall, args: string): Promise<void> {
  const days = args === '' ? DEFAULT_RESPONSE_DAYS : parseDays(args, MOST_RESPONSE_DAYS);
  if (days !== undefined) return call.answer(await renderResponseTimes(call, { days }));
  const limits = { usual: DEFAULT_RESPONSE_DAYS, most: MOST_RESPONSE_DAYS };
  await call.answer(invalidDaysMessage(args, limits, 'stats response 90'));
}

/** Replaces the message with another dimension and current numbers. */
export const statsDimensionAction: ActionRoute = {
  id: actionIds.statsDimension,
  needs: 'viewer',
  async run(call) {
    const asked = statsMenu.read(call.value);
    if (!asked) return call.answer(STATS_PRESS_OUTDATED);
    await call.replace(await renderStatsMessage(call, asked));
  },
};
